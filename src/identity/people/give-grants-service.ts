import type { User } from '../../base/database/generated/client.ts'
import type { Db } from '../../base/database/transaction.ts'
import type { Actor } from '../../base/values/actor.ts'
import { acceptDeveloperRole } from '../accounts/members/developer-members-service.ts'
import { recordMembership } from '../accounts/members/memberships-service.ts'
import { recordAudit } from '../audit/record-audit-service.ts'
import type { InvitationGrants } from './invitation.ts'

/**
 * What an invitation is for, without what was closed since. Nothing of it can be closed in the rest
 * of the transaction. The developer is locked before the accounts, in the order of a closing.
 *
 * @returns undefined when nothing is left
 */
export async function grantsStillOpen(
  tx: Db,
  grants: InvitationGrants,
): Promise<InvitationGrants | undefined> {
  const { developerId, partyIds, operator, support } = grants
  const { developers, parties } = await lockGrants(tx, grants)
  const asked = partyIds.length + (developerId === null ? 0 : 1)
  if (asked > 0 && !operator && !support && developers.length + parties.length === 0) {
    return undefined
  }
  return {
    ...grants,
    developerId: developers[0]?.id ?? null,
    partyIds: parties.map(({ id }) => id),
  }
}

/**
 * Locks all that an invitation is for and that is not closed: the developer before the accounts, which
 * are in the order of their ids, so that those who are invited to the same at once take turns.
 */
export async function lockGrants(tx: Db, { developerId, partyIds }: InvitationGrants) {
  const developers = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM developers WHERE id = ${developerId}::uuid AND closed_at IS NULL
    FOR NO KEY UPDATE`
  const parties = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM parties WHERE id = ANY(${partyIds}::int[]) AND closed_at IS NULL
    ORDER BY id FOR KEY SHARE`
  return { developers, parties }
}

/**
 * Gives a user what an invitation is for. A role that the user has already is never lowered.
 *
 * @param tx the transaction of `grantsStillOpen`
 * @throws AppError conflict when the developer has as many people as it may have
 */
export async function giveGrants(
  tx: Db,
  user: User,
  grants: InvitationGrants,
  actor: Actor,
): Promise<void> {
  const { developerId, role } = grants
  if (developerId !== null) {
    const member = { userId: user.id, developerId }
    await acceptDeveloperRole(tx, member, role === 'member' ? 'member' : 'owner', actor)
  }
  await giveMemberships(tx, user, grants, actor)
  await giveConsole(tx, user, grants, actor)
}

async function giveMemberships(
  tx: Db,
  { id: userId }: User,
  { partyIds, role: given }: InvitationGrants,
  actor: Actor,
): Promise<void> {
  const role = given === 'member' ? 'member' : 'admin'
  for (const partyId of partyIds) {
    const { count } = await tx.membership.createMany({
      data: { userId, partyId, role },
      skipDuplicates: true,
    })
    if (count > 0) {
      await recordMembership(tx, actor, { userId, partyId, role })
      continue
    }
    if (role === 'member') continue
    const raised = await tx.membership.updateMany({
      where: { userId, partyId, role: 'member' },
      data: { role },
    })
    if (raised.count === 0) continue
    await recordAudit(tx, {
      actor,
      action: 'membership.changed',
      subject: { kind: 'membership', id: `${userId}/${partyId}` },
      partyId,
      before: { role: 'member' },
      after: { role },
    })
  }
}

async function giveConsole(
  tx: Db,
  user: User,
  { operator, support }: InvitationGrants,
  actor: Actor,
): Promise<void> {
  // An operator may do all that support staff may.
  const wanted = operator
    ? { operator: true, support: false }
    : { operator: user.operator, support: user.support || (support && !user.operator) }
  if (wanted.operator === user.operator && wanted.support === user.support) return
  await tx.user.update({ where: { id: user.id }, data: wanted })
  await recordAudit(tx, {
    actor,
    action: 'user.changed',
    subject: { kind: 'user', id: user.id },
    before: { operator: user.operator, support: user.support },
    after: wanted,
  })
}
