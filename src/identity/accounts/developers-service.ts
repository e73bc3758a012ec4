import { randomBytes } from 'node:crypto'
import type { Prisma } from '../../base/database/generated/client.ts'
import { type Db, inTransaction } from '../../base/database/transaction.ts'
import { type Actor, SYSTEM } from '../../base/values/actor.ts'
import { parseInput } from '../../base/values/field-errors.ts'
import {
  BY_CREATION,
  closedIs,
  pageOf,
  rowsToRead,
  suspendedIs,
  textIn,
} from '../../base/values/keyset.ts'
import { CREATED, type Orders, orderOf } from '../../base/values/list-order.ts'
import type { Page, PageRequest } from '../../base/values/page-of-list.ts'
import { searchForm } from '../../base/values/text-forms/canonical.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { recordAudit } from '../audit/record-audit-service.ts'
import { requireHardToGuess } from '../auth/guessable-password-service.ts'
import { passwordOf } from './credential-password.ts'
import {
  CREDENTIAL_COLUMNS,
  type CreatedDeveloper,
  type DeveloperRecord,
  suspensionOf,
  type WithPassword,
} from './operator-records.ts'
import { DeveloperChange, DeveloperRequest } from './operator-requests.ts'
import { takeName } from './parties-service.ts'
import { inUse, refusingDuplicates, requireOperatorStill } from './refusals-service.ts'

const LIVE_CREDENTIALS = {
  credentials: {
    where: { removedAt: null },
    select: CREDENTIAL_COLUMNS,
    orderBy: BY_CREATION,
  },
} as const satisfies Prisma.DeveloperInclude

export type DeveloperFilters = {
  q?: string | undefined
  suspended?: boolean | undefined
  /** What is closed is suspended, too. */
  closed?: boolean | undefined
}

const ORDERS = { created: CREATED } as const satisfies Orders

/** Developers in the order of their creation unless another one is asked for, with their live credentials. */
export async function listDevelopers(
  { db }: Pick<Deps, 'db'>,
  filters: DeveloperFilters,
  page: PageRequest,
): Promise<Page<DeveloperRecord>> {
  const { where, orderBy, positionOf } = orderOf(ORDERS, page)
  const rows = await db.developer.findMany({
    where: { AND: [developersWith(filters), where] },
    include: LIVE_CREDENTIALS,
    orderBy,
    take: rowsToRead(page.limit, filters.q),
  })
  return pageOf(rows, page.limit, developerOf, positionOf)
}

/** How many developers there are with these filters, up to a number that means that or more. */
export function countDevelopers(
  { db }: Pick<Deps, 'db'>,
  filters: DeveloperFilters,
  max: number,
): Promise<number> {
  return db.developer.count({ where: developersWith(filters), orderBy: BY_CREATION, take: max })
}

function developersWith({ q, suspended, closed }: DeveloperFilters): Prisma.DeveloperWhereInput {
  return {
    AND: [q === undefined ? {} : textIn(['name'], q), suspendedIs(suspended), closedIs(closed)],
  }
}

/** The first developers with a name, upper and lower case alike, in the order of their creation. */
export async function listDeveloperNamesakes(
  { db }: Pick<Deps, 'db'>,
  name: string,
  limit: number,
): Promise<{ id: string; name: string }[]> {
  return db.$queryRaw<{ id: string; name: string }[]>`
    SELECT id, name FROM developers WHERE lower(name) = lower(${searchForm(name)})
    ORDER BY created_at, id LIMIT ${limit}`
}

/** @throws AppError not_found */
export async function readDeveloper(
  { db }: Pick<Deps, 'db'>,
  id: string,
): Promise<DeveloperRecord> {
  const row = await db.developer.findUnique({ where: { id }, include: LIVE_CREDENTIALS })
  if (row === null) throw new AppError('not_found', { detail: 'There is no such developer.' })
  return developerOf(row)
}

/** The developer that has, or had, this `clientId`. */
export async function findDeveloperByClientId(
  { db }: Pick<Deps, 'db'>,
  clientId: string,
): Promise<DeveloperRecord | undefined> {
  const found = await db.developerCredential.findUnique({
    where: { clientId },
    select: { developer: { include: LIVE_CREDENTIALS } },
  })
  return found === null ? undefined : developerOf(found.developer)
}

/**
 * Makes a developer with its first credential and its sandbox party with sample products.
 *
 * @param input a missing clientId is made from the name, a missing password is random
 * @param actor who does it; the marketplace itself unless given
 * @param requireName what the name has to be, asked in the transaction: the password is hashed before
 *   it begins, because a hash would keep locks and a connection for long
 * @throws AppError already_exists when the clientId was ever in use; unprocessable
 */
