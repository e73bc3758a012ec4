import type { Prisma } from '../database/generated/client.ts'
import type { Db } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { createdAfter, creationPosition, pageOf, suspendedIs, textIn } from '../values/keyset.ts'
import type { Page, PageRequest } from '../values/page-of-list.ts'
import {
  type DeveloperRecord,
  type PartyRecord,
  suspensionOf,
  type UserRecord,
} from './operator-records.ts'
import type { Connection } from './operator-requests.ts'

type ReadDeps = Pick<Deps, 'db'>

const BY_CREATION = [{ createdAt: 'asc' as const }, { id: 'asc' as const }]

const LIVE_CREDENTIALS = {
  credentials: {
    where: { removedAt: null },
    select: { id: true, clientId: true, createdAt: true },
    orderBy: BY_CREATION,
  },
} as const satisfies Prisma.DeveloperInclude

export type DeveloperFilters = { q?: string | undefined; suspended?: boolean | undefined }

/** Developers in the order of their creation, with their live credentials. */
export async function listDevelopers(
  { db }: ReadDeps,
  { q, suspended }: DeveloperFilters,
  { after, limit }: PageRequest,
): Promise<Page<DeveloperRecord>> {
  const rows = await db.developer.findMany({
    where: {
      AND: [
        q === undefined ? {} : textIn(['name'], q),
        suspendedIs(suspended),
        createdAfter(after),
      ],
    },
    include: LIVE_CREDENTIALS,
    orderBy: BY_CREATION,
    take: limit + 1,
  })
  return pageOf(rows, limit, developerOf, creationPosition)
}

/** @throws AppError not_found */
export async function readDeveloper({ db }: ReadDeps, id: string): Promise<DeveloperRecord> {
  const row = await db.developer.findUnique({ where: { id }, include: LIVE_CREDENTIALS })
  if (row === null) throw new AppError('not_found', { detail: 'There is no such developer.' })
  return developerOf(row)
}

type DeveloperRow = Prisma.DeveloperGetPayload<{ include: typeof LIVE_CREDENTIALS }>

function developerOf(row: DeveloperRow): DeveloperRecord {
  const { id, name, sandboxPartyId, credentials, createdAt } = row
  return { id, name, sandboxPartyId, ...suspensionOf(row), credentials, createdAt }
}

export type PartyFilters = {
  q?: string | undefined
  type?: PartyRecord['type'] | undefined
  suspended?: boolean | undefined
  /** Only those connected with this party. */
  partnerId?: number | undefined
  /** Only those that this user is a member of. */
  memberId?: string | undefined
}

/** Parties in the order of their ids, sandbox parties included. */
export async function listParties(
  { db }: ReadDeps,
  { q, type, suspended, partnerId, memberId }: PartyFilters,
  { after, limit }: PageRequest,
): Promise<Page<PartyRecord>> {
  const rows = await db.party.findMany({
    where: {
      ...(q === undefined ? {} : textIn(['name'], q)),
      ...(type === undefined ? {} : { type }),
      ...suspendedIs(suspended),
      ...(partnerId === undefined ? {} : await partnersOf(db, partnerId)),
      ...(memberId === undefined ? {} : { memberships: { some: { userId: memberId } } }),
      ...(after === undefined ? {} : { id: { gt: Number(after[0]) } }),
    },
    orderBy: { id: 'asc' },
    take: limit + 1,
  })
  return pageOf(rows, limit, partyOf, ({ id }) => [id])
}

