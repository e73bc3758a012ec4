import { hash } from 'node:crypto'
import { TokenClaims, type VerifiedToken } from '../../base/values/token-claims.ts'
import { AppError } from '../../errors.ts'
import { isWrittenByUs, kidOfToken, signedClaims } from './jws.ts'

/** How far another replica's clock may be ahead of ours. */
const CLOCK_SKEW_SECONDS = 60
/** Longest lifetime that the configuration allows. */
const LIFETIME_MAX_SECONDS = 86_400
/** How many verified tokens a process remembers; the oldest is forgotten first. */
const REMEMBERED_MAX = 10_000

/**
 * Tokens whose signature is good, by the hash of the token. Issuer and times are compared at every
 * use, and a token is refused when its key has left the ring.
 */
export type VerifiedTokens = {
  get(id: string): VerifiedToken | undefined
  set(id: string, token: VerifiedToken): void
  delete(id: string): void
}

/** @param max how many tokens are kept; then the oldest one goes */
export function createVerifiedTokens(max = REMEMBERED_MAX): VerifiedTokens {
  // A Map iterates in the order of insertion: the first key is the oldest.
  const kept = new Map<string, VerifiedToken>()
  return {
    get: (id) => kept.get(id),
    set(id, token) {
      kept.set(id, token)
      if (kept.size <= max) return
      const [oldest] = kept.keys()
      if (oldest !== undefined) kept.delete(oldest)
    },
    delete: (id) => {
      kept.delete(id)
    },
  }
}

/** The hash under which a verified token is remembered. */
export function tokenId(token: string): string {
  return hash('sha256', token, 'base64')
}

type Expected = { issuer: string; now: () => Date }

/**
 * Verifies a token that is not the bearer token of the request: form, signature, issuer, audience,
 * types of all claims and times (RFC 9068, 4).
 *
 * The principal check tells whether the principal and the key are still live.
 *
 * @param publicKeyOf the public key of a `kid` as PEM, or undefined
 * @throws AppError token_expired when the token is ours and ran out, otherwise invalid_token
 */
export async function verifyToken(
  token: string,
  expected: Expected & { publicKeyOf: (kid: string) => Promise<string | undefined> },
): Promise<VerifiedToken> {
  const kid = kidOfToken(token)
  const publicKey = kid === undefined ? undefined : await expected.publicKeyOf(kid)
  if (kid === undefined || publicKey === undefined) throw new AppError('invalid_token')
  const claims = claimsOf(token, claimsSignedBy(publicKey, token))
  requireInForce(claims, expected)
  return { claims, kid, publicKey }
}

function claimsSignedBy(publicKey: string, token: string): unknown {
  try {
    return signedClaims(publicKey, token)
  } catch (error) {
    throw new AppError('invalid_token', { cause: error })
  }
}

/**
 * The claims of a token whose signature is good.
 *
 * @throws AppError invalid_token when the form, a name or a type differs from ours
 */
export function claimsOf(token: string, signed: unknown): TokenClaims {
  const claims = isWrittenByUs(token, signed) ? TokenClaims.safeParse(signed).data : undefined
  if (claims === undefined) throw new AppError('invalid_token')
  return claims
}

/**
 * Checks the issuer and the times of a token.
 *
 * @throws AppError token_expired when the token ran out; invalid_token
 */
export function requireInForce({ iss, iat, exp }: TokenClaims, { issuer, now }: Expected): void {
  if (iss !== issuer) throw new AppError('invalid_token')
  const nowSeconds = now().getTime() / 1000
  const lifetimeSeconds = exp - iat
  if (
    iat > nowSeconds + CLOCK_SKEW_SECONDS ||
    lifetimeSeconds < 0 ||
    lifetimeSeconds > LIFETIME_MAX_SECONDS
  ) {
    throw new AppError('invalid_token')
  }
  if (exp <= nowSeconds) throw new AppError('token_expired', { detail: 'Ask for a new token.' })
}
