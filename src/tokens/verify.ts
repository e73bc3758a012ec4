import { hash } from 'node:crypto'
import { AppError } from '../errors.ts'
import { TokenClaims } from './claims.ts'
import { createTokenVerifier, isWrittenByUs, kidOfToken } from './jws.ts'

/** How far another replica's clock may be ahead of ours. */
const CLOCK_SKEW_SECONDS = 60
/** Longest lifetime that the configuration allows. */
const LIFETIME_MAX_SECONDS = 86_400
/** Verified tokens that one process remembers; of more the first ones are forgotten. */
const REMEMBERED_MAX = 10_000

/** What a token says, and the key that signed it (`publicKey` as PEM). */
export type VerifiedToken = { claims: TokenClaims; kid: string; publicKey: string }

/**
 * Tokens whose signature was found good, by the hash of the token. Nothing else is remembered:
 * times and issuer are compared at every use, and a key that left the ring takes its tokens along.
 */
export type VerifiedTokens = {
  get(id: string): VerifiedToken | undefined
  set(id: string, token: VerifiedToken): void
  delete(id: string): void
}

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

/** What a token is remembered under: its hash. */
export function tokenId(token: string): string {
  return hash('sha256', token, 'base64')
}

type Expected = { issuer: string; now: () => Date }

/**
 * Verifies a token that did not come as the bearer token of a request: form, signature, issuer,
 * audience, types of all claims and times (RFC 9068, 4).
 *
 * Whether the principal still lives, and its key, is the principal check's to say.
 *
 * @param publicKeyOf the public key of a `kid` as PEM, or undefined
 * @throws AppError token_expired when it was ours and ran out, else invalid_token
 */
export async function verifyToken(
  token: string,
  expected: Expected & { publicKeyOf: (kid: string) => Promise<string | undefined> },
): Promise<VerifiedToken> {
  const kid = kidOfToken(token)
  const publicKey = kid === undefined ? undefined : await expected.publicKeyOf(kid)
  if (kid === undefined || publicKey === undefined) throw new AppError('invalid_token')
  const claims = claimsOf(token, signedClaims(publicKey, token))
  requireInForce(claims, expected)
  return { claims, kid, publicKey }
}

function signedClaims(publicKey: string, token: string): unknown {
  try {
    return createTokenVerifier(publicKey)(token)
  } catch (error) {
    throw new AppError('invalid_token', { cause: error })
  }
}

/**
 * The claims of a token whose signature is good.
 *
 * @throws AppError invalid_token when they are not ours in form, names and types
 */
export function claimsOf(token: string, signed: unknown): TokenClaims {
  const claims = isWrittenByUs(token, signed) ? TokenClaims.safeParse(signed).data : undefined
  if (claims === undefined) throw new AppError('invalid_token')
  return claims
}

/**
 * Checks the issuer and the times of a token.
 *
 * @throws AppError token_expired when it ran out; invalid_token
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
