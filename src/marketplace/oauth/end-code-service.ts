import { inTransaction } from '../../base/database/transaction.ts'
import type { Actor } from '../../base/values/actor.ts'
import type { Deps } from '../../deps.ts'
import { recordAudit } from '../../identity/audit/record-audit-service.ts'

/**
 * Ends a code and the token that was made of it, or is being made: it is refused from the next
 * request on. An unknown code is left alone.
 *
 * @param id SHA-256 of the code
 * @returns whose the code was, where this call has ended it
 */
export async function endCode(
  { db, config, now }: Pick<Deps, 'db' | 'config' | 'now'>,
  id: Uint8Array<ArrayBuffer>,
  actor: Actor,
): Promise<{ developerId: string; appId: string; installationId: string } | undefined> {
  const expiresAt = new Date(now().getTime() + config.redirectTokenTtlSeconds * 1000)
  return inTransaction(db, async (tx) => {
    const code = await tx.authorizationCode.findUnique({
      where: { id },
      include: { installation: true },
    })
    if (code === null) return undefined
    const { installation, jti } = code
    await tx.authorizationCode.updateMany({
      where: { id, usedAt: null },
      data: { usedAt: now() },
    })
    const { count } = await tx.revokedToken.createMany({
      data: [{ jti, expiresAt }],
      skipDuplicates: true,
    })
    if (count === 0) return undefined
    const { developerId, partyId, appId } = installation
    await recordAudit(tx, {
      actor,
      action: 'token.revoked',
      subject: { kind: 'installation', id: installation.id },
      developerId,
      partyId,
      after: { jti, because: 'its code was used twice or reported' },
    })
    return { developerId, appId, installationId: installation.id }
  })
}
