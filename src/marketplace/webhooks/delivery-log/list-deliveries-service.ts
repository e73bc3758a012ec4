import { Prisma } from '../../../base/database/generated/client.ts'
import type { Page, PageRequest } from '../../../base/values/page-of-list.ts'
import type { Deps } from '../../../deps.ts'
import { ATTEMPT_REASONS } from '../attempts/attempt-reasons.ts'
import { failureReasonOf } from '../attempts/failure-reason.ts'
import { type EndpointSubject, findEndpoint } from '../endpoints/read-endpoints-service.ts'
import type { DeliveryFilters } from './delivery.ts'
import {
  JOINS,
  LISTED_COLUMNS,
  type ListedRow,
  listedDelivery,
  newestDeliveries,
} from './read-deliveries-service.ts'

/** As many as the deliveries of the longest page: one attempt each leaves it whole. */
const PAGE_ATTEMPTS_MAX = 1_000
/** The length of all attempts of a page in JSON, where an answer of 1 KiB can take 6. */
const PAGE_ATTEMPTS_MAX_BYTES = 2 * 1024 * 1024

/** A delivery of a page, and its attempts as JSON. */
type TextRow = ListedRow & { attemptsJson: string; found: number }

/** What attempts say of why they failed: code -> reason, as `failureReasonOf` answers. */
const REASONS = JSON.stringify(
  Object.fromEntries(Object.keys(ATTEMPT_REASONS).map((code) => [code, failureReasonOf(code)])),
)

/** SQL: the attempts of a delivery `page` as JSON in the shape of `DeliveryWithAttempts`. */
const ATTEMPTS_JSON = Prisma.sql`
  SELECT coalesce(json_agg(one ORDER BY one.number)::text, '[]') AS json
  FROM (
    SELECT number, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at,
      duration_ms AS "durationMs", outcome, status,
      CASE WHEN reason IS NOT NULL THEN coalesce(
        ${REASONS}::jsonb -> reason, jsonb_build_object('code', 'not_sent', 'detail', reason)
      ) END AS reason,
      response
    FROM webhook_attempts WHERE delivery_id = page.id
  ) AS one`

/**
 * The deliveries of an endpoint with every attempt, newest event first; each as its JSON text, of
 * which Postgres writes the attempts.
 *
 * A page ends early where its attempts are more than PAGE_ATTEMPTS_MAX or longer than
 * PAGE_ATTEMPTS_MAX_BYTES; it has at least one delivery, however often that was tried.
 *
 * @throws AppError not_found
 */
export async function listDeliveryTexts(
  { db }: Pick<Deps, 'db'>,
  subject: EndpointSubject,
  filters: DeliveryFilters,
  request: PageRequest,
): Promise<Page<string>> {
  const { id } = await findEndpoint(db, subject)
  const rows = await db.$queryRaw<TextRow[]>`
    WITH page AS (
      SELECT d.*, row_number() OVER newest AS place, sum(d.attempts) OVER newest AS tried,
        count(*) OVER ()::int AS found
      FROM (${newestDeliveries(id, filters, request)}) AS d
      WINDOW newest AS (ORDER BY d.position DESC)
    ),
    tried AS (
      SELECT page.*, log.json AS "attemptsJson",
        sum(octet_length(log.json)) OVER (ORDER BY place) AS bytes
      FROM page CROSS JOIN LATERAL (${ATTEMPTS_JSON}) AS log
      WHERE place <= ${request.limit} AND (place = 1 OR tried <= ${PAGE_ATTEMPTS_MAX})
    )
    SELECT ${LISTED_COLUMNS}, d.found, d."attemptsJson"
    FROM tried AS d ${JOINS}
    WHERE d.place = 1 OR d.bytes <= ${PAGE_ATTEMPTS_MAX_BYTES}
    ORDER BY d.place`
  const last = rows.at(-1)
  return {
    entries: rows.map(textOf),
    next: last !== undefined && last.found > rows.length ? [String(last.position)] : undefined,
  }
}

function textOf({ attemptsJson, found: _found, ...row }: TextRow): string {
  return `${JSON.stringify(listedDelivery(row)).slice(0, -1)},"attempts":${attemptsJson}}`
}
