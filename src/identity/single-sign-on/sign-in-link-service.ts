import { z } from 'zod'
import { inTransaction } from '../../base/database/transaction.ts'
import { COMMAND_LINE } from '../../base/values/actor.ts'
import { normalEmail } from '../../base/values/email.ts'
import type { Deps } from '../../deps.ts'
import { AppError, ignoring } from '../../errors.ts'
import { recordAudit } from '../audit/record-audit-service.ts'
import type { SignedInUser } from '../auth/user-login-service.ts'
import { linkAddress } from '../links/link.ts'
import { createLink, lockUserLinks, renewToken, takeLink } from '../links/link-tokens-service.ts'

const PURPOSE = 'sign_in'
const SCOPE = 'user'
/** The generation that the user had when the link was made: a new password ends the link. */
const SignInGrants = z.object({ tokenGeneration: z.int() })

/**
 * A link that signs an operator in once, for a short time: the way in when passwords are off and
 * the provider of single sign-on is away. It ends when the operator's password changes, and when a
 * newer link is made.
 *
 * @throws AppError not_found when nobody has the email, conflict when it is no operator's
 */
export async function createSignInLink(
  { db, config, now }: Pick<Deps, 'db' | 'config' | 'now'>,
  email: string,
): Promise<{ link: string; expiresAt: string }> {
  return inTransaction(db, async (tx) => {
    const user = await tx.user.findUnique({ where: { email: normalEmail(email) } })
    if (user === null) throw new AppError('not_found', { detail: 'No user has this email.' })
    if (!user.operator || user.suspendedAt !== null) {
      throw new AppError('conflict', {
        detail: 'Links are made only for operators who are not suspended.',
      })
    }
    const { id: userId, tokenGeneration } = user
    await lockUserLinks(tx, userId)
    const { id, expiresAt } = await createLink(
      { db: tx, now },
      {
        purpose: PURPOSE,
        email: user.email,
        scope: SCOPE,
        grants: { tokenGeneration },
        userId,
        actor: COMMAND_LINE,
      },
    )
    await recordAudit(tx, {
      actor: COMMAND_LINE,
      action: 'user.sign_in_link_made',
      subject: { kind: 'user', id: userId },
    })
    const token = await renewToken({ db: tx, now }, id, { mailed: false })
    if (token === undefined) throw new Error('a link that was made just now is not open')
    return {
      link: linkAddress(config.publicUrl, PURPOSE, token),
      expiresAt: expiresAt.toISOString(),
    }
  })
}

/**
 * The operator whom a link signs in, once. Opening a session refuses who may not sign in any more.
 *
 * @returns undefined when the link is not ours, was used, has ended, or is too old
 */
export async function followSignInLink(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  token: string,
): Promise<Pick<SignedInUser, 'id' | 'tokenGeneration'> | undefined> {
  const following = inTransaction(db, async (tx) => {
    const { userId, grants } = await takeLink({ db: tx, now }, PURPOSE, token)
    if (userId === null) return undefined
    const { tokenGeneration } = SignInGrants.parse(grants)
    const isOperator = (await tx.user.count({ where: { id: userId, operator: true } })) > 0
    return isOperator ? { id: userId, tokenGeneration } : undefined
  })
  return ignoring('invalid_link', following)
}
