import type { Prisma } from '../../../base/database/generated/client.ts'
import type { Db } from '../../../base/database/transaction.ts'
import { type ExpectedRevisions, isExpected } from '../../../base/values/etags.ts'
import { BY_CREATION, createdAfter, creationPosition, pageOf } from '../../../base/values/keyset.ts'
import { COUNTED_MAX, type Page, type PageRequest } from '../../../base/values/page-of-list.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { type Endpoint, endpointOf } from './endpoint.ts'

/** An endpoint, and the developer and app that it must belong to. */
export type EndpointSubject = { developerId: string; appId: string; endpointId: string }
/** An endpoint that is to be changed, and the revisions that the caller means, if it sent any. */
export type EndpointToChange = EndpointSubject & { expectedRevisions?: ExpectedRevisions }

/** The columns that records show; none is secret. */
export const ENDPOINT_COLUMNS = {
  id: true,
  appId: true,
  developerId: true,
  url: true,
  eventTypes: true,
  ordered: true,
  headerNames: true,
  disabledAt: true,
  disabledReason: true,
  failingSince: true,
  restingUntil: true,
  lastSuccessAt: true,
  lastFailureAt: true,
  lastFailure: true,
  previousSecretUntil: true,
  revision: true,
  createdAt: true,
  updatedAt: true,
} as const satisfies Prisma.WebhookEndpointSelect

export type StoredEndpoint = Prisma.WebhookEndpointGetPayload<{ select: typeof ENDPOINT_COLUMNS }>

/** An endpoint and the revision that makes its ETag. */
export type EndpointAndRevision = { endpoint: Endpoint; revision: number }

/**
 * The endpoints of a developer's app, oldest first.
 *
 * @throws AppError not_found when the developer has no such app
 */
export async function listEndpoints(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { developerId, appId }: Omit<EndpointSubject, 'endpointId'>,
  { after, limit }: PageRequest,
): Promise<Page<Endpoint>> {
  const app = await db.app.count({ where: { id: appId, developerId, deletedAt: null } })
  if (app === 0) throw new AppError('not_found')
  const rows = await db.webhookEndpoint.findMany({
    where: { appId, developerId, ...createdAfter(after) },
    select: ENDPOINT_COLUMNS,
    orderBy: BY_CREATION,
    take: limit + 1,
  })
  const pending = await countPending(db, rows)
  return pageOf(
    rows,
    limit,
    (row) => endpointOf(row, pending.get(row.id) ?? 0, now()),
    creationPosition,
  )
}

/** @throws AppError not_found */
export async function readEndpoint(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  subject: EndpointSubject,
): Promise<EndpointAndRevision> {
  return endpointRecord({ db, now }, await findEndpoint(db, subject))
}

/** The record of a row, with the number of its waiting deliveries. */
export async function endpointRecord(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  row: StoredEndpoint,
): Promise<EndpointAndRevision> {
  const pending = await countPending(db, [row])
  return { endpoint: endpointOf(row, pending.get(row.id) ?? 0, now()), revision: row.revision }
}

/** @throws AppError not_found, the same for an unknown endpoint and for another developer's */
export async function findEndpoint(
  db: Db,
  { developerId, appId, endpointId }: EndpointSubject,
): Promise<StoredEndpoint> {
  const row = await db.webhookEndpoint.findFirst({
    where: { id: endpointId, appId, developerId, app: { deletedAt: null } },
    select: ENDPOINT_COLUMNS,
  })
  if (row === null) throw new AppError('not_found')
  return row
}

/**
 * Reads an endpoint and locks its row, so that its changes follow each other. Deliveries can still
 * be created: they refer to its key, which never changes.
 *
 * @throws AppError not_found, precondition_failed
 */
export async function lockEndpoint(tx: Db, subject: EndpointToChange): Promise<StoredEndpoint> {
  await tx.$queryRaw`
    SELECT 1 FROM webhook_endpoints WHERE id = ${subject.endpointId}::uuid FOR NO KEY UPDATE`
  return findEndpointToChange(tx, subject)
}

/** @throws AppError not_found, precondition_failed */
export async function findEndpointToChange(
  db: Db,
  { expectedRevisions, ...subject }: EndpointToChange,
): Promise<StoredEndpoint> {
  const row = await findEndpoint(db, subject)
  if (isExpected(expectedRevisions, row.revision)) return row
  throw new AppError('precondition_failed', {
    detail: 'The webhook endpoint has changed since it was read. Read it again and retry.',
  })
}

/**
 * Keeps others from numbering the developer's events until the transaction ends: no delivery is
 * created meanwhile, and the next statement sees all that were created before.
 */
export async function holdEventLog(tx: Db, developerId: string): Promise<void> {
  await tx.$queryRaw`
    SELECT 1 FROM event_logs WHERE developer_id = ${developerId}::uuid FOR UPDATE`
}

/** @throws AppError conflict when the endpoint is disabled */
export function requireEnabled({ disabledAt }: Pick<StoredEndpoint, 'disabledAt'>): void {
  if (disabledAt === null) return
  throw new AppError('conflict', {
    detail: 'The webhook endpoint is disabled. Enable it first.',
  })
}

/** How many deliveries wait, at most COUNTED_MAX each: endpoint id -> count. */
export async function countPending(
  db: Db,
  endpoints: readonly { id: string }[],
): Promise<Map<string, number>> {
  const ids = endpoints.map(({ id }) => id)
  const rows = await db.$queryRaw<{ id: string; pending: number }[]>`
    SELECT e.id, (
      SELECT count(*)::int FROM (
        SELECT 1 FROM webhook_deliveries d
        WHERE d.endpoint_id = e.id AND d.status = 'pending' LIMIT ${COUNTED_MAX}
      ) AS waiting
    ) AS pending
    FROM unnest(${ids}::uuid[]) AS e (id)`
  return new Map(rows.map(({ id, pending }) => [id, pending]))
}
