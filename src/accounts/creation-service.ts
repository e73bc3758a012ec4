import { randomBytes } from 'node:crypto'
import { recordAudit } from '../audit/record-audit-service.ts'
import { generatePassword } from '../auth/passwords.ts'
import { violatedConstraint } from '../database/failures.ts'
import { type Db, inTransaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { AppError, type FieldError } from '../errors.ts'
import { addSampleProducts } from '../products/sample-service.ts'
import { type Actor, SYSTEM } from '../values/actor.ts'
import {
  type CreatedDeveloper,
  type CreatedUser,
  type PartyRecord,
  suspensionOf,
} from './operator-records.ts'
import {
  Connection,
  checked,
  DeveloperRequest,
  PartyRequest,
  UserRequest,
} from './operator-requests.ts'

type OperatorDeps = Pick<Deps, 'db' | 'passwords'>

/**
 * Makes a developer with its first credential and its sandbox party with sample products.
 *
 * @param input without clientId one is made from the name, without password a random one
 * @param actor who does it; the command line is the system itself
 * @throws AppError already_exists when the clientId was ever in use; unprocessable
 */
export async function createDeveloper(
  { db, passwords }: OperatorDeps,
  input: DeveloperRequest,
  actor: Actor = SYSTEM,
): Promise<CreatedDeveloper> {
  const { name, clientId = newClientId(name), ...given } = checked(DeveloperRequest, input)
  const password = given.password ?? generatePassword()
  const passwordHash = await passwords.hash(password, actor)
  const developer = await refusingDuplicates(inUse('/clientId'), () =>
    inTransaction(db, async (tx) => {
      const sandbox = await tx.party.create({ data: { name: sandboxName(name), type: 'None' } })
      await addSampleProducts(tx, sandbox.id)
      const made = await tx.developer.create({
        data: {
          name,
          sandboxPartyId: sandbox.id,
          credentials: { create: { clientId, passwordHash, slot: 1 } },
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
 * Makes an account. Sandbox parties are made with their developer only.
 *
 * @param actor who does it; the command line is the system itself
 * @throws AppError unprocessable
 */
export async function createParty(
  { db }: Pick<Deps, 'db'>,
  input: Omit<PartyRequest, 'type'> & { type: string },
  actor: Actor = SYSTEM,
): Promise<PartyRecord & { type: PartyRequest['type'] }> {
  const data = checked(PartyRequest, input as PartyRequest)
  return inTransaction(db, async (tx) => {
    const row = await tx.party.create({ data })
    await recordAudit(tx, {
      actor,
      action: 'party.created',
      subject: { kind: 'party', id: row.id },
      partyId: row.id,
      after: data,
    })
    return { id: row.id, ...data, ...suspensionOf(row), createdAt: row.createdAt }
  })
}

/**
 * Makes a user who signs in with email and password, and makes it a member of parties.
 *
 * @param actor who does it; the command line is the system itself
 * @throws AppError already_exists when the email is in use; unprocessable, also when a party is
 *   unknown
 */
export async function createUser(
  { db, passwords }: OperatorDeps,
  input: Omit<UserRequest, 'partyIds'> & { partyIds?: readonly number[] | undefined },
  actor: Actor = SYSTEM,
): Promise<CreatedUser> {
  const given = checked(UserRequest, { ...input, partyIds: [...(input.partyIds ?? [])] })
  const { email, name, operator = false } = given
  await requireParties(db, given.partyIds)
  const partyIds = [...new Set(given.partyIds)]
  const password = given.password ?? generatePassword()
  const passwordHash = await passwords.hash(password, actor)
  return refusingDuplicates(inUse('/email'), () =>
    inTransaction(db, async (tx) => {
      const memberships = { create: partyIds.map((partyId) => ({ partyId })) }
      const row = await tx.user.create({
        data: { email, name, passwordHash, operator, memberships },
      })
      await recordAudit(tx, {
        actor,
        action: 'user.created',
        subject: { kind: 'user', id: row.id },
        after: { email, name, operator, partyIds },
      })
      for (const partyId of partyIds) await recordMembership(tx, actor, row.id, partyId)
      const { id, createdAt } = row
      return { id, email, name, operator, partyIds, ...suspensionOf(row), createdAt, password }
    }),
  )
}

/** The entry that tells a party of its new member. */
export async function recordMembership(
  tx: Db,
  actor: Actor,
  userId: string,
  partyId: number,
): Promise<void> {
  await recordAudit(tx, {
    actor,
    action: 'membership.created',
    subject: { kind: 'membership', id: `${userId}/${partyId}` },
    partyId,
    after: { userId, partyId },
  })
}

/**
 * Lets a Buyer see the products of a Seller. Each of the two has an entry in its audit trail.
 *
 * @param actor who does it; the command line is the system itself
 * @throws AppError already_exists; unprocessable when either is unknown or of another type
 */
export async function createConnection(
  { db }: Pick<Deps, 'db'>,
  input: Connection,
  actor: Actor = SYSTEM,
): Promise<Connection> {
  const { buyerId, sellerId } = checked(Connection, input)
  const parties = await db.party.findMany({ where: { id: { in: [buyerId, sellerId] } } })
  const typeOf = (id: number) => parties.find((party) => party.id === id)?.type
  const errors: FieldError[] = []
  if (typeOf(buyerId) !== 'Buyer') errors.push({ pointer: '/buyerId', detail: 'is no Buyer' })
  if (typeOf(sellerId) !== 'Seller') errors.push({ pointer: '/sellerId', detail: 'is no Seller' })
  if (errors.length > 0) throw broken(errors)
  await refusingDuplicates({ pointer: '/sellerId', detail: 'They are connected already.' }, () =>
    inTransaction(db, async (tx) => {
      await tx.connection.create({ data: { buyerId, sellerId } })
      for (const partyId of [buyerId, sellerId]) {
        await recordAudit(tx, {
          actor,
          action: 'connection.created',
          subject: { kind: 'connection', id: `${buyerId}/${sellerId}` },
          partyId,
          after: { buyerId, sellerId },
        })
      }
    }),
  )
  return { buyerId, sellerId }
}

async function requireParties(db: Db, ids: readonly number[]): Promise<void> {
  const found = await db.party.findMany({ where: { id: { in: [...ids] } }, select: { id: true } })
  const known = new Set(found.map(({ id }) => id))
  const errors = ids.flatMap((id, index) =>
    known.has(id) ? [] : [{ pointer: `/partyIds/${index}`, detail: 'There is no such party.' }],
  )
  if (errors.length > 0) throw broken(errors)
}

/** @param errors what the database knows to be wrong with a well-formed input */
export function broken(errors: readonly FieldError[]): AppError {
  return new AppError('unprocessable', { detail: 'The input has problems.', errors })
}

/**
 * The database decides who was first; the other one hears it as 409.
 *
 * @param problem what the other one is told
 */
export async function refusingDuplicates<T>(
  problem: FieldError,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (violatedConstraint(error) === undefined) throw error
    const { detail } = problem
    throw new AppError('already_exists', { detail, errors: [problem], cause: error })
  }
}

/** The problem of a name that somebody else has. */
export function inUse(pointer: string): FieldError {
  return { pointer, detail: 'It is in use already.' }
}

/** A client id that nobody has, recognisable by the name it was made from. */
export function newClientId(name: string): string {
  return `${slugOf(name)}-${randomBytes(4).toString('hex')}`
}

/** What the sandbox of a developer is called. */
export function sandboxName(name: string): string {
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
