import { type Db, inTransaction } from '../../base/database/transaction.ts'
import type { Actor } from '../../base/values/actor.ts'
import { unprocessable } from '../../base/values/field-errors.ts'
import { pageOf } from '../../base/values/keyset.ts'
import type { Page, PageRequest } from '../../base/values/page-of-list.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { recordAudit } from '../../identity/audit/record-audit-service.ts'
import { CONSUMER_NAME_RULE, ConsumerName, type EventConsumer } from './event-consumer.ts'
import { requireKept } from './event-log-service.ts'

/** Consumers of one developer. */
const CONSUMERS_MAX = 100

/** A consumer of a developer's log, and who acts. */
export type ConsumerSubject = { developerId: string; name: string; actor: Actor }

/** The consumers of a developer's log, by name. */
export async function listConsumers(
  { db }: Pick<Deps, 'db'>,
  developerId: string,
  { after, limit }: PageRequest = { after: undefined, limit: CONSUMERS_MAX },
): Promise<Page<EventConsumer>> {
  const [log, consumers] = await Promise.all([
    readLog(db, developerId),
    db.eventConsumer.findMany({
      where: { developerId, ...(after && { name: { gt: String(after[0]) } }) },
      orderBy: { name: 'asc' },
      take: limit + 1,
    }),
  ])
  return pageOf(
    consumers,
    limit,
    (consumer) => consumerOf(consumer, log.position),
    ({ name }) => [name],
  )
}

/**
 * Keeps that a consumer is done with all events up to a position; back is allowed. The audit trail
 * tells of new consumers and of those that go back, but not of each step forward.
 *
 * @throws AppError cursor_expired when events after the position are no longer kept;
 *   unprocessable when the log has not come so far, the name is none, or there are too many
 */
export async function moveConsumer(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  subject: ConsumerSubject,
  position: number,
): Promise<{ consumer: EventConsumer; isNew: boolean }> {
  const { developerId, name } = subject
  if (!ConsumerName.safeParse(name).success) {
    throw new AppError('unprocessable', { detail: `The name of a consumer ${CONSUMER_NAME_RULE}.` })
  }
  return inTransaction(db, async (tx) => {
    const log = await readLog(tx, developerId)
    requireKept(position, log.forgotten)
    if (position > log.position) {
      throw unprocessable([{ pointer: '/position', detail: `must be at most ${log.position}` }])
    }
    const updatedAt = now()
    const former =
      (await holdConsumer(tx, developerId, name)) ?? (await makeRoom(tx, developerId, name))
    await tx.$executeRaw`
      INSERT INTO event_consumers (developer_id, name, position, updated_at)
      VALUES (${developerId}::uuid, ${name}, ${position}::bigint, ${updatedAt})
      ON CONFLICT (developer_id, name)
      DO UPDATE SET position = excluded.position, updated_at = excluded.updated_at`
    if (former === undefined) await audit(tx, subject, 'created', { after: { position } })
    else if (position < former) {
      await audit(tx, subject, 'moved_back', { before: { position: former }, after: { position } })
    }
    return {
      consumer: consumerOf({ name, position, updatedAt }, log.position),
      isNew: former === undefined,
    }
  })
}

/** @throws AppError not_found */
export async function removeConsumer(
  { db }: Pick<Deps, 'db'>,
  subject: ConsumerSubject,
): Promise<void> {
  const { developerId, name } = subject
  await inTransaction(db, async (tx) => {
    const position = await holdConsumer(tx, developerId, name)
    if (position === undefined) {
      throw new AppError('not_found', { detail: 'You have no consumer of this name.' })
    }
    await tx.eventConsumer.deleteMany({ where: { developerId, name } })
    await audit(tx, subject, 'removed', { before: { position } })
  })
}

async function readLog(db: Db, developerId: string) {
  const log = await db.eventLog.findUnique({ where: { developerId } })
  return { position: Number(log?.position ?? 0), forgotten: Number(log?.forgotten ?? 0) }
}

/** The position of a consumer that nobody else moves in this transaction, if there is one. */
async function holdConsumer(tx: Db, developerId: string, name: string) {
  const [row] = await tx.$queryRaw<{ position: bigint }[]>`
    SELECT position FROM event_consumers
    WHERE developer_id = ${developerId}::uuid AND name = ${name} FOR UPDATE`
  return row && Number(row.position)
}

/**
 * Makes sure that a developer may have one more consumer. Those who make consumers take turns.
 *
 * @returns the position of the consumer, when somebody else has made it meanwhile
 * @throws AppError unprocessable
 */
async function makeRoom(tx: Db, developerId: string, name: string) {
  await tx.$queryRaw`
    SELECT 1 FROM developers WHERE id = ${developerId}::uuid FOR NO KEY UPDATE`
  const position = await holdConsumer(tx, developerId, name)
  if (position !== undefined) return position
  if ((await tx.eventConsumer.count({ where: { developerId } })) < CONSUMERS_MAX) return undefined
  throw new AppError('unprocessable', {
    detail: `A developer has at most ${CONSUMERS_MAX} consumers. Remove one first.`,
  })
}

function audit(
  tx: Db,
  { developerId, name, actor }: ConsumerSubject,
  what: 'created' | 'moved_back' | 'removed',
  change: { before?: { position: number }; after?: { position: number } },
): Promise<void> {
  return recordAudit(tx, {
    actor,
    action: `event_consumer.${what}`,
    subject: { kind: 'event_consumer', id: name },
    developerId,
    ...change,
  })
}

type StoredConsumer = { name: string; position: bigint | number; updatedAt: Date }

function consumerOf({ name, position, updatedAt }: StoredConsumer, head: number): EventConsumer {
  // The log may have grown since it was read.
  const behind = Math.max(0, head - Number(position))
  return { name, position: Number(position), behind, updatedAt }
}
