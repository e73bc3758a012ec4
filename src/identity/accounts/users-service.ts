import type { Prisma, User } from '../../base/database/generated/client.ts'
import { type Db, inTransaction } from '../../base/database/transaction.ts'
import { type Actor, SYSTEM } from '../../base/values/actor.ts'
import { parseInput, unprocessable } from '../../base/values/field-errors.ts'
import {
  BY_CREATION,
  nameOrEmailHas,
  pageOf,
  rowsToRead,
  suspendedIs,
} from '../../base/values/keyset.ts'
import { CREATED, type Orders, orderOf } from '../../base/values/list-order.ts'
import type { Page, PageRequest } from '../../base/values/page-of-list.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { recordAudit } from '../audit/record-audit-service.ts'
import { requireHardToGuess } from '../auth/guessable-password-service.ts'
import { generatePassword } from '../auth/passwords.ts'
import { passwordsOff } from '../auth/passwords-off.ts'
import { endLinks, lockUserLinks } from '../links/link-tokens-service.ts'
import { recordMembership } from './members/memberships-service.ts'
import {
  type CreatedUser,
  suspensionOf,
  type UserRecord,
  unlessChosen,
  type WithPassword,
} from './operator-records.ts'
import { BOTH_ROLES, UserChange, UserRequest } from './operator-requests.ts'
import { holdOpenParties } from './parties-service.ts'
import { emailNotProved } from './proved-email-service.ts'
import { inUse, refusingDuplicates, requireOperatorStill } from './refusals-service.ts'

const MEMBERSHIPS = {
  memberships: { select: { partyId: true, role: true }, orderBy: { partyId: 'asc' } },
} as const satisfies Prisma.UserInclude

export type UserFilters = {
  q?: string | undefined
  email?: string | undefined
  partyId?: number | undefined
  suspended?: boolean | undefined
}

type NewUser = Omit<UserRequest, 'partyIds'> & { partyIds?: readonly number[] | undefined }

const ORDERS = { created: CREATED, email: [{ name: 'email' }] } as const satisfies Orders

/** Users in the order of their creation unless another one is asked for. */
export async function listUsers(
  { db }: Pick<Deps, 'db'>,
  filters: UserFilters,
  page: PageRequest,
): Promise<Page<UserRecord>> {
  const { where, orderBy, positionOf } = orderOf(ORDERS, page)
  const rows = await db.user.findMany({
    where: { AND: [usersWith(filters), where] },
    include: MEMBERSHIPS,
    orderBy,
    take: rowsToRead(page.limit, filters.q),
  })
  return pageOf(rows, page.limit, userOf, positionOf)
}

/** How many users there are with these filters, up to a number that means that or more. */
export function countUsers(
  { db }: Pick<Deps, 'db'>,
  filters: UserFilters,
  max: number,
): Promise<number> {
  return db.user.count({ where: usersWith(filters), orderBy: BY_CREATION, take: max })
}

function usersWith({ q, email, partyId, suspended }: UserFilters): Prisma.UserWhereInput {
  return {
    AND: [
      q === undefined ? {} : nameOrEmailHas(q),
      email === undefined ? {} : { email },
      partyId === undefined ? {} : { memberships: { some: { partyId } } },
      suspendedIs(suspended),
      { removedAt: null },
    ],
  }
}

/** @throws AppError not_found */
export async function readUser({ db }: Pick<Deps, 'db'>, id: string): Promise<UserRecord> {
  const row = await db.user.findUnique({ where: { id, removedAt: null }, include: MEMBERSHIPS })
  if (row === null) throw new AppError('not_found', { detail: 'There is no such user.' })
  return userOf(row)
}

/**
 * Makes a user as an operator asks for it, and answers a password only if it was generated. Where
 * users have no passwords, the user gets none, and signs in by single sign-on.
 *
 * @throws AppError password_login_off when a password is given there; as `createUser`
 */
export async function createUserByOperator(
  deps: Pick<Deps, 'db' | 'passwords' | 'config'>,
  input: NewUser,
  actor: Actor,
): Promise<CreatedUser> {
  if (deps.config.passwordLogin) return unlessChosen(input, await createUser(deps, input, actor))
  if (input.password !== undefined) throw passwordsOff()
  // Nobody learns the random one.
  return { ...(await createUser(deps, input, actor)), password: null }
}

/**
 * Makes a user who signs in with email and password, and makes it a member of parties.
 *
 * @param actor who does it; the marketplace itself unless given
 * @throws AppError already_exists when the email is in use; unprocessable, also when a party is
 *   unknown or closed
 */
export async function createUser(
  { db, passwords }: Pick<Deps, 'db' | 'passwords'>,
  input: NewUser,
  actor: Actor = SYSTEM,
): Promise<WithPassword<CreatedUser>> {
  const given = parseInput(UserRequest, { ...input, partyIds: [...(input.partyIds ?? [])] })
  if (given.password !== undefined) requireHardToGuess(given.password, [given.email, given.name])
  const password = given.password ?? generatePassword()
  const passwordHash = await passwords.hash(password, actor)
  return { ...(await storeUser(db, { ...given, passwordHash }, actor)), password }
}

/**
 * Stores a new user, whose input has been checked, as a member of parties.
 *
 * @throws AppError already_exists, unprocessable when a party is unknown or closed
 */
