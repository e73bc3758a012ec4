import { COUNTED_MAX } from '../../base/values/page-of-list.ts'
import type { Deps } from '../../deps.ts'

type ReadDeps = Pick<Deps, 'db'>

const SUSPENDED = { suspendedAt: { not: null } }
/** What is closed, and who is removed, is marked as suspended, too. */
const OPEN = { closedAt: null }
const THERE = { removedAt: null }
const FIRST_IDS = { orderBy: { id: 'asc' as const }, take: COUNTED_MAX }
const FIRST_CREATED = {
  orderBy: [{ createdAt: 'asc' as const }, { id: 'asc' as const }],
  take: COUNTED_MAX,
}

/**
 * How many developers, parties and users there are, and how many of them are suspended; counts up
 * to COUNTED_MAX. Closed ones count, but not as suspended. Order and conditions are those of an
 * index, so that Postgres reads nothing but the index.
 */
export async function countAccounts({ db }: ReadDeps) {
  const [developers, parties, users, suspendedDevelopers, suspendedParties, suspendedUsers] =
    await Promise.all([
      db.developer.count(FIRST_CREATED),
      db.party.count(FIRST_IDS),
      db.user.count({ where: THERE, ...FIRST_CREATED }),
      db.developer.count({ where: { ...SUSPENDED, ...OPEN }, ...FIRST_CREATED }),
      db.party.count({ where: { ...SUSPENDED, ...OPEN }, ...FIRST_IDS }),
      db.user.count({ where: { ...SUSPENDED, ...THERE }, ...FIRST_CREATED }),
    ])
  return {
    developers: { all: developers, suspended: suspendedDevelopers },
    parties: { all: parties, suspended: suspendedParties },
    users: { all: users, suspended: suspendedUsers },
  }
}

/** The names of parties: id -> name and type. */
export async function namesOfParties({ db }: ReadDeps, ids: readonly number[]) {
  const where = { id: { in: [...ids] } }
  const rows = await db.party.findMany({ where, select: { id: true, name: true, type: true } })
  return new Map(rows.map(({ id, name, type }) => [id, { name, type }]))
}

/** The names of users, and whether they are removed: id -> name. */
export async function namesOfUsers({ db }: ReadDeps, ids: readonly string[]) {
  const where = { id: { in: [...ids] } }
  const rows = await db.user.findMany({ where, select: { id: true, name: true, removedAt: true } })
  return new Map(rows.map(({ id, name, removedAt }) => [id, { name, isGone: removedAt !== null }]))
}

/** Those of some users who act for a party: id -> name. */
export async function namesOfMembers({ db }: ReadDeps, partyId: number, ids: readonly string[]) {
  const where = { id: { in: [...ids] }, removedAt: null, memberships: { some: { partyId } } }
  const rows = await db.user.findMany({ where, select: { id: true, name: true } })
  return new Map(rows.map(({ id, name }) => [id, { name }]))
}

/** The names of the people in a history: id -> name. */
export async function namesOfPeople(
  deps: ReadDeps,
  entries: readonly { actor: { kind: string; id: string | null } }[],
): Promise<Map<string, string>> {
  const ids = entries.flatMap(({ actor: { kind, id } }) =>
    kind === 'user' && id !== null ? [id] : [],
  )
  const users = await namesOfUsers(deps, [...new Set(ids)])
  return new Map([...users].map(([id, { name }]) => [id, name]))
}

/** The names of developers: id -> name. */
export async function namesOfDevelopers(
  { db }: ReadDeps,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const where = { id: { in: [...ids] } }
  const rows = await db.developer.findMany({ where, select: { id: true, name: true } })
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The names of credentials: id -> client id, removed ones included. */
export async function namesOfCredentials(
  { db }: ReadDeps,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const where = { id: { in: [...ids] } }
  const rows = await db.developerCredential.findMany({
    where,
    select: { id: true, clientId: true },
  })
  return new Map(rows.map(({ id, clientId }) => [id, clientId]))
}

/** The names of the developers whose programs sign in with these: client id -> name. */
export async function developersOfClients(
  { db }: ReadDeps,
  clientIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.developerCredential.findMany({
    where: { clientId: { in: [...clientIds] } },
    select: { clientId: true, developer: { select: { name: true } } },
  })
  return new Map(rows.map(({ clientId, developer }) => [clientId, developer.name]))
}
