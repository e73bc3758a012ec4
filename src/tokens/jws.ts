import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { createSigner, createVerifier } from 'fast-jwt'

/** Documented to clients, so that they can size their storage. */
export const TOKEN_MAX_LENGTH = 2048

/** Our header, byte by byte. */
const HEADER = /^\{"alg":"ES256","typ":"at\+jwt","kid":"([A-Za-z0-9_-]{1,64})"\}$/

/** ES256 signatures are 64 bytes: 86 characters whose last one has four unused zero bits. */
const COMPACT_JWS = /^([A-Za-z0-9_-]{1,400})\.([A-Za-z0-9_-]{1,1600})\.[A-Za-z0-9_-]{85}[AQgw]$/

/**
 * Signs claims as an access token (RFC 9068) with ES256.
 *
 * @param privateKeyPem PKCS #8
 */
export function createTokenSigner(kid: string, privateKeyPem: string) {
  const sign = createSigner({
    algorithm: 'ES256',
    key: privateKeyPem,
    kid,
    header: { alg: 'ES256', typ: 'at+jwt' },
  })
  return (claims: Record<string, unknown>): string => sign(claims)
}

/** What a private key is bound to: its ciphertext opens in no other row. */
export const signingKeyContext = (kid: string) => `signing key ${kid}`

/** The text (SPKI, PEM) of a public key, as @fastify/jwt and fast-jwt take it. */
export function publicKeyPem(publicJwk: JsonWebKey): string {
  const key = createPublicKey({ key: publicJwk, format: 'jwk' })
  return key.export({ type: 'spki', format: 'pem' }) as string
}

/**
 * Verifies the signature of tokens made with one key. Times and all other claims are the
 * caller's to check.
 */
export function createTokenVerifier(publicKey: string) {
  const verify = createVerifier({
    algorithms: ['ES256'],
    key: publicKey,
    ignoreExpiration: true,
    ignoreNotBefore: true,
    cache: false,
  })
  return (token: string): unknown => verify(token)
}

/**
 * The `kid` of a token whose form is exactly that of our own tokens, or undefined.
 *
 * Checked before any cryptography: three base64url segments without padding, and a header that is
 * ours in every byte. So `none`, other algorithms, `jwk`, `jku`, `x5u`, `crit`, `b64` and names
 * that stand twice are refused by not being in our header.
 */
export function kidOfToken(token: string): string | undefined {
  if (token.length > TOKEN_MAX_LENGTH) return undefined
  const segment = COMPACT_JWS.exec(token)?.[1]
  return segment === undefined ? undefined : HEADER.exec(textOf(segment))?.[1]
}

/**
 * Whether a token has its claims in the form that we write. A name that stands twice, which some
 * readers take by its first value and some by its last (RFC 7519, 4), is not ours.
 */
export function isWrittenByUs(token: string, claims: unknown): boolean {
  return textOf(token.split('.', 2)[1] ?? '') === JSON.stringify(claims)
}

function textOf(segment: string): string {
  return Buffer.from(segment, 'base64url').toString('utf8')
}