export function storeUser(
  db: Db,
  given: Omit<UserRequest, 'password'> & { passwordHash: string },
  actor: Actor,
): Promise<UserRecord> {
  const { email, name, passwordHash, operator = false, support = false } = given
  const partyIds = [...new Set(given.partyIds)]
  return refusingDuplicates(inUse('/email'), () =>
    inTransaction(db, async (tx) => {
      await requireOperatorStill(tx, actor)
      const named = given.partyIds.map((id, index) => ({ id, pointer: `/partyIds/${index}` }))
      const errors = await holdOpenParties(tx, named)
      if (errors.length > 0) throw unprocessable(errors)
      const memberships = { create: partyIds.map((partyId) => ({ partyId })) }
      const row = await tx.user.create({
        data: { email, name, passwordHash, operator, support, memberships },
        include: MEMBERSHIPS,
      })
      await recordAudit(tx, {
        actor,
        action: 'user.created',
        subject: { kind: 'user', id: row.id },
        after: { email, name, operator, support, partyIds },
      })
      for (const { partyId, role } of row.memberships) {
        await recordMembership(tx, actor, { userId: row.id, partyId, role })
      }
      return userOf(row)
    }),
  )
}

/**
 * Changes the name and the email of a user, and whether it is an operator or support, from the next
 * request on. A new email ends the open links of the user, and leaves sessions and tokens. At least
 * one operator can always sign in, and operators cannot take the role from themselves. Nobody gets a
 * role whose email nobody has proved.
 *
 * @throws AppError already_exists when the email is in use; operator_needed, email_not_proved;
 *   unprocessable, not_found
 */
export async function changeUser(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  id: string,
  input: UserChange,
  actor: Actor,
): Promise<UserRecord> {
  const wanted = parseInput(UserChange, input)
  const change = async (tx: Db) => {
    // Before the user is held, in the order in which the use of a link holds both.
    if (wanted.email !== undefined) await endLinksTo({ db: tx, now }, id, wanted.email)
    const { owner, ...user } = await takeUser(tx, id)
    const { name = user.name, email = user.email } = wanted
    const { operator = user.operator, support = user.support } = wanted
    // Whose email an operator writes or has checked counts as its owner.
    const emailProved = user.emailProved || email !== user.email || wanted.emailProved === true
    if (operator && support) throw unprocessable([{ pointer: '/support', detail: BOTH_ROLES }])
    if (user.operator && !operator) {
      refuseOneself(actor, user.id)
      if (user.suspendedAt === null) await requireAnotherOperator(tx, user.id)
    }
    const given = operator && !user.operator ? '/operator' : '/support'
    const isGiven = (operator && !user.operator) || (support && !user.support)
    if (isGiven && !emailProved) throw emailNotProved(given)
    const before = {
      ...(name !== user.name && { name: user.name }),
      ...(email !== user.email && { email: user.email }),
      ...(operator !== user.operator && { operator: user.operator }),
      ...(support !== user.support && { support: user.support }),
      ...(emailProved !== user.emailProved && { emailProved: user.emailProved }),
    }
    if (Object.keys(before).length > 0) {
      await tx.user.update({ where: { id }, data: { name, email, emailProved, operator, support } })
      await recordAudit(tx, {
        actor,
        action: 'user.changed',
        subject: { kind: 'user', id: user.id },
        ...owner,
        before,
        after: {
          ...('name' in before && { name }),
          ...('email' in before && { email }),
          ...('operator' in before && { operator }),
          ...('support' in before && { support }),
          ...('emailProved' in before && { emailProved }),
        },
      })
    }
    return readUser({ db: tx }, id)
  }
  return refusingDuplicates(inUse('/email'), () => inTransaction(db, change))
}

/** Ends the open links of a user who gets another email than the present one. */
async function endLinksTo(
  { db: tx, now }: Pick<Deps, 'db' | 'now'>,
  userId: string,
  email: string,
): Promise<void> {
  await lockUserLinks(tx, userId)
  await endLinks({ db: tx, now }, { userId, user: { email: { not: email } } })
}

/**
 * Locks a user until the end of the transaction.
 *
 * @throws AppError not_found
 */
export async function takeUser(tx: Db, id: string) {
  await tx.$queryRaw`SELECT 1 FROM users WHERE id = ${id}::uuid FOR UPDATE`
  const row = await tx.user.findUnique({ where: { id, removedAt: null } })
  if (row === null) throw new AppError('not_found', { detail: 'There is no such user.' })
  return { ...row, owner: {} }
}

/** Locks the user with an email, if there is one, until the end of the transaction. */
export async function takeUserByEmail(tx: Db, email: string): Promise<User | null> {
  await tx.$queryRaw`SELECT 1 FROM users WHERE email = ${email} FOR UPDATE`
  return tx.user.findUnique({ where: { email } })
}

/**
 * Refuses a change after which no operator could sign in. When two operators stop each other at the
 * same moment, they take turns, and the second one is refused. The caller has locked the user's
 * row.
 *
 * @throws AppError operator_needed
 */
export async function requireAnotherOperator(tx: Db, userId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('who is an operator'))`
  const others = await tx.user.count({
    where: { operator: true, suspendedAt: null, id: { not: userId } },
  })
  if (others > 0) return
  const detail = 'This is the only operator who can sign in. Make another user an operator first.'
  throw new AppError('operator_needed', {
    detail,
    errors: [{ pointer: '/operator', detail }],
  })
}

function refuseOneself(actor: Actor, userId: string): void {
  if (actor.kind !== 'operator' || actor.id !== userId) return
  const detail = 'You cannot take the operator flag from yourself. Ask another operator.'
  throw new AppError('operator_needed', { detail, errors: [{ pointer: '/operator', detail }] })
}

function userOf(row: Prisma.UserGetPayload<{ include: typeof MEMBERSHIPS }>): UserRecord {
  const { id, email, emailProved, name, operator, support, memberships, createdAt } = row
  const partyIds = memberships.map(({ partyId }) => partyId)
  const roles = { operator, support, partyIds, memberships }
  return { id, email, emailProved, name, ...roles, ...suspensionOf(row), createdAt }
}
