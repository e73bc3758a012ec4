import { PAGE_BYTES_MAX } from '../../base/database/page-bytes.ts'
import { hold } from '../../base/fair-share/deadline.ts'
import { LONG_CHARACTERS, nextTick } from '../../base/fair-share/next-tick.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { eventJson, type StoredEvent } from './event-record.ts'
import type { EventType } from './event-types.ts'

/** Which events of a developer's log are asked for. */
export type EventsAsked = {
  developerId: string
  /** Events after this position; without it, after where the consumer is. */
  after?: number | undefined
  /** Without either, or where it has no place yet, all events that are kept. */
  consumer?: string | undefined
  appId?: string | undefined
  installationId?: string | undefined
  types?: readonly EventType[] | undefined
  limit: number
}

export type EventsPage = {
  /** The JSON text of each event, oldest first. */
  events: string[]
  /** The position to go on after. */
  next: number
}

type ReadDeps = Pick<Deps, 'pool' | 'config'>

/** What an event has beside its `data`, about. */
const OTHER_BYTES = 400

/**
 * The events of a developer's log after a position: at most `limit`, and no more than fit into one
 * page by their bytes. The log and its events are read in one snapshot, so that a page has no gap
 * and `next` skips nothing: it is the last event of a full page, otherwise the end of the log,
 * however few events the filters let through.
 *
 * @throws AppError cursor_expired when events after the position are no longer kept,
 *   invalid_cursor when the log has not come so far
 */
async function readEvents({ pool, config }: ReadDeps, asked: EventsAsked): Promise<EventsPage> {
  const { after, consumer, limit } = asked
  const { sql, values } = conditionsOf(asked)
  // OFFSET 0: the consumer is looked up once, not for every event.
  const { rows } = await pool.query<LogRow>(
    `SELECT l.position AS head, l.forgotten, s.start, e.*
     FROM event_logs l
     CROSS JOIN LATERAL (
       SELECT coalesce($2::bigint, (
         SELECT position FROM event_consumers WHERE developer_id = l.developer_id AND name = $3
       ), l.forgotten) AS start
       OFFSET 0
     ) AS s
     LEFT JOIN LATERAL (
       SELECT e.*, count(*) OVER ()::int AS found, sum(e.size) OVER (ORDER BY e.position)::int AS sum
       FROM (
         SELECT ${EVENT_COLUMNS}, octet_length(e.data::text) + ${OTHER_BYTES} AS size FROM events e
         WHERE e.developer_id = l.developer_id AND e.position > s.start${sql}
         ORDER BY e.position LIMIT $4
       ) AS e
     ) AS e ON e.sum <= ${PAGE_BYTES_MAX} OR e.sum = e.size
     WHERE l.developer_id = $1
     ORDER BY e.position`,
    [asked.developerId, after ?? null, consumer ?? null, limit, ...values],
  )
  // Without a row nothing has happened yet.
  const { head, forgotten, start } = rows[0] ?? { head: '0', forgotten: '0', start: after ?? '0' }
  requireKept(Number(start), Number(forgotten))
  if (Number(start) > Number(head)) throw notReached(Number(start))
  const page = rows.filter((row): row is LogRow & FoundEvent => row.id !== null)
  const last = page.at(-1)
  const isLast = last === undefined || (last.found < limit && last.found === page.length)
  if (last !== undefined && last.sum > LONG_CHARACTERS) {
    hold(last.sum)
    await nextTick()
  }
  return {
    events: page.map((row) => eventJson(row, config.publicUrl)),
    next: Number(isLast ? head : last.position),
  }
}

/** SQL of the columns of an event `e` that make a `StoredEvent`. */
const EVENT_COLUMNS = `e.id, e.type, e.at, e.position, e.app_id AS "appId",
  e.installation_id AS "installationId", e.party_id AS "partyId", e.party_type AS "partyType",
  e.sequence, e.endpoint_id AS "endpointId", e.data`

/**
 * An event with how many were found, those that the page has no room for included, and the bytes of
 * the page up to it.
 */
type FoundEvent = StoredEvent & { found: number; sum: number }

type LogRow = { head: string; forgotten: string; start: string } & (
  | FoundEvent
  | { [Column in keyof FoundEvent]: null }
)

function conditionsOf({ appId, installationId, types }: EventsAsked) {
  const values: unknown[] = []
  const parameter = (value: unknown) => `$${values.push(value) + 4}`
  const conditions = [
    appId !== undefined && `e.app_id = ${parameter(appId)}::text`,
    installationId !== undefined && `e.installation_id = ${parameter(installationId)}::uuid`,
    types !== undefined && `e.type = ANY (${parameter(types)}::text[])`,
  ]
  return { sql: conditions.map((one) => (one ? ` AND ${one}` : '')).join(''), values }
}

/**
 * As `readEvents`; when there is nothing, waits for the next event that fits.
 *
 * @param wait for how long at most (0: not at all), and a signal that the client has gone
 * @throws AppError as `readEvents`; too_many_requests, unavailable when too many wait already
 */
export async function awaitEvents(
  deps: ReadDeps & Pick<Deps, 'eventWaits'>,
  asked: EventsAsked,
  { ms, signal }: { ms: number; signal: AbortSignal },
): Promise<{ page: EventsPage; hasWaited: boolean }> {
  let page = await readEvents(deps, asked)
  if (page.events.length > 0 || ms === 0) return { page, hasWaited: false }
  const untilMs = performance.now() + ms
  const place = deps.eventWaits.take(asked.developerId)
  try {
    while (page.events.length === 0) {
      const leftMs = untilMs - performance.now()
      if (leftMs <= 0 || !(await place.until(page.next, leftMs, signal))) break
      page = await readEvents(deps, { ...asked, after: page.next })
    }
    return { page, hasWaited: true }
  } finally {
    place.leave()
  }
}

/**
 * Checks that all events after a position are still there.
 *
 * @param forgotten the last position whose event was removed
 * @throws AppError cursor_expired
 */
export function requireKept(position: number, forgotten: number): void {
  if (position >= forgotten) return
  const oldestPosition = forgotten + 1
  throw new AppError('cursor_expired', {
    detail:
      `Events before position ${oldestPosition} are no longer kept. Go on after ` +
      `position ${forgotten}, and read the records that you may have missed changes of.`,
    members: { oldestPosition },
  })
}

function notReached(position: number): AppError {
  return new AppError('invalid_cursor', {
    detail: 'Take positions from events of your own, or from the Link header.',
    errors: [{ pointer: '/after', detail: `Your log has no position ${position} yet.` }],
  })
}
