import { randomUUID } from 'node:crypto'
import type { LinkToken } from '../../base/database/generated/client.ts'
import { type Db, inTransaction } from '../../base/database/transaction.ts'
import type { Actor } from '../../base/values/actor.ts'
import { parseInput, unprocessable } from '../../base/values/field-errors.ts'
import type { Deps } from '../../deps.ts'
import { AppError, ignoring } from '../../errors.ts'
import { asOneself, refusingDuplicates } from '../accounts/refusals-service.ts'
import { readUser, takeUser } from '../accounts/users-service.ts'
import { recordAudit } from '../audit/record-audit-service.ts'
import { checkUserPassword } from '../auth/user-login-service.ts'
import { wrongOwnPassword } from '../auth/wrong-own-password.ts'
import { deadLink } from '../links/link.ts'
import { type LinkBudget, secondsUntilNextLink } from '../links/link-budget-service.ts'
import {
  createLink,
  endLinks,
  lockUserLinks,
  readLink,
  takeLink,
} from '../links/link-tokens-service.ts'
import { deliverLink, sendsMail } from './deliver-link-service.ts'
import {
  type ConfirmedEmailChange,
  EmailChangeConfirmation,
  EmailChangeGrants,
  EmailChangeRequest,
} from './email-change.ts'

/** A user may ask for so many changes in an hour. */
const REQUESTS: LinkBudget = { links: 5, seconds: 3600 }
const PURPOSE = 'email_change'

type RequestDeps = Pick<
  Deps,
  'db' | 'pool' | 'passwords' | 'measures' | 'auditCounts' | 'now' | 'config' | 'jobs'
>

/**
 * Mails a link to the present and one to the new address of a user; the email changes when both are
 * used. It does the same whether somebody else has the new address.
 *
 * @param address where the request comes from
 * @throws AppError conflict without a mail server; unprocessable, also when the password is wrong;
 *   too_many_requests, unavailable; invalid_token when the user was removed after the token was
 *   checked
 */
export async function requestEmailChange(
  deps: RequestDeps,
  userId: string,
  input: EmailChangeRequest,
  address: string,
): Promise<void> {
  const { email: to, password } = parseInput(EmailChangeRequest, input)
  if (!sendsMail(deps)) {
    throw new AppError('conflict', {
      detail: 'This marketplace sends no mail. Ask its operator to change your email.',
    })
  }
  const { email: from } = await asOneself(readUser(deps, userId))
  const caller = { kind: 'user', id: userId }
  if (!(await checkUserPassword(deps, { email: from, password }, address, caller))) {
    throw wrongOwnPassword()
  }
  if (to === from) throw unprocessable([{ pointer: '/email', detail: 'is your email already' }])
  const actor: Actor = { kind: 'user', id: userId, address }
  await inTransaction(deps.db, async (tx) => {
    const inTx = { ...deps, db: tx }
    await lockUserLinks(tx, userId)
    // Before the user is held, in the order in which the use of a link holds both.
    await endLinks(inTx, { userId, purpose: PURPOSE })
    const user = await asOneself(takeUser(tx, userId))
    await requireBudget(inTx, userId)
    const grants: EmailChangeGrants = { request: randomUUID(), from: user.email, to }
    for (const [side, email] of [
      ['from', grants.from],
      ['to', to],
    ] as const) {
      const scope = scopeOf(side, userId)
      const link = await createLink(inTx, {
        purpose: PURPOSE,
        email,
        scope,
        grants,
        userId,
        actor,
      })
      await deliverLink(inTx, link)
    }
    await recordAudit(tx, {
      actor,
      action: 'user.email_change_requested',
      subject: { kind: 'user', id: userId },
    })
  })
}

/** Several users may ask for one address. */
function scopeOf(side: 'from' | 'to', userId: string): string {
  return `${side} ${userId}`
}

async function requireBudget(deps: Pick<Deps, 'db' | 'now'>, userId: string): Promise<void> {
  const which = { userId, purpose: PURPOSE, scope: scopeOf('from', userId) } as const
  const retryAfterSeconds = await secondsUntilNextLink(deps, which, REQUESTS)
  if (retryAfterSeconds === 0) return
  throw new AppError('too_many_requests', {
    detail: `You can ask for ${REQUESTS.links} changes of your email in an hour. Wait, then try again.`,
    retryAfterSeconds,
  })
}

/**
 * Whether a link of a change is to be mailed: somebody who has the new address already gets none.
 */
export async function isForMail({ db }: { db: Db }, { email, grants }: LinkToken) {
  if (EmailChangeGrants.parse(grants).to !== email) return true
  return (await db.user.count({ where: { email } })) === 0
}

/**
 * The new address that a link confirms; nothing is used up.
 *
 * @throws AppError invalid_link
 */
export async function readEmailChange(
  deps: Pick<Deps, 'db' | 'now'>,
  token: string,
): Promise<{ to: string }> {
  return EmailChangeGrants.parse((await readLink(deps, PURPOSE, token)).grants)
}

/**
 * Uses up one of the two links. With the second one the email changes, and other open links of the
 * user end; sessions and tokens stay.
 *
 * @param address where the request comes from
 * @throws AppError invalid_link; already_exists when somebody else got the new address
 */
export async function confirmEmailChange(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  input: EmailChangeConfirmation,
  address: string,
): Promise<ConfirmedEmailChange> {
  const { token } = parseInput(EmailChangeConfirmation, input)
  const taken = { pointer: '/token', detail: 'Another user has the new email already.' }
  return refusingDuplicates(taken, () =>
    inTransaction(db, async (tx) => {
      const link = await takeLink({ db: tx, now }, PURPOSE, token)
      const { request, from, to } = EmailChangeGrants.parse(link.grants)
      // The links of one user take turns here, so that the second one sees that the first is used.
      const user = await ignoring('not_found', takeUser(tx, link.userId ?? ''))
      if (user?.email !== from || user.suspendedAt !== null) throw deadLink(PURPOSE, 'ended')
      const used = await tx.linkToken.count({
        where: {
          userId: user.id,
          purpose: PURPOSE,
          usedAt: { not: null },
          grants: { path: ['request'], equals: request },
        },
      })
      if (used < 2) return { email: to, changed: false }
      await endLinks({ db: tx, now }, { userId: user.id })
      await tx.user.update({ where: { id: user.id }, data: { email: to, emailProved: true } })
      await recordAudit(tx, {
        actor: { kind: 'user', id: user.id, address },
        action: 'user.changed',
        subject: { kind: 'user', id: user.id },
        before: { email: from },
        after: { email: to },
      })
      return { email: to, changed: true }
    }),
  )
}
