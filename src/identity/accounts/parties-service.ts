import type { Prisma } from '../../base/database/generated/client.ts'
import { type Db, inTransaction } from '../../base/database/transaction.ts'
import { type Actor, SYSTEM } from '../../base/values/actor.ts'
import { parseInput } from '../../base/values/field-errors.ts'
import { closedIs, pageOf, rowsToRead, suspendedIs, textIn } from '../../base/values/keyset.ts'
import { type Orders, orderOf } from '../../base/values/list-order.ts'
import type { Page, PageRequest } from '../../base/values/page-of-list.ts'
import { searchForm } from '../../base/values/text-forms/canonical.ts'
import type { Deps } from '../../deps.ts'
import { AppError, type FieldError } from '../../errors.ts'
import { recordAudit } from '../audit/record-audit-service.ts'
import { type PartyRecord, suspensionOf } from './operator-records.ts'
import { PartyChange, PartyRequest } from './operator-requests.ts'

export type PartyFilters = {
  q?: string | undefined
  type?: PartyRecord['type'] | undefined
  /** Without those that only their developers are offered. */
  withoutSandboxes?: boolean | undefined
  suspended?: boolean | undefined
  /** What is closed is suspended, too. */
  closed?: boolean | undefined
  /** Only those connected with this party. */
  partnerId?: number | undefined
  /** Only those that this user is a member of. */
  memberId?: string | undefined
}

/** Which parties somebody can mean. */
export type PartyKind = Pick<PartyFilters, 'type' | 'withoutSandboxes'>

/** Ids rise with the time of creation. */
const ORDERS = { created: [{ name: 'id' }] } as const satisfies Orders

/** Parties in the order of their ids unless another one is asked for, sandbox parties included. */
export async function listParties(
  { db }: Pick<Deps, 'db'>,
  filters: PartyFilters,
  page: PageRequest,
): Promise<Page<PartyRecord>> {
  const { where, orderBy, positionOf } = orderOf(ORDERS, page)
  const rows = await db.party.findMany({
    where: { AND: [await partiesWith(db, filters), where] },
    orderBy,
    take: rowsToRead(page.limit, filters.q),
  })
  return pageOf(rows, page.limit, partyOf, positionOf)
}

/** How many parties there are with these filters, up to a number that means that or more. */
export async function countParties(
  { db }: Pick<Deps, 'db'>,
  filters: PartyFilters,
  max: number,
): Promise<number> {
  return db.party.count({
    where: await partiesWith(db, filters),
    orderBy: { id: 'asc' },
    take: max,
  })
}

async function partiesWith(db: Db, filters: PartyFilters): Promise<Prisma.PartyWhereInput> {
  const { q, type, withoutSandboxes, suspended, closed, partnerId, memberId } = filters
  return {
    ...(q === undefined ? {} : textIn(['name'], q)),
    ...(type === undefined ? {} : { type }),
    ...(withoutSandboxes && { AND: { type: { not: 'None' } } }),
    ...suspendedIs(suspended),
    ...closedIs(closed),
    ...(partnerId === undefined ? {} : await partnersOf(db, partnerId)),
    ...(memberId === undefined ? {} : { memberships: { some: { userId: memberId } } }),
  }
}

