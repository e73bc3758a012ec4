import { hash, timingSafeEqual } from 'node:crypto'

/** SHA-256 in base64url, without padding (RFC 7636, 4.2). */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/
/** RFC 7636, 4.1 */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/

/** Whether a text can be a challenge of the method S256. */
export function isCodeChallenge(text: string): boolean {
  return CHALLENGE.test(text)
}

/** Whether a challenge was made of a verifier with the method S256. */
export function provesChallenge(verifier: string, challenge: string): boolean {
  if (!VERIFIER.test(verifier)) return false
  const made = Buffer.from(hash('sha256', verifier, 'base64url'))
  const wanted = Buffer.from(challenge)
  return made.length === wanted.length && timingSafeEqual(made, wanted)
}
