import { randomBytes } from 'node:crypto'
import { type Db, inTransaction } from '../../base/database/transaction.ts'
import type { Actor } from '../../base/values/actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { recordAudit } from '../audit/record-audit-service.ts'
import { forgetNetworks } from '../auth/familiar-networks-service.ts'
import { NO_PASSWORD_HASH } from '../auth/passwords.ts'
import { checkUserPassword } from '../auth/user-login-service.ts'
import { wrongOwnPassword } from '../auth/wrong-own-password.ts'
import { endLinks, lockUserLinks } from '../links/link-tokens-service.ts'
import { removeFromDevelopers } from './members/developer-members-service.ts'
import { removeMembershipsOf } from './members/memberships-service.ts'
import { asOneself } from './refusals-service.ts'
import { readUser, requireAnotherOperator, takeUser } from './users-service.ts'

type RemoveDeps = Pick<Deps, 'db' | 'now'>

const NAME = 'Removed user'
const REASON = 'Removed.'
const PARTIES_NAMED_MAX = 5
const OR_UNINSTALL = 'Make somebody else an admin, or uninstall the apps,'

/**
 * Removes a user for good: email and name are replaced, sessions and tokens end, memberships go.
 * The id stays, because the audit trail names it.
 *
 * @throws AppError operator_needed when nobody else is an operator, conflict when an account with
 *   installed apps would have no admin left or operators remove themselves; not_found
 */
export async function removeUser(deps: RemoveDeps, id: string, actor: Actor): Promise<void> {
  if (actor.kind === 'operator' && actor.id === id.toLowerCase()) {
    throw new AppError('conflict', {
      detail: 'You remove yourself on your account page. Another operator can do it too.',
    })
  }
  await remove(deps, id, actor)
}

/**
 * Removes the user who asks for it, and gives the own password for it.
 *
 * @throws AppError operator_needed when nobody else is an operator, conflict when an account with
 *   installed apps or other members would have no admin left, or a developer no owner;
 *   unprocessable when the password is wrong, too_many_requests, unavailable; invalid_token when
 *   the user was removed after the token was checked
 */
export async function removeOneself(
  deps: RemoveDeps & Pick<Deps, 'pool' | 'passwords' | 'measures' | 'auditCounts'>,
  userId: string,
  { password }: { password: string },
  address: string,
): Promise<void> {
  const { email } = await asOneself(readUser(deps, userId))
  const caller = { kind: 'user', id: userId }
  const user = await checkUserPassword(deps, { email, password }, address, caller)
  if (user === undefined) throw wrongOwnPassword()
  await asOneself(remove(deps, userId, { kind: 'user', id: userId, address }))
}

async function remove({ db, now }: RemoveDeps, id: string, actor: Actor): Promise<void> {
  await inTransaction(db, async (tx) => {
    // Before the user is held, in the order in which the use of a link holds both.
    await endLinksTo({ db: tx, now }, id)
    const user = await takeUser(tx, id)
    if (user.operator) await requireAnotherOperator(tx, user.id)
    const where = { userId: user.id }
    await tx.secondFactor.deleteMany({ where })
    await tx.userIdentity.deleteMany({ where })
    await tx.session.deleteMany({ where })
    const isOwn = actor.kind === 'user'
    await removeFromDevelopers(tx, user.id, { actor, keepsAnOwner: isOwn })
    await requireOtherAdmins(tx, user.id, isOwn)
    await removeMembershipsOf(tx, user.id, actor)
    await tx.keptForm.deleteMany({ where })
    await tx.notification.deleteMany({ where })
    await tx.authorizationCode.deleteMany({ where })
    await forgetLinksTo(tx, user)
    await forgetNetworks(tx, user)
    await tx.user.update({
      where: { id: user.id },
      data: {
        email: removedEmail(user.id),
        name: NAME,
        passwordHash: NO_PASSWORD_HASH,
        operator: false,
        support: false,
        suspendedAt: now(),
        suspendedReason: REASON,
        removedAt: now(),
        tokenGeneration: { increment: 1 },
        notificationMails: {},
        notificationsMailedAt: null,
        savedViews: [],
      },
    })
    await recordAudit(tx, {
      actor,
      action: 'user.removed',
      subject: { kind: 'user', id: user.id },
    })
  })
}

/** Nobody's: the address with the id alone may be somebody's. */
function removedEmail(id: string): string {
  return `${id}.${randomBytes(8).toString('hex')}@removed.invalid`
}

/** Ends all links to a user, also those that go to the address alone, as invitations do. */
async function endLinksTo({ db: tx, now }: RemoveDeps, id: string): Promise<void> {
  await lockUserLinks(tx, id)
  const user = await tx.user.findUnique({ where: { id }, select: { id: true, email: true } })
  if (user === null) return
  const { email } = user
  await endLinks({ db: tx, now }, { OR: [{ userId: user.id }, { email }] })
}

/** One that was made and is being used at this moment is passed over: it finds nobody. */
async function forgetLinksTo(tx: Db, { id, email }: { id: string; email: string }): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM link_tokens WHERE id IN (
      SELECT id FROM link_tokens WHERE user_id = ${id}::uuid OR email = ${email}
      FOR UPDATE SKIP LOCKED)`
}

/**
 * Accounts keep somebody who can uninstall their apps. A user who goes without an operator's
 * help also leaves no other members without an admin; nobody manages those of closed accounts. The rows of
 * the accounts are held, so that of two last admins who go at once the second one is refused, and
 * so that nobody changes the roles meanwhile.
 *
 * @param isOwn whether the user removes themselves
 * @throws AppError conflict with the accounts that have nobody else
 */
async function requireOtherAdmins(tx: Db, userId: string, isOwn: boolean): Promise<void> {
  await tx.$queryRaw`
    SELECT 1 FROM parties WHERE id IN (
      SELECT party_id FROM memberships WHERE user_id = ${userId}::uuid)
    ORDER BY id FOR UPDATE`
  const others = { userId: { not: userId } }
  const withMembers = { closedAt: null, memberships: { some: others } }
  const left = await tx.party.findMany({
    where: {
      type: { not: 'None' },
      OR: [{ installations: { some: { live: true } } }, ...(isOwn ? [withMembers] : [])],
      AND: [
        { memberships: { some: { userId, role: 'admin' } } },
        { memberships: { none: { ...others, role: 'admin', user: { suspendedAt: null } } } },
      ],
    },
    select: { name: true, _count: { select: { memberships: { where: others } } } },
    orderBy: { id: 'asc' },
    take: PARTIES_NAMED_MAX,
  })
  if (left.length === 0) return
  const names = left.map(({ name }) => name).join(', ')
  const hasMembers = isOwn && left.some(({ _count }) => _count.memberships > 0)
  const way = hasMembers ? 'Make somebody else an admin' : OR_UNINSTALL
  throw new AppError('conflict', {
    detail: `Nobody else is an admin of: ${names}. ${way} first.`,
  })
}