/** The first parties with a name, upper and lower case alike, in the order of their ids. */
export async function listNamesakes(
  { db }: Pick<Deps, 'db'>,
  { name, type, withoutSandboxes = false }: { name: string } & PartyKind,
  limit: number,
): Promise<PartyRecord[]> {
  const named = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM parties
    WHERE lower(name) = lower(${searchForm(name)}) AND (${type ?? null}::text IS NULL OR type::text = ${type ?? null})
      AND NOT (${withoutSandboxes} AND type = 'None')
    ORDER BY id LIMIT ${limit}`
  const where = { id: { in: named.map(({ id }) => id) } }
  return (await db.party.findMany({ where, orderBy: { id: 'asc' } })).map(partyOf)
}

/** @throws AppError not_found */
export async function readParty({ db }: Pick<Deps, 'db'>, id: number): Promise<PartyRecord> {
  const row = await db.party.findUnique({ where: { id } })
  if (row === null) throw new AppError('not_found', { detail: 'There is no such party.' })
  return partyOf(row)
}

/**
 * Makes an account. Sandbox parties are made with their developer only.
 *
 * @param actor who does it; the marketplace itself unless given
 * @throws AppError unprocessable
 */
export async function createParty(
  { db }: Pick<Deps, 'db'>,
  input: Omit<PartyRequest, 'type'> & { type: string },
  actor: Actor = SYSTEM,
): Promise<PartyRecord & { type: PartyRequest['type'] }> {
  const data = parseInput(PartyRequest, input as PartyRequest)
  return inTransaction(db, async (tx) => {
    const row = await tx.party.create({ data })
    await recordAudit(tx, {
      actor,
      action: 'party.created',
      subject: { kind: 'party', id: row.id },
      partyId: row.id,
      after: data,
    })
    const { id, closedAt, createdAt } = row
    return { id, ...data, ...suspensionOf(row), closedAt, createdAt }
  })
}

/**
 * Gives a party another name.
 *
 * @throws AppError unprocessable, not_found
 */
export async function changeParty(
  { db }: Pick<Deps, 'db'>,
  id: number,
  input: PartyChange,
  actor: Actor,
): Promise<PartyRecord> {
  const { name } = parseInput(PartyChange, input)
  return inTransaction(db, async (tx) => {
    await takeName(tx, id)
    const { owner, ...party } = await takeParty(tx, id)
    if (name !== party.name) {
      await tx.party.update({ where: { id }, data: { name } })
      await recordAudit(tx, {
        actor,
        action: 'party.changed',
        subject: { kind: 'party', id },
        ...owner,
        before: { name: party.name },
        after: { name },
      })
    }
    return readParty({ db: tx }, id)
  })
}

/**
 * Locks a party until the end of the transaction, so that nobody else changes it; what belongs to it
 * goes on being made.
 *
 * @throws AppError not_found
 */
export async function takeParty(tx: Db, id: number) {
  await tx.$queryRaw`SELECT 1 FROM parties WHERE id = ${id} FOR NO KEY UPDATE`
  const row = await tx.party.findUnique({
    where: { id },
    include: { sandboxOf: { select: { id: true } } },
  })
  if (row === null) throw new AppError('not_found', { detail: 'There is no such party.' })
  return { ...row, owner: { partyId: row.id, developerId: row.sandboxOf?.id } }
}

/**
 * Waits for transactions that write the name of a party down beside it, and keeps others from it:
 * the change of the name mends what is written. The row would not do, for imports hold it.
 */
export async function takeName(tx: Db, id: number): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('name of a party'), ${id}::int)`
}

/** Keeps the name of a party as it is until the end of the transaction, which writes it down. */
export async function holdName(tx: Db, id: number): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(hashtext('name of a party'), ${id}::int)`
}

/**
 * Keeps parties from being closed in the rest of the transaction, so that something can be made that
 * refers to them.
 *
 * @param named each with where the input names it
 * @returns what is wrong: one is unknown, or closed
 */
export async function holdOpenParties(
  tx: Db,
  named: readonly { id: number; pointer: string }[],
): Promise<FieldError[]> {
  const rows = await tx.$queryRaw<{ id: number; isClosed: boolean }[]>`
    SELECT id, closed_at IS NOT NULL AS "isClosed" FROM parties
    WHERE id = ANY(${named.map(({ id }) => id)}::int[]) ORDER BY id FOR KEY SHARE`
  return named.flatMap(({ id, pointer }) => {
    const party = rows.find((row) => row.id === id)
    if (party === undefined) return [{ pointer, detail: 'There is no such party.' }]
    return party.isClosed ? [{ pointer, detail: 'The party is closed.' }] : []
  })
}

/** Condition of the parties that a party is connected with: a Buyer's are Sellers. */
async function partnersOf(db: Db, id: number): Promise<Prisma.PartyWhereInput> {
  const party = await db.party.findUnique({ where: { id }, select: { type: true } })
  return party?.type === 'Buyer'
    ? { buyers: { some: { buyerId: id } } }
    : { sellers: { some: { sellerId: id } } }
}

function partyOf(row: Prisma.PartyGetPayload<object>): PartyRecord {
  const { id, name, type, closedAt, createdAt } = row
  return { id, name, type, ...suspensionOf(row), closedAt, createdAt }
}
