import type { LinkToken } from '../../base/database/generated/client.ts'
import { inTransaction } from '../../base/database/transaction.ts'
import { MAIL } from '../../base/mail/mail-job.ts'
import { type Actor, SYSTEM } from '../../base/values/actor.ts'
import { parseInput } from '../../base/values/field-errors.ts'
import type { Deps } from '../../deps.ts'
import { AppError, ignoring } from '../../errors.ts'
import { storePassword } from '../accounts/user-passwords-service.ts'
import { takeUser } from '../accounts/users-service.ts'
import { recordAudit } from '../audit/record-audit-service.ts'
import {
  beginSignInAttempt,
  endSignInAttempt,
  requireSignInBudget,
} from '../auth/failed-sign-in-limits-service.ts'
import { requireHardToGuess } from '../auth/guessable-password-service.ts'
import { passwordsOff } from '../auth/passwords-off.ts'
import { deadLink, LINK_TTL_SECONDS } from '../links/link.ts'
import {
  createLink,
  lockUserLinks,
  openAt,
  readLink,
  takeLink,
} from '../links/link-tokens-service.ts'
import { deliverLink, sendsMail } from './deliver-link-service.ts'
import { PasswordResetCompletion, type PasswordResetLink } from './password-reset.ts'
import { takeOver } from './take-over-service.ts'

/**
 * How many of these mails a user gets in an hour, from all requests together. One more is sent when
 * the last link ran out, so that nobody keeps a user without one by asking often.
 */
const MAILS_PER_HOUR = 5
const SCOPE = 'user'

/**
 * Asks for a link for a new password. It does the same for every address: its user is looked up
 * later, when the mail is made.
 *
 * @param address where the request comes from
 * @throws AppError too_many_requests; password_login_off
 */
export async function requestPasswordReset(
  deps: Pick<Deps, 'pool' | 'config' | 'jobs' | 'now'>,
  email: string,
  address: string,
): Promise<void> {
  requirePasswords(deps)
  const attempt = { kind: 'reset' as const, id: email, address }
  await requireSignInBudget(deps, attempt)
  await beginSignInAttempt(deps, attempt)
  try {
    if (!sendsMail(deps)) return
    await deps.jobs.ask(MAIL, { resetFor: email, askedAt: deps.now().toISOString() })
  } finally {
    await endSignInAttempt(deps, attempt, true)
  }
}

/**
 * The link to be mailed to the user who asked for a new password; undefined when nobody has the address, and
 * when there is nothing to be sent any more. A mail that is sent again has the same link with a new
 * token.
 */
export async function linkForReset(
  { db, now, config }: Pick<Deps, 'db' | 'now' | 'config'>,
  { resetFor, askedAt }: { resetFor: string; askedAt: string },
): Promise<LinkToken | undefined> {
  if (!config.passwordLogin) return undefined
  const time = now().getTime()
  const asked = new Date(askedAt)
  if (time > asked.getTime() + LINK_TTL_SECONDS.password_reset * 1000) return undefined
  return inTransaction(db, async (tx) => {
    const user = await tx.user.findUnique({ where: { email: resetFor } })
    if (user === null || user.suspendedAt !== null) return undefined
    const own = { userId: user.id, purpose: 'password_reset' as const }
    // Those who ask for one user at once take turns, so that the limit holds, too.
    await lockUserLinks(tx, user.id)
    const open = await tx.linkToken.findFirst({
      where: { ...own, grants: { path: ['askedAt'], equals: askedAt }, ...openAt(now()) },
    })
    if (open !== null) return open
    const mailedIn = (seconds: number) =>
      tx.linkToken.count({
        where: {
          ...own,
          createdByKind: SYSTEM.kind,
          createdAt: { gt: new Date(time - seconds * 1000) },
        },
      })
    const isSpent = (await mailedIn(3600)) >= MAILS_PER_HOUR
    if (isSpent && (await mailedIn(LINK_TTL_SECONDS.password_reset)) > 0) return undefined
    return createLink(
      { db: tx, now },
      { ...own, email: user.email, scope: SCOPE, grants: { askedAt }, actor: SYSTEM },
    )
  })
}

/**
 * Makes a link with which a user sets a new password, for an operator to hand over or to be mailed.
 * The password that the user has stays until then.
 *
 * @throws AppError not_found, password_login_off
 */
export async function createPasswordReset(
  deps: Pick<Deps, 'db' | 'now' | 'config' | 'jobs'>,
  userId: string,
  actor: Actor,
): Promise<PasswordResetLink> {
  requirePasswords(deps)
  return inTransaction(deps.db, async (tx) => {
    await lockUserLinks(tx, userId)
    const user = await tx.user.findUnique({ where: { id: userId, removedAt: null } })
    if (user === null) throw new AppError('not_found', { detail: 'There is no such user.' })
    const inTx = { ...deps, db: tx }
    const link = await createLink(inTx, {
      purpose: 'password_reset',
      email: user.email,
      scope: SCOPE,
      grants: {},
      userId: user.id,
      actor,
    })
    await recordAudit(tx, {
      actor,
      action: 'user.password_reset_requested',
      subject: { kind: 'user', id: user.id },
    })
    const { email, expiresAt } = link
    return { email, expiresAt, ...(await deliverLink(inTx, link)) }
  })
}

/**
 * Whose password a link is for; nothing is used up.
 *
 * @throws AppError invalid_link, password_login_off
 */
export async function readPasswordReset(
  deps: Pick<Deps, 'db' | 'now' | 'config'>,
  token: string,
): Promise<{ email: string }> {
  requirePasswords(deps)
  const { email } = await readLink(deps, 'password_reset', token)
  return { email }
}

/**
 * Sets the password that the user of a link has chosen, and ends all that the old one opened. A mailed
 * link proves the address: where nobody had, the second factor goes, too (`takeOver`).
 *
 * @param address where the request comes from
 * @throws AppError invalid_link, unprocessable, unavailable, password_login_off
 */
export async function completePasswordReset(
  deps: Pick<Deps, 'db' | 'now' | 'passwords' | 'config'>,
  input: PasswordResetCompletion,
  address: string,
): Promise<{ email: string }> {
  requirePasswords(deps)
  const { token, password } = parseInput(PasswordResetCompletion, input)
  // Before the transaction: no connection is held during the wait for the hasher.
  const { id, email: linkedTo } = await readLink(deps, 'password_reset', token)
  const user = await deps.db.user.findUnique({ where: { email: linkedTo } })
  requireHardToGuess(password, [linkedTo, user?.name ?? ''])
  const passwordHash = await deps.passwords.hash(password, { kind: 'link', id })
  return inTransaction(deps.db, async (tx) => {
    const inTx = { ...deps, db: tx }
    const { userId, email, mailed } = await takeLink(inTx, 'password_reset', token)
    const user = await ignoring('not_found', takeUser(tx, userId ?? ''))
    // The link went to an address that was the user's then.
    if (user?.email !== email) throw deadLink('password_reset', 'ended')
    const { id } = user
    const actor: Actor = { kind: 'user', id, address }
    if (mailed && !user.emailProved) await takeOver(inTx, user, passwordHash, actor)
    else await storePassword(inTx, { id }, passwordHash, actor)
    return { email }
  })
}

/** A password helps nobody where users sign in by single sign-on only. */
function requirePasswords({ config }: Pick<Deps, 'config'>): void {
  if (!config.passwordLogin) throw passwordsOff()
}