/** The first parties of a name, in capitals or not, in the order of their ids. */
export async function listNamesakes(
  { db }: ReadDeps,
  { name, type }: { name: string; type?: PartyRecord['type'] | undefined },
  limit: number,
): Promise<PartyRecord[]> {
  const named = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM parties
    WHERE lower(name) = lower(${name}) AND (${type ?? null}::text IS NULL OR type::text = ${type ?? null})
    ORDER BY id LIMIT ${limit}`
  const where = { id: { in: named.map(({ id }) => id) } }
  return (await db.party.findMany({ where, orderBy: { id: 'asc' } })).map(partyOf)
}

/** Condition of the parties that a party is connected with: a Buyer's are Sellers. */
async function partnersOf(db: Db, id: number): Promise<Prisma.PartyWhereInput> {
  const party = await db.party.findUnique({ where: { id }, select: { type: true } })
  return party?.type === 'Buyer'
    ? { buyers: { some: { buyerId: id } } }
    : { sellers: { some: { sellerId: id } } }
}

/** @throws AppError not_found */
export async function readParty({ db }: ReadDeps, id: number): Promise<PartyRecord> {
  const row = await db.party.findUnique({ where: { id } })
  if (row === null) throw new AppError('not_found', { detail: 'There is no such party.' })
  return partyOf(row)
}

function partyOf(row: Prisma.PartyGetPayload<object>): PartyRecord {
  const { id, name, type, createdAt } = row
  return { id, name, type, ...suspensionOf(row), createdAt }
}

const MEMBERSHIPS = {
  memberships: { select: { partyId: true }, orderBy: { partyId: 'asc' } },
} as const satisfies Prisma.UserInclude

export type UserFilters = {
  q?: string | undefined
  email?: string | undefined
  partyId?: number | undefined
  suspended?: boolean | undefined
}

/** Users in the order of their creation. */
export async function listUsers(
  { db }: ReadDeps,
  { q, email, partyId, suspended }: UserFilters,
  { after, limit }: PageRequest,
): Promise<Page<UserRecord>> {
  const rows = await db.user.findMany({
    where: {
      AND: [
        q === undefined ? {} : textIn(['name', 'email'], q),
        email === undefined ? {} : { email },
        partyId === undefined ? {} : { memberships: { some: { partyId } } },
        suspendedIs(suspended),
        createdAfter(after),
      ],
    },
    include: MEMBERSHIPS,
    orderBy: BY_CREATION,
    take: limit + 1,
  })
  return pageOf(rows, limit, userOf, creationPosition)
}

/** @throws AppError not_found */
export async function readUser({ db }: ReadDeps, id: string): Promise<UserRecord> {
  const row = await db.user.findUnique({ where: { id }, include: MEMBERSHIPS })
  if (row === null) throw new AppError('not_found', { detail: 'There is no such user.' })
  return userOf(row)
}

function userOf(row: Prisma.UserGetPayload<{ include: typeof MEMBERSHIPS }>): UserRecord {
  const { id, email, name, operator, memberships, createdAt } = row
  const partyIds = memberships.map(({ partyId }) => partyId)
  return { id, email, name, operator, partyIds, ...suspensionOf(row), createdAt }
}

export type ConnectionFilters = { buyerId?: number | undefined; sellerId?: number | undefined }

/** Connections in the order of Buyer and Seller. */
export async function listConnections(
  { db }: ReadDeps,
  { buyerId, sellerId }: ConnectionFilters,
  { after, limit }: PageRequest,
): Promise<Page<Connection>> {
  const rows = await db.connection.findMany({
    where: {
      ...(buyerId === undefined ? {} : { buyerId }),
      ...(sellerId === undefined ? {} : { sellerId }),
      ...(after === undefined
        ? {}
        : {
            // An index can begin there; in an alternative it cannot.
            AND: { buyerId: { gte: Number(after[0]) } },
            OR: [
              { buyerId: { gt: Number(after[0]) } },
              { buyerId: Number(after[0]), sellerId: { gt: Number(after[1]) } },
            ],
          }),
    },
    select: { buyerId: true, sellerId: true },
    orderBy: [{ buyerId: 'asc' }, { sellerId: 'asc' }],
    take: limit + 1,
  })
  return pageOf(
    rows,
    limit,
    (row) => row,
    (row) => [row.buyerId, row.sellerId],
  )
}
