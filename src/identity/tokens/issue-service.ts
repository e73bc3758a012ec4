import { randomUUID } from 'node:crypto'
import type {
  AccountClaims,
  DeveloperClaims,
  InstallationClaims,
} from '../../base/values/token-claims.ts'
import type { Deps } from '../../deps.ts'
import type { IssuedToken } from './issued-token.ts'

/** The claims to sign. A token without a `jti` gets a new one. */
type ClaimsOf<Claims> = Omit<Claims, 'iss' | 'iat' | 'exp' | 'jti'> & { jti?: string }

/**
 * Signs a token for a principal that the caller has found to be live.
 *
 * @param claims who the token is for and what it may do
 * @param ttlSeconds its lifetime
 * @param seenKids ids of keys that this request has just read from the database
 */
export async function issueToken(
  { keys, config, now, measures }: Pick<Deps, 'keys' | 'config' | 'now' | 'measures'>,
  claims: ClaimsOf<DeveloperClaims> | ClaimsOf<InstallationClaims> | ClaimsOf<AccountClaims>,
  ttlSeconds: number,
  seenKids?: readonly string[],
): Promise<IssuedToken> {
  const iat = Math.floor(now().getTime() / 1000)
  const exp = iat + ttlSeconds
  const jti = claims.jti ?? randomUUID()
  const token = await keys.sign({ iss: config.publicUrl, ...claims, iat, exp, jti }, seenKids)
  measures.tokensMade[claims.aud] += 1
  return {
    token,
    tokenType: 'Bearer',
    expiresIn: ttlSeconds,
    expiresAt: new Date(exp * 1000).toISOString(),
  }
}
