import { randomUUID } from 'node:crypto'
import type { Deps } from '../deps.ts'
import type { AccountClaims, DeveloperClaims, InstallationClaims } from './claims.ts'
import type { IssuedToken } from './issued-token.ts'

type ClaimsOf<Claims> = Omit<Claims, 'iss' | 'iat' | 'exp' | 'jti'>

/**
 * Signs a token for a principal that the caller has found to be live.
 *
 * @param claims who the token is for and what it may do
 * @param ttlSeconds its lifetime
 */
export async function issueToken(
  { keys, config, now }: Pick<Deps, 'keys' | 'config' | 'now'>,
  claims: ClaimsOf<DeveloperClaims> | ClaimsOf<InstallationClaims> | ClaimsOf<AccountClaims>,
  ttlSeconds: number,
): Promise<IssuedToken> {
  const iat = Math.floor(now().getTime() / 1000)
  const exp = iat + ttlSeconds
  const token = await keys.sign({
    iss: config.publicUrl,
    ...claims,
    iat,
    exp,
    jti: randomUUID(),
  })
  return {
    token,
    tokenType: 'Bearer',
    expiresIn: ttlSeconds,
    expiresAt: new Date(exp * 1000).toISOString(),
  }
}
