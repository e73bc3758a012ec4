import type { Deps } from '../../deps.ts'
import type { LinkPurpose } from '../links/link.ts'
import { endLinks } from '../links/link-tokens-service.ts'
import { trailOwnerOf } from './invitation.ts'

/** A link that was ended: what it was for, and whom it concerns. */
type EndedLink = {
  purpose: LinkPurpose
  /** The user whose link it was, or the invitation. */
  subject: { kind: 'user' | 'invitation'; id: string }
  /** Who invited, where an account or a developer did. */
  partyId?: number
  developerId?: string
}

/**
 * Ends the open link whose token somebody has found where it does not belong.
 *
 * @returns undefined when there is no such link, or it was not open any more
 */
export async function endReportedLink(
  { db: tx, now }: Pick<Deps, 'db' | 'now'>,
  secretSha256: Uint8Array<ArrayBuffer>,
): Promise<EndedLink | undefined> {
  const link = await tx.linkToken.findUnique({ where: { secretSha256 } })
  if (link === null || (await endLinks({ db: tx, now }, { id: link.id })) === 0) return undefined
  const { id, purpose, userId, scope } = link
  if (userId !== null) return { purpose, subject: { kind: 'user', id: userId } }
  return { purpose, subject: { kind: 'invitation', id }, ...trailOwnerOf(scope) }
}
