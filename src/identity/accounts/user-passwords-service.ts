import { inTransaction } from '../../base/database/transaction.ts'
import type { Actor } from '../../base/values/actor.ts'
import { parseInput } from '../../base/values/field-errors.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { recordAudit } from '../audit/record-audit-service.ts'
import { requireHardToGuess } from '../auth/guessable-password-service.ts'
import { generatePassword } from '../auth/passwords.ts'
import { passwordsOff } from '../auth/passwords-off.ts'
import { endLinks, lockUserLinks } from '../links/link-tokens-service.ts'
import type { NewPassword, WithPassword } from './operator-records.ts'
import { PasswordRequest } from './operator-requests.ts'
import { requireOperatorStill } from './refusals-service.ts'

/**
 * Gives a user a new password and ends all that the old one opened: sessions at once, tokens from
 * the next request on.
 *
 * @param input a missing password is random
 * @throws AppError unprocessable, not_found, password_login_off
 */
export async function setPassword(
  deps: Pick<Deps, 'db' | 'passwords' | 'now' | 'config'>,
  userId: string,
  input: PasswordRequest,
  actor: Actor,
): Promise<WithPassword<NewPassword>> {
  const { db, passwords, config } = deps
  if (!config.passwordLogin) throw passwordsOff()
  const { password: chosen } = parseInput(PasswordRequest, input)
  const known = await db.user.findUnique({ where: { id: userId, removedAt: null } })
  if (known === null) throw noSuchUser()
  if (chosen !== undefined) requireHardToGuess(chosen, [known.email, known.name])
  const password = chosen ?? generatePassword()
  const passwordHash = await passwords.hash(password, actor)
  const user = await storePassword(deps, { id: userId, removedAt: null }, passwordHash, actor)
  if (user === undefined) throw noSuchUser()
  return { id: user.id, email: user.email, password }
}

/**
 * Changes a user's password to the one that the user has chosen, as `setPassword` does.
 *
 * @param user as read when its current password was checked: a newer password is never overwritten
 * @returns the user with its new token generation
 * @throws AppError conflict when the password was changed meanwhile; unprocessable
 */
export async function changeOwnPassword(
  deps: Pick<Deps, 'db' | 'passwords' | 'now'>,
  { id, tokenGeneration }: { id: string; tokenGeneration: number },
  input: { password: string },
  actor: Actor,
): Promise<{ id: string; tokenGeneration: number }> {
  parseInput(PasswordRequest, input)
  const { db, passwords } = deps
  const { email, name } = await db.user.findUniqueOrThrow({ where: { id } })
  requireHardToGuess(input.password, [email, name])
  const passwordHash = await passwords.hash(input.password, actor)
  const user = await storePassword(deps, { id, tokenGeneration }, passwordHash, actor)
  if (user === undefined) {
    throw new AppError('conflict', {
      detail: 'Your password was changed, or you were signed out everywhere. Sign in again.',
    })
  }
  return user
}

const noSuchUser = () => new AppError('not_found', { detail: 'There is no such user.' })

/**
 * Replaces the hash of a password, and ends the sessions, the tokens and the links of the user.
 *
 * @returns undefined when there is no such user, or not of that generation
 */
export function storePassword(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  where: { id: string; tokenGeneration?: number; removedAt?: null },
  passwordHash: string,
  actor: Actor,
) {
  return inTransaction(db, async (tx) => {
    await requireOperatorStill(tx, actor)
    // First, in the order in which the use of a link holds the link and then its user.
    await lockUserLinks(tx, where.id)
    await endLinks({ db: tx, now }, { userId: where.id })
    const [user] = await tx.user.updateManyAndReturn({
      where,
      data: { passwordHash, tokenGeneration: { increment: 1 } },
      select: { id: true, email: true, tokenGeneration: true },
    })
    if (user === undefined) return undefined
    await tx.session.deleteMany({ where: { userId: user.id } })
    await recordAudit(tx, {
      actor,
      action: 'user.password_changed',
      subject: { kind: 'user', id: user.id },
    })
    return user
  })
}
