import { Prisma } from '../../../base/database/generated/client.ts'
import type { Db } from '../../../base/database/transaction.ts'
import { pageOf } from '../../../base/values/keyset.ts'
import type { Page, PageRequest } from '../../../base/values/page-of-list.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { type EndpointSubject, findEndpoint } from '../endpoints/read-endpoints-service.ts'
import {
  type AttemptRow,
  type Delivery,
  type DeliveryFilters,
  type DeliveryRow,
  type DeliveryWithAttempts,
  deliveryName,
  deliveryOf,
  deliveryWithAttemptsOf,
} from './delivery.ts'

/** A delivery, and the developer, app and endpoint that it must belong to. */
export type DeliverySubject = EndpointSubject & { deliveryId: string }

/** A delivery with its last attempt, whose columns are null when there was none. */
export type ListedRow = DeliveryRow & {
  [Column in keyof AttemptRow as `last_${Column}`]: AttemptRow[Column] | null
}

/**
 * The deliveries of an endpoint with their last attempts, newest event first.
 *
 * @throws AppError not_found
 */
export async function listDeliveries(
  { db }: Pick<Deps, 'db'>,
  subject: EndpointSubject,
  filters: DeliveryFilters,
  { after, limit }: PageRequest,
): Promise<Page<Delivery>> {
  const { id } = await findEndpoint(db, subject)
  const rows = await db.$queryRaw<ListedRow[]>`
    SELECT ${LISTED_COLUMNS}
    FROM (${newestDeliveries(id, filters, { after, limit })}) AS d ${JOINS}
    ORDER BY d.position DESC`
  return pageOf(rows, limit, listedDelivery, ({ position }) => [String(position)])
}

/**
 * How many deliveries of an endpoint there are with these filters, up to a number that means that or
 * more.
 *
 * @throws AppError not_found
 */
export async function countDeliveries(
  { db }: Pick<Deps, 'db'>,
  subject: EndpointSubject,
  filters: DeliveryFilters,
  max: number,
): Promise<number> {
  const { id } = await findEndpoint(db, subject)
  const found = newestDeliveries(id, filters, { after: undefined, limit: max - 1 })
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (${found}) AS d`
  return row?.count ?? 0
}

/** SQL: the columns of a `ListedRow`, from a delivery `d` and what JOINS adds. */
export const LISTED_COLUMNS = Prisma.sql`
  d.id, d.event_id AS "eventId", d.type, e.at AS timestamp, d.position,
  d.installation_id AS "installationId", d.status, d.attempts, d.due_at AS "dueAt",
  d.created_at AS "createdAt", d.finished_at AS "finishedAt",
  a.number AS last_number, a.at AS last_at, a.duration_ms AS "last_durationMs",
  a.outcome AS last_outcome, a.status AS last_status, a.reason AS last_reason`

/** SQL: the event `e` and the last attempt `a` of a delivery `d`. */
export const JOINS = Prisma.sql`
  JOIN events e ON e.id = d.event_id
  LEFT JOIN LATERAL (
    SELECT * FROM webhook_attempts WHERE delivery_id = d.id ORDER BY number DESC LIMIT 1
  ) AS a ON true`

/** SQL: the deliveries of a page, and one more if there is one. */
export function newestDeliveries(
  endpointId: string,
  filters: DeliveryFilters,
  { after, limit }: PageRequest,
): Prisma.Sql {
  const { source, position } = filters.installationId === undefined ? OF_ALL : OF_INSTALLATION
  const conditions = [
    Prisma.sql`d.endpoint_id = ${endpointId}::uuid`,
    ...(after === undefined ? [] : [Prisma.sql`${position} < ${BigInt(after[0] ?? 0)}`]),
    ...conditionsOf(filters),
  ]
  return Prisma.sql`
    SELECT d.* FROM ${source} WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY ${position} DESC LIMIT ${limit + 1}`
}

/** The record of a delivery that was read with its last attempt. */
export function listedDelivery(row: ListedRow): Delivery {
  return deliveryOf(row, lastAttemptOf(row))
}

/**
 * A delivery with every attempt.
 *
 * @throws AppError not_found
 */
export async function readDelivery(
  { db }: Pick<Deps, 'db'>,
  subject: DeliverySubject,
): Promise<DeliveryWithAttempts> {
  await findEndpoint(db, subject)
  return deliveryRecord(db, subject)
}

/**
 * Those of some deliveries that are of an endpoint: id -> what each is called.
 *
 * @throws AppError not_found
 */
export async function findDeliveries(
  { db }: Pick<Deps, 'db'>,
  subject: EndpointSubject,
  ids: readonly string[],
): Promise<Map<string, { name: string }>> {
  const { id: endpointId } = await findEndpoint(db, subject)
  const rows = await db.webhookDelivery.findMany({
    where: { id: { in: [...ids] }, endpointId },
    select: { id: true, type: true, position: true },
    orderBy: { position: 'asc' },
  })
  return new Map(rows.map(({ id, ...one }) => [id, { name: deliveryName(one) }]))
}

/** @throws AppError not_found when the endpoint has no such delivery */
export async function deliveryRecord(
  db: Db,
  { endpointId, deliveryId }: Pick<DeliverySubject, 'endpointId' | 'deliveryId'>,
): Promise<DeliveryWithAttempts> {
  const row = await db.webhookDelivery.findFirst({
    where: { id: deliveryId, endpointId },
    include: { event: { select: { at: true } }, log: { orderBy: { number: 'asc' } } },
  })
  if (row === null) throw new AppError('not_found')
  return deliveryWithAttemptsOf({ ...row, timestamp: row.event.at }, row.log)
}

const OF_ALL = {
  source: Prisma.sql`webhook_deliveries d`,
  position: Prisma.sql`d.position`,
}
/** The events of one installation have an index in their order, which its deliveries have not. */
const OF_INSTALLATION = {
  source: Prisma.sql`events i JOIN webhook_deliveries d ON d.event_id = i.id`,
  position: Prisma.sql`i.position`,
}

function conditionsOf({ status, type, installationId, since }: DeliveryFilters): Prisma.Sql[] {
  return [
    status !== undefined && Prisma.sql`d.status = ${status}`,
    type !== undefined && Prisma.sql`d.type = ${type}`,
    installationId !== undefined && Prisma.sql`i.installation_id = ${installationId}::uuid`,
    since !== undefined && Prisma.sql`d.created_at >= ${new Date(since)}`,
  ].filter((one) => one !== false)
}

function lastAttemptOf(row: ListedRow): AttemptRow | undefined {
  const { last_number: number, last_at: at, last_outcome: outcome } = row
  if (number === null || at === null || outcome === null) return undefined
  return {
    number,
    at,
    outcome,
    durationMs: row.last_durationMs ?? 0,
    status: row.last_status,
    reason: row.last_reason,
  }
}
