import { inTransaction } from '../../base/database/transaction.ts'
import type { Actor, DeveloperAuthor } from '../../base/values/actor.ts'
import type { PartyType } from '../../base/values/party-type.ts'
import { isUuid } from '../../base/values/shapes.ts'
import type { TokenClaims, VerifiedToken } from '../../base/values/token-claims.ts'
import type { Deps } from '../../deps.ts'
import { AppError, ignoring } from '../../errors.ts'
import { recordAudit } from '../audit/record-audit-service.ts'
import { developerOfToken, endToken } from './end-token-service.ts'
import { verifyToken } from './verify.ts'

/** How long a revocation is kept after its token ran out, because the clocks of replicas differ. */
const KEPT_AFTER_EXPIRY_SECONDS = 3600
const FORGOTTEN_AT_ONCE = 100

type TokenDeps = Pick<Deps, 'db' | 'keys' | 'config' | 'now' | 'principals'>
/** Who revokes: an author, or a client that did not sign in. */
type Revoker = DeveloperAuthor | { clientId: string; address: string }

/**
 * Revokes a token of an installation of the developer's apps, or one of the developer's own tokens
 * (RFC 7009). Every replica refuses it from the next request on. Any other token, and text that is
 * no token, is ignored. The work is the same whether the revoker exists: nobody learns by the time
 * which client ids there are.
 *
 * @returns false when the token is somebody else's
 */
export async function revokeToken(
  deps: TokenDeps,
  revoker: Revoker,
  token: string,
): Promise<boolean> {
  const claims = (await verified(deps, token))?.claims
  if (claims === undefined) return true
  const owner = await developerOfToken(deps.db, claims)
  const developerId = await developerOf(deps.db, revoker)
  if (owner === undefined || owner !== developerId) return false
  const actor = 'actor' in revoker ? revoker.actor : bearerOf(claims, revoker.address)
  await endToken(deps.db, claims, actor)
  await forgetExpired(deps)
  return true
}

async function developerOf(db: Deps['db'], revoker: Revoker): Promise<string | undefined> {
  if ('actor' in revoker) return revoker.developerId
  const where = { clientId: revoker.clientId, removedAt: null }
  return (await db.developerCredential.findFirst({ where }))?.developerId
}

/** The actor when a client did not sign in: holding the token is enough to revoke it. */
function bearerOf(claims: TokenClaims, address: string): Actor {
  const kind = claims.aud === 'account' ? 'user' : claims.aud
  return { kind, id: claims.aud === 'developer' ? claims.client_id : claims.sub, address }
}

/** Removes old revocations. Rows that another request is removing are skipped. */
async function forgetExpired({ db, now }: Pick<Deps, 'db' | 'now'>): Promise<void> {
  const before = new Date(now().getTime() - KEPT_AFTER_EXPIRY_SECONDS * 1000)
  await db.$executeRaw`
    DELETE FROM revoked_tokens WHERE jti IN (
      SELECT jti FROM revoked_tokens WHERE expires_at < ${before}
      LIMIT ${FORGOTTEN_AT_ONCE} FOR UPDATE SKIP LOCKED)`
}

/**
 * Revokes all tokens that exist for an installation; new ones can be made.
 *
 * @throws AppError installation_not_accessible, the same for an unknown installation and for
 *   another developer's
 */
export async function revokeInstallationTokens(
  { db }: Pick<Deps, 'db'>,
  { developerId, actor }: DeveloperAuthor,
  installationId: string,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const installation = isUuid(installationId)
      ? await tx.installation.findFirst({ where: { id: installationId, developerId, live: true } })
      : null
    if (installation === null) throw new AppError('installation_not_accessible')
    // If the installation was uninstalled since it was read, its tokens are dead already.
    await tx.installation.updateMany({
      where: { id: installation.id, live: true },
      data: { tokenGeneration: { increment: 1 } },
    })
    await recordAudit(tx, {
      actor,
      action: 'installation.tokens_revoked',
      subject: { kind: 'installation', id: installation.id },
      developerId,
      partyId: installation.partyId,
    })
  })
}

/** What introspection tells of a token (RFC 7662, 2.2); only `active: false` for a dead one. */
export type IntrospectedToken =
  | { active: false }
  | {
      active: true
      token_type: 'Bearer'
      iss: string
      sub: string
      aud: string
      client_id: string
      scope: string
      iat: number
      exp: number
      jti: string
      app_id: string
      party_id: number
      party_type: PartyType
      user_id?: string | undefined
    }

/**
 * Tells whether a token of an installation of the developer's apps would be accepted now. Any other
 * text is inactive, so the response does not reveal the tokens of other developers.
 */
export async function introspectToken(
  deps: TokenDeps,
  developerId: string,
  token: string,
): Promise<IntrospectedToken> {
  const known = await verified(deps, token)
  if (known?.claims.aud !== 'installation') return { active: false }
  if ((await developerOfToken(deps.db, known.claims)) !== developerId) return { active: false }
  const principal = await ignoring('invalid_token', deps.principals.check(known))
  if (principal === undefined) return { active: false }
  const { gen: _gen, cid: _cid, ugen: _ugen, mgen: _mgen, ...shown } = known.claims
  return { active: true, token_type: 'Bearer', ...shown }
}

async function verified(
  { keys, config, now }: Pick<Deps, 'keys' | 'config' | 'now'>,
  token: string,
): Promise<VerifiedToken | undefined> {
  try {
    const { publicKeyOf } = keys
    return await verifyToken(token, { publicKeyOf, issuer: config.publicUrl, now })
  } catch (error) {
    if (error instanceof AppError && error.status === 401) return undefined
    throw error
  }
}
