import { hash } from 'node:crypto'
import { AppError } from '../errors.ts'
import { TokenClaims } from './claims.ts'
import { isWrittenByUs, kidOfToken } from './jws.ts'

/** How far another replica's clock may be ahead of ours. */
const CLOCK_SKEW_SECONDS = 60
/** Longest lifetime that the configuration allows. */
const LIFETIME_MAX_SECONDS = 86_400

/** What a token says, and the key that signed it. */
export type VerifiedToken = { claims: TokenClaims; kid: string }

/** Verified tokens that one process remembers; of more the first ones are forgotten. */
const REMEMBERED_MAX = 10_000

type Verify = (token: string) => unknown
type Remembered = VerifiedToken & { verify: Verify }

/**
 * Signatures that were found good, by the hash of the token. Nothing else is remembered: times
 * and issuer are compared at every use, and a key that left the ring takes its tokens along.
 */
export type VerifiedTokens = {
  get(hash: string): Remembered | undefined
  set(hash: string, token: Remembered): void
  delete(hash: string): void
}

export function createVerifiedTokens(max = REMEMBERED_MAX): VerifiedTokens {
  // A Map iterates in the order of insertion: the first key is the oldest.
  const kept = new Map<string, Remembered>()
  return {
    get: (hash) => kept.get(hash),
    set(hash, token) {
      kept.set(hash, token)
      if (kept.size <= max) return
      const [oldest] = kept.keys()
      if (oldest !== undefined) kept.delete(oldest)
    },
    delete: (hash) => {
      kept.delete(hash)
    },
  }
}

type Verification = {
  /** A promise only when the key is unknown. */
  verifierOf: (kid: string) => Promise<Verify | undefined> | Verify
  issuer: string
  now: () => Date
  /** Saves verifying a signature again. */
  remembered?: { tokens: VerifiedTokens; id: string }
}

/** What a token is remembered under: its hash. */
export function tokenId(token: string): string {
  return hash('sha256', token, 'base64')
}

/**
 * Checks form, signature, issuer, audience, types of all claims and times (RFC 9068, 4).
 *
 * Whether the principal still lives, and its key, is the principal check's to say.
 *
 * @returns a token that this marketplace signed and that has not run out; while it is remembered,
 *   the same object each time, and no promise
 * @throws AppError token_expired when it was ours and ran out, else invalid_token
 */
export function verifyToken(
  token: string,
  verification: Verification,
): VerifiedToken | Promise<VerifiedToken> {
  const { verifierOf, remembered } = verification
  const known = remembered?.tokens.get(remembered.id)
  const kid = known === undefined ? kidOfToken(token) : known.kid
  const asked = kid === undefined ? undefined : verifierOf(kid)
  if (known !== undefined) {
    if (asked === known.verify) return inTime(known, verification)
    remembered?.tokens.delete(remembered.id)
  }
  return readClaims(token, kid, asked).then((found) => {
    remembered?.tokens.set(remembered.id, found)
    return inTime(found, verification)
  })
}

function inTime(found: Remembered, { issuer, now, remembered }: Verification): VerifiedToken {
  const { claims } = found
  if (claims.iss !== issuer) throw new AppError('invalid_token')
  const nowSeconds = now().getTime() / 1000
  const lifetimeSeconds = claims.exp - claims.iat
  if (
    claims.iat > nowSeconds + CLOCK_SKEW_SECONDS ||
    lifetimeSeconds < 0 ||
    lifetimeSeconds > LIFETIME_MAX_SECONDS
  ) {
    throw new AppError('invalid_token')
  }
  if (claims.exp <= nowSeconds) {
    remembered?.tokens.delete(remembered.id)
    throw new AppError('token_expired', { detail: 'Ask for a new token.' })
  }
  return found
}

async function readClaims(
  token: string,
  kid: string | undefined,
  asked: ReturnType<Verification['verifierOf']> | undefined,
): Promise<Remembered> {
  const verify = await asked
  if (kid === undefined || verify === undefined) throw new AppError('invalid_token')
  const claims = parseClaims(verify, token)
  if (claims === undefined) throw new AppError('invalid_token')
  return { claims, verify, kid }
}

function parseClaims(verify: Verify, token: string): TokenClaims | undefined {
  try {
    const claims = verify(token)
    return isWrittenByUs(token, claims) ? TokenClaims.safeParse(claims).data : undefined
  } catch {
    return undefined
  }
}