export async function createDeveloper(
  { db, passwords, fillSandbox }: Pick<Deps, 'db' | 'passwords' | 'fillSandbox'>,
  input: DeveloperRequest,
  actor: Actor = SYSTEM,
  requireName: (tx: Db) => Promise<void> = async () => {},
): Promise<WithPassword<CreatedDeveloper>> {
  const { name, clientId = newClientId(name), ...given } = parseInput(DeveloperRequest, input)
  if (given.password !== undefined) requireHardToGuess(given.password, [name, clientId])
  const { password, secretSha256 } = passwordOf(given)
  const passwordHash = await passwords.hash(password, actor)
  const developer = await refusingDuplicates(inUse('/clientId'), () =>
    inTransaction(db, async (tx) => {
      await requireName(tx)
      await requireOperatorStill(tx, actor)
      const sandbox = await tx.party.create({ data: { name: sandboxName(name), type: 'None' } })
      await fillSandbox(tx, sandbox.id)
      const made = await tx.developer.create({
        data: {
          name,
          sandboxPartyId: sandbox.id,
          credentials: { create: { clientId, passwordHash, secretSha256, slot: 1 } },
        },
      })
      await recordAudit(tx, {
        actor,
        action: 'developer.created',
        subject: { kind: 'developer', id: made.id },
        developerId: made.id,
        partyId: sandbox.id,
        after: { name, clientId, sandboxPartyId: sandbox.id },
      })
      return made
    }),
  )
  return { id: developer.id, name, clientId, password, sandboxPartyId: developer.sandboxPartyId }
}

/**
 * Changes the name of a developer, and the name of its sandbox while that is still named after the
 * developer.
 *
 * @throws AppError unprocessable, not_found
 */
export async function changeDeveloper(
  { db }: Pick<Deps, 'db'>,
  id: string,
  input: DeveloperChange,
  actor: Actor,
): Promise<DeveloperRecord> {
  const { name } = parseInput(DeveloperChange, input)
  return inTransaction(db, async (tx) => {
    const { owner, ...developer } = await takeDeveloper(tx, id)
    if (name !== developer.name) {
      await tx.developer.update({ where: { id }, data: { name } })
      const sandbox = { id: developer.sandboxPartyId, name: sandboxName(developer.name) }
      await takeName(tx, sandbox.id)
      const { count } = await tx.party.updateMany({
        where: sandbox,
        data: { name: sandboxName(name) },
      })
      await recordAudit(tx, {
        actor,
        action: 'developer.changed',
        subject: { kind: 'developer', id: developer.id },
        ...owner,
        ...(count > 0 && { partyId: sandbox.id }),
        before: { name: developer.name },
        after: { name },
      })
    }
    return readDeveloper({ db: tx }, id)
  })
}

/**
 * Locks a developer until the end of the transaction, so that nobody else changes it; what belongs
 * to it goes on being made.
 *
 * @throws AppError not_found
 */
export async function takeDeveloper(tx: Db, id: string) {
  await tx.$queryRaw`SELECT 1 FROM developers WHERE id = ${id}::uuid FOR NO KEY UPDATE`
  const row = await tx.developer.findUnique({ where: { id } })
  if (row === null) throw new AppError('not_found', { detail: 'There is no such developer.' })
  return { ...row, owner: { developerId: row.id } }
}

/**
 * Keeps a developer from being closed in the rest of the transaction.
 *
 * @throws AppError conflict when it is closed already; not_found
 */
export async function holdOpenDeveloper(tx: Db, id: string): Promise<void> {
  const [developer] = await tx.$queryRaw<{ isClosed: boolean }[]>`
    SELECT closed_at IS NOT NULL AS "isClosed" FROM developers WHERE id = ${id}::uuid FOR KEY SHARE`
  if (developer === undefined) {
    throw new AppError('not_found', { detail: 'There is no such developer.' })
  }
  if (developer.isClosed) throw new AppError('conflict', { detail: 'The developer is closed.' })
}

/** A client id that is free, made from the name so that people recognise it. */
export function newClientId(name: string): string {
  return `${slugOf(name)}-${randomBytes(4).toString('hex')}`
}

/** The name of a developer's sandbox. */
function sandboxName(name: string): string {
  return `${name} (sandbox)`
}

function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return slug.slice(0, 40) || 'developer'
}

type DeveloperRow = Prisma.DeveloperGetPayload<{ include: typeof LIVE_CREDENTIALS }>

function developerOf(row: DeveloperRow): DeveloperRecord {
  const { id, name, sandboxPartyId, closedAt, credentials, createdAt } = row
  return { id, name, sandboxPartyId, ...suspensionOf(row), closedAt, credentials, createdAt }
}
