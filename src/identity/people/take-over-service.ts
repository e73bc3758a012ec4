import type { User } from '../../base/database/generated/client.ts'
import type { Db } from '../../base/database/transaction.ts'
import type { Actor } from '../../base/values/actor.ts'
import type { Deps } from '../../deps.ts'
import { storePassword } from '../accounts/user-passwords-service.ts'
import { recordAudit } from '../audit/record-audit-service.ts'
import { deleteFactor } from '../auth/second-factor/second-factor-service.ts'
import { lockUserLinks } from '../links/link-tokens-service.ts'

/**
 * Locks the links of the user who has an address that nobody has proved, if there is one:
 * `takeOver` ends them. Before any link is used, and before the user's row.
 */
export async function lockUnprovedLinks(tx: Db, email: string): Promise<void> {
  const where = { email, emailProved: false }
  const user = await tx.user.findUnique({ where, select: { id: true } })
  if (user !== null) await lockUserLinks(tx, user.id)
}

/**
 * Gives a user whose address nobody has proved to the person who has: the password and the second
 * factor that somebody else may have chosen go, and with them the sessions, tokens and links.
 *
 * @param deps in a transaction that holds the user, after `lockUnprovedLinks`
 * @param passwordHash of the new password, computed before the transaction
 */
export async function takeOver(
  { db: tx, now }: Pick<Deps, 'db' | 'now'>,
  { id }: Pick<User, 'id'>,
  passwordHash: string,
  actor: Actor,
): Promise<User> {
  if (await deleteFactor(tx, id)) {
    await recordAudit(tx, { actor, action: 'factor.removed', subject: { kind: 'user', id } })
  }
  await storePassword({ db: tx, now }, { id }, passwordHash, actor)
  return tx.user.update({ where: { id }, data: { emailProved: true } })
}
