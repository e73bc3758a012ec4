import type { LinkToken } from '../../base/database/generated/client.ts'
import type { Db } from '../../base/database/transaction.ts'
import { deadLink } from '../links/link.ts'
import { trailOwnerOf } from './invitation.ts'

const LIVE = { suspendedAt: null } as const

/**
 * Refuses an invitation of somebody who could not make it any more: who was removed leaves no way
 * in behind.
 *
 * @throws AppError invalid_link
 */
export async function requireLiveInviter(db: Db, link: LinkToken): Promise<void> {
  if (!(await mayStillInvite(db, link))) throw deadLink('invitation', 'ended')
}

/** Whether an invitation was made on behalf of the marketplace: by an operator, or the command line. */
export function isByOperator({ createdByKind }: LinkToken): boolean {
  return createdByKind === 'operator' || createdByKind === 'system'
}

/** Whether the person who made an invitation could make it today. */
export async function mayStillInvite(
  db: Db,
  { createdByKind, createdById, scope }: LinkToken,
): Promise<boolean> {
  const id = createdById ?? ''
  const { partyId, developerId } = trailOwnerOf(scope)
  switch (createdByKind) {
    case 'system':
      return true
    case 'operator':
      return (await db.user.count({ where: { id, operator: true, ...LIVE } })) > 0
    case 'developer': {
      const where = { clientId: id, removedAt: null, developer: LIVE }
      return (await db.developerCredential.count({ where })) > 0
    }
    default: {
      const person = { userId: id, user: LIVE }
      const count =
        partyId === undefined
          ? db.developerMember.count({
              where: { ...person, developerId: developerId ?? '', role: 'owner', developer: LIVE },
            })
          : db.membership.count({ where: { ...person, partyId, role: 'admin' } })
      return (await count) > 0
    }
  }
}
