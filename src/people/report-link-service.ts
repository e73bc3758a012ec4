import { recordAudit } from '../audit/record-audit-service.ts'
import type { Deps } from '../deps.ts'
import { endLinks } from '../links/link-tokens-service.ts'
import type { Actor } from '../values/actor.ts'

/** Ends the open link whose token somebody has found where it does not belong. */
export async function endReportedLink(
  { db: tx, now }: Pick<Deps, 'db' | 'now'>,
  secretSha256: Uint8Array<ArrayBuffer>,
  actor: Actor,
): Promise<void> {
  const link = await tx.linkToken.findUnique({ where: { secretSha256 } })
  if (link === null || (await endLinks({ db: tx, now }, { id: link.id })) === 0) return
  await recordAudit(tx, {
    actor,
    action: 'link.reported',
    subject: { kind: 'link', id: link.id },
    after: { purpose: link.purpose },
  })
}
