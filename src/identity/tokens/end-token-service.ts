import { type Db, inTransaction } from '../../base/database/transaction.ts'
import type { Actor } from '../../base/values/actor.ts'
import type { TokenClaims } from '../../base/values/token-claims.ts'
import { recordAudit } from '../audit/record-audit-service.ts'

/**
 * Revokes one token: every replica refuses it from the next request on.
 *
 * @returns the developer of the token when this call revoked it, of which an account token has none;
 *   undefined when it was revoked before
 */
export async function endToken(
  db: Db,
  claims: TokenClaims,
  actor: Actor,
): Promise<{ developerId: string | undefined } | undefined> {
  const { jti, exp, sub, aud } = claims
  const developerId = await developerOfToken(db, claims)
  return inTransaction(db, async (tx) => {
    const { count } = await tx.revokedToken.createMany({
      data: [{ jti, expiresAt: new Date(exp * 1000) }],
      skipDuplicates: true,
    })
    if (count === 0) return undefined
    await recordAudit(tx, {
      actor,
      action: 'token.revoked',
      subject: { kind: aud === 'account' ? 'user' : aud, id: sub },
      developerId,
      ...(aud === 'installation' ? { partyId: claims.party_id } : {}),
      after: { jti },
    })
    return { developerId }
  })
}

/** The developer who holds the token, or whose app the token was made for. */
export async function developerOfToken(db: Db, claims: TokenClaims): Promise<string | undefined> {
  switch (claims.aud) {
    case 'developer':
      return claims.sub
    case 'installation': {
      const where = { id: claims.sub }
      return (await db.installation.findUnique({ where }))?.developerId
    }
    case 'account':
      return undefined
  }
}
