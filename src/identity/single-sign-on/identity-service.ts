import type { User } from '../../base/database/generated/client.ts'
import { type Db, inTransaction } from '../../base/database/transaction.ts'
import type { Actor } from '../../base/values/actor.ts'
import {
  EMAIL_MAX_LENGTH,
  isOwnSpelling,
  isReserved,
  normalEmail,
} from '../../base/values/email.ts'
import { displayProblem } from '../../base/values/text.ts'
import type { Deps } from '../../deps.ts'
import { takeUser, takeUserByEmail } from '../accounts/users-service.ts'
import { recordAudit } from '../audit/record-audit-service.ts'
import { NO_PASSWORD_HASH } from '../auth/passwords.ts'
import type { SignedInUser } from '../auth/user-login-service.ts'
import { lockUnprovedLinks, takeOver } from '../people/take-over-service.ts'
import type { Identity } from './provider-service.ts'
import { refusedSignIn } from './refusals.ts'

/** OpenID Connect Core 1.0, 2: at most 255 ASCII characters. */
const SUBJECT_MAX_LENGTH = 255

type Accept = (
  tx: Db,
  person: { email: string; name: string | undefined },
  address: string,
) => Promise<User | undefined>

/**
 * The user who a person of the provider is. The first time, that is who has the same email or is
 * invited by it, if the provider has verified it; from then on the person is known by issuer and
 * subject, whatever becomes of either address. Never makes a user who was not invited. A user whose
 * address nobody has proved is taken over: whoever made the user signs in no more.
 *
 * @param address where the sign-in comes from
 * @param accept makes the user of an address that is invited, in a transaction
 * @throws AppError sign_in_refused
 */
export async function userOfIdentity(
  deps: Pick<Deps, 'db' | 'now'>,
  identity: Identity,
  address: string,
  accept: Accept,
): Promise<SignedInUser> {
  const { subject } = identity
  if (
    subject === '' ||
    subject.length > SUBJECT_MAX_LENGTH ||
    displayProblem(subject, 'line') !== null
  ) {
    throw refusedSignIn('The provider names you in a way that we cannot keep.')
  }
  const user =
    (await findLinked(deps.db, identity)) ?? (await link(deps, identity, address, accept))
  requireActive(user)
  const { id, name, email, tokenGeneration } = user
  return { id, name, email, tokenGeneration }
}

/**
 * The name of the provider that a user signs in with, perhaps beside a password of the own;
 * undefined for a user who never did.
 */
export async function providerOfUser(
  { db, identityProvider }: Pick<Deps, 'db' | 'identityProvider'>,
  userId: string,
): Promise<string | undefined> {
  if (identityProvider === undefined) return undefined
  return (await db.userIdentity.count({ where: { userId } })) > 0
    ? identityProvider.name
    : undefined
}

/**
 * Forgets who at the provider a user is, and ends the user's sessions and tokens: the next person
 * with the verified email is linked.
 *
 * @throws AppError not_found
 */
export async function unlinkIdentities(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  actor: Actor,
): Promise<{ unlinked: number }> {
  return inTransaction(db, async (tx) => {
    await takeUser(tx, userId)
    const { count: unlinked } = await tx.userIdentity.deleteMany({ where: { userId } })
    if (unlinked > 0) {
      // A browser that was identified just before gets no session either.
      const data = { tokenGeneration: { increment: 1 } }
      await tx.user.update({ where: { id: userId }, data })
      await tx.session.deleteMany({ where: { userId } })
      const subject = { kind: 'user', id: userId }
      await recordAudit(tx, { actor, action: 'user.identity_unlinked', subject })
    }
    return { unlinked }
  })
}

/** @throws AppError sign_in_refused */
function requireActive({ suspendedAt }: User): void {
  if (suspendedAt === null) return
  throw refusedSignIn('Your user is suspended. Ask the operator of this marketplace.')
}

async function findLinked(db: Db, { issuer, subject }: Identity) {
  const found = await db.userIdentity.findUnique({
    where: { issuer_subject: { issuer, subject } },
    select: { user: true },
  })
  return found?.user
}

/** Two first sign-ins of different people at once: the unique keys let one of them in. */
async function link(
  deps: Pick<Deps, 'db' | 'now'>,
  identity: Identity,
  address: string,
  accept: Accept,
): Promise<User> {
  const { email, isEmailVerified } = identity
  if (email === undefined) {
    throw refusedSignIn(
      'The provider did not send your email address. Add one there, then sign in again, or ask ' +
        'the operator of this marketplace.',
    )
  }
  if (isEmailVerified === undefined) {
    throw refusedSignIn(
      'The provider does not say whether it has verified your email address. Ask the operator of ' +
        'this marketplace, whose guide says what to do (OIDC_TRUST_EMAIL).',
    )
  }
  if (!isEmailVerified) {
    throw refusedSignIn(
      'The provider has not verified your email address. Verify it there, then sign in again.',
    )
  }
  const normal = normalEmail(email)
  const attempt = () =>
    inTransaction(deps.db, (tx) =>
      linkByEmail({ ...deps, db: tx }, identity, normal, address, accept),
    )
  const isPersons = isOwnSpelling(email) && !isReserved(normal)
  const isEmail = isPersons && displayProblem(normal, 'line') === null
  // When nobody was found, the user may have been made meanwhile: in another tab, or by a link.
  const user = isEmail ? ((await attempt()) ?? (await attempt())) : undefined
  if (user !== undefined) return user
  // The address says which of several accounts at the provider it was.
  const which = isEmail && normal.length <= EMAIL_MAX_LENGTH ? ` ${normal}` : ''
  throw refusedSignIn(
    `No user of this marketplace has your email address${which}. Ask its operator to invite you. ` +
      'To come with another account, sign out at the provider first.',
  )
}

/**
 * @param deps in a transaction
 * @returns undefined when the email is no user's and not invited
 */
async function linkByEmail(
  deps: Pick<Deps, 'db' | 'now'>,
  identity: Identity,
  email: string,
  address: string,
  accept: Accept,
): Promise<User | undefined> {
  const { db: tx } = deps
  const { issuer, subject, name } = identity
  await lockUnprovedLinks(tx, email)
  const user = (await takeUserByEmail(tx, email)) ?? (await accept(tx, { email, name }, address))
  if (user === undefined) return undefined
  requireActive(user)
  const { count } = await tx.userIdentity.createMany({
    data: { issuer, subject, userId: user.id },
    skipDuplicates: true,
  })
  if (count === 0) {
    const linked = await findLinked(tx, identity)
    if (linked?.id === user.id) return user
    throw refusedSignIn(
      'Another person of the provider already signs in as this user. Ask the operator of this ' +
        'marketplace to end that.',
    )
  }
  const actor: Actor = { kind: 'user', id: user.id, address }
  await recordAudit(tx, {
    actor,
    action: 'user.identity_linked',
    subject: { kind: 'user', id: user.id },
    after: { issuer, subject },
  })
  return user.emailProved ? user : takeOver(deps, user, NO_PASSWORD_HASH, actor)
}
