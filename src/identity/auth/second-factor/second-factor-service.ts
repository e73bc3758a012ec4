import { type Db, inTransaction } from '../../../base/database/transaction.ts'
import type { Actor } from '../../../base/values/actor.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import type { AuditAction } from '../../audit/audit-actions.ts'
import { recordAudit } from '../../audit/record-audit-service.ts'
import { passwordsOff } from '../passwords-off.ts'
import { checkUserPassword } from '../user-login-service.ts'
import { wrongOwnPassword } from '../wrong-own-password.ts'
import {
  checkFactor,
  countGuess,
  type FactorDeps,
  secretOf,
  stepOfFactor,
} from './check-factor-service.ts'
import { factorCodeOf, newRecoveryCodes } from './factor-code.ts'
import { hasSecondFactor, mustHaveFactor } from './factor-policy-service.ts'
import type { BegunFactor, RecoveryCodes, SecondFactor } from './second-factor.ts'
import { factorSecretContext, newTotpSecret, totpUri } from './totp.ts'

/** How long a new secret waits for its first code. */
const ENROLMENT_SECONDS = 900
/** How long a sign-in stands in for the password of a user who has none. */
const FRESH_SIGN_IN_SECONDS = 600

/** A user's own second factor. */
export async function readSecondFactor(
  deps: Pick<Deps, 'db' | 'config'>,
  userId: string,
): Promise<SecondFactor> {
  const factor = await deps.db.secondFactor.findUnique({
    where: { userId },
    include: { _count: { select: { recoveryCodes: true } } },
  })
  const enabledAt = factor?.confirmedAt ?? null
  return {
    enabled: enabledAt !== null,
    enabledAt,
    recoveryCodesLeft: factor?._count.recoveryCodes ?? 0,
    required: await mustHaveFactor(deps, userId),
  }
}

/**
 * Makes a new secret for a user who gives the password: a stolen session or token alone is not
 * enough. No code is asked for until `confirmEnrolment`.
 *
 * @param address where the password comes from
 * @throws AppError password_login_off where users have no passwords: an old one is not even looked
 *   at; unprocessable when the password is wrong, too_many_requests, unavailable; already_exists when
 *   a second factor is on
 */
export async function beginEnrolment(
  deps: FactorDeps & Pick<Deps, 'pool' | 'config' | 'passwords' | 'measures'>,
  userId: string,
  { password }: { password: string },
  address: string,
): Promise<BegunFactor> {
  if (!deps.config.passwordLogin) throw passwordsOff()
  const { email } = await userOf(deps.db, userId)
  const caller = { kind: 'user', id: userId }
  const user = await checkUserPassword(deps, { email, password }, address, caller)
  if (user === undefined) throw wrongOwnPassword()
  return storeNewSecret(deps, { id: userId, email })
}

/**
 * Whether a user can give a password: not where there are none, and not whoever signs in through the
 * provider of single sign-on, and may never have chosen one. Where there is no provider any more,
 * everybody has signed in with one.
 */
export async function givesPassword(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  userId: string,
): Promise<boolean> {
  if (config.oidcIssuer === undefined) return config.passwordLogin
  return config.passwordLogin && (await db.userIdentity.count({ where: { userId } })) === 0
}

/**
 * Does the same for a user without a password who has just signed in. An older session, which may be
 * stolen, is not enough.
 *
 * @param sessionId of the user's browser
 * @throws AppError conflict when the sign-in was too long ago; already_exists
 */
export async function beginEnrolmentAfterSignIn(
  deps: FactorDeps,
  userId: string,
  sessionId: Uint8Array<ArrayBuffer>,
): Promise<BegunFactor> {
  const { db, now } = deps
  const since = new Date(now().getTime() - FRESH_SIGN_IN_SECONDS * 1000)
  const session = await db.session.findFirst({
    where: { id: sessionId, userId, createdAt: { gt: since } },
    select: { user: { select: { id: true, email: true } } },
  })
  if (session === null) {
    throw new AppError('conflict', {
      detail: 'You signed in more than 10 minutes ago. Sign out, sign in again, then turn it on.',
    })
  }
  return storeNewSecret(deps, session.user)
}

async function storeNewSecret(
  { db, secrets, now }: FactorDeps,
  { id: userId, email }: { id: string; email: string },
): Promise<BegunFactor> {
  const secret = newTotpSecret()
  const sealed = new Uint8Array(secrets.encrypt(Buffer.from(secret), factorSecretContext(userId)))
  const time = now()
  const stored = await db.$executeRaw`
    INSERT INTO second_factors AS f (user_id, secret, guesses_since, created_at)
    VALUES (${userId}::uuid, ${sealed}, ${time}, ${time})
    ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, created_at = excluded.created_at
    WHERE f.confirmed_at IS NULL`
  if (stored === 0) throw alreadyOn()
  return { secret, uri: totpUri(secret, email) }
}

/** How a new second factor is confirmed, beside the code. */
type Confirming = {
  /** The id of the session that goes on; it counts as one that gave a code. */
  keptSession?: Uint8Array<ArrayBuffer> | undefined
  /** The secret that the user was shown: another one may have taken its place since. */
  shown?: string | undefined
}

/**
 * Turns the second factor on with a first code of the authenticator app. All other sessions and all
 * tokens of the user end: they were opened and made without it.
 *
 * @throws AppError invalid_credentials, too_many_requests; already_exists when it is on; conflict
 *   when there is no new secret, or not any more
 */
export async function confirmEnrolment(
  deps: FactorDeps,
  userId: string,
  typed: string,
  actor: Actor,
  { keptSession, shown }: Confirming = {},
): Promise<RecoveryCodes> {
  const { db, now } = deps
  const since = new Date(now().getTime() - ENROLMENT_SECONDS * 1000)
  const tried = await countGuess(deps, userId, { confirmed: false })
  if (tried === undefined) {
    throw (await hasSecondFactor(deps, userId)) ? alreadyOn() : notBegun()
  }
  if (shown !== undefined && shown !== secretOf(deps, userId, tried)) throw notBegun()
  const code = factorCodeOf(typed)
  const step = code?.kind === 'app' ? stepOfFactor(deps, userId, tried, code.code) : undefined
  if (step === undefined) throw wrongCode()
  return inTransaction(db, async (tx) => {
    // A sign-in at the same moment waits, and is then refused: the token generation has risen.
    await tx.$queryRaw`SELECT 1 FROM users WHERE id = ${userId}::uuid FOR UPDATE`
    const data = { confirmedAt: now(), lastStep: step, guesses: 0 }
    const { count } = await tx.secondFactor.updateMany({
      where: {
        userId,
        confirmedAt: null,
        createdAt: { gt: since },
        secret: new Uint8Array(tried.secret),
      },
      data,
    })
    if (count === 0) throw notBegun()
    const ended = { tokenGeneration: { increment: 1 } }
    await tx.user.update({ where: { id: userId }, data: ended })
    await tx.session.deleteMany({
      where: { userId, ...(keptSession && { id: { not: keptSession } }) },
    })
    await tx.session.updateMany({ where: { userId }, data: { factorAt: now() } })
    const recoveryCodes = await storeRecoveryCodes(tx, userId)
    await record(tx, actor, 'factor.enabled', userId)
    return { recoveryCodes }
  })
}

/**
 * Makes new recovery codes; the ones before are worth nothing any more.
 *
 * @throws AppError invalid_credentials, too_many_requests; conflict when no second factor is on
 */
export async function renewRecoveryCodes(
  deps: FactorDeps,
  userId: string,
  typed: string,
  actor: Actor,
): Promise<RecoveryCodes> {
  await requireCode(deps, userId, typed, actor)
  return inTransaction(deps.db, async (tx) => {
    const held = await tx.$queryRaw<object[]>`
      SELECT 1 FROM second_factors WHERE user_id = ${userId}::uuid FOR UPDATE`
    if (held.length === 0) throw notOn()
    const recoveryCodes = await storeRecoveryCodes(tx, userId)
    await record(tx, actor, 'factor.recovery_codes_renewed', userId)
    return { recoveryCodes }
  })
}

/**
 * Turns the second factor off, with a code: nobody takes off their own without it.
 *
 * @throws AppError invalid_credentials, too_many_requests; conflict when no second factor is on
 */
export async function removeOwnFactor(
  deps: FactorDeps,
  userId: string,
  typed: string,
  actor: Actor,
): Promise<void> {
  await requireCode(deps, userId, typed, actor)
  await inTransaction(deps.db, async (tx) => {
    if (!(await deleteFactor(tx, userId))) throw notOn()
    await record(tx, actor, 'factor.removed', userId)
  })
}

/**
 * Deletes a second factor that is on. A session that gave a code of it counts as one that gave none,
 * and all tokens of the user end: some say that a code was given for them.
 *
 * @param tx the transaction of the removal
 * @returns false when there is none
 */
export async function deleteFactor(tx: Db, userId: string): Promise<boolean> {
  // The user first, in the order of `confirmEnrolment`.
  await tx.$queryRaw`SELECT 1 FROM users WHERE id = ${userId}::uuid FOR NO KEY UPDATE`
  const where = { userId, confirmedAt: { not: null } }
  const { count } = await tx.secondFactor.deleteMany({ where })
  if (count === 0) return false
  const ended = { tokenGeneration: { increment: 1 } }
  await tx.user.update({ where: { id: userId }, data: ended })
  await tx.session.updateMany({ where: { userId }, data: { factorAt: null } })
  return true
}

async function requireCode(
  deps: FactorDeps,
  userId: string,
  typed: string,
  actor: Actor,
): Promise<void> {
  if (await checkFactor(deps, userId, typed, actor)) return
  throw (await hasSecondFactor(deps, userId)) ? wrongCode() : notOn()
}

async function storeRecoveryCodes(tx: Db, userId: string): Promise<string[]> {
  const codes = newRecoveryCodes()
  await tx.recoveryCode.deleteMany({ where: { userId } })
  await tx.recoveryCode.createMany({
    data: codes.map(({ sha256 }) => ({ userId, codeSha256: sha256 })),
  })
  return codes.map(({ shown }) => shown)
}

function record(tx: Db, actor: Actor, action: AuditAction, userId: string): Promise<void> {
  return recordAudit(tx, { actor, action, subject: { kind: 'user', id: userId } })
}

async function userOf(db: Db, userId: string): Promise<{ email: string }> {
  const user = await db.user.findUnique({ where: { id: userId }, select: { email: true } })
  if (user === null) throw new AppError('not_found', { detail: 'There is no such user.' })
  return user
}

const wrongCode = () => new AppError('invalid_credentials', { detail: 'The code is wrong.' })
const alreadyOn = () =>
  new AppError('already_exists', { detail: 'A second factor is on. Turn it off first.' })
const notOn = () => new AppError('conflict', { detail: 'No second factor is on.' })
const notBegun = () =>
  new AppError('conflict', {
    detail: 'This setup has expired. Start again.',
  })
