import { createPrivateKey, createPublicKey, type JsonWebKey, sign, verify } from 'node:crypto'
import { promisify } from 'node:util'

const signInPool = promisify(sign)

/** Documented, so that clients can size their storage. */
export const TOKEN_MAX_LENGTH = 2048

/** The header of every token that we make, byte by byte. */
const HEADER = /^\{"alg":"ES256","typ":"at\+jwt","kid":"([A-Za-z0-9_-]{1,64})"\}$/

/** ES256 signatures are 64 bytes: 86 characters whose last one has four unused zero bits. */
const COMPACT_JWS = /^([A-Za-z0-9_-]{1,400})\.([A-Za-z0-9_-]{1,1600})\.([A-Za-z0-9_-]{85}[AQgw])$/

/** The order of P-256 (SEC 2, 2.4.2), and half of it as 32 bytes. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const HALF_ORDER = Buffer.from((ORDER >> 1n).toString(16).padStart(64, '0'), 'hex')

/**
 * Whether the second half of a signature is in its lower half: with `s`, `ORDER - s` is good, too, and
 * a token is to have one signature only.
 */
function isLowS(signature: Buffer): boolean {
  return signature.compare(HALF_ORDER, 0, 32, 32, 64) <= 0
}

/**
 * A signature in the form that tokens have: r and s as 32 bytes each, of the two that are good the
 * one with the lower s.
 *
 * @param der the same numbers in DER (RFC 3279, 2.2.3), as long as they need
 */
function tokenSignature(der: Buffer): string {
  const rEnd = 4 + der.readUInt8(3)
  const bytes = Buffer.concat([der.subarray(4, rEnd), der.subarray(rEnd + 2)].map(in32Bytes))
  if (!isLowS(bytes)) {
    const s = ORDER - BigInt(`0x${bytes.toString('hex', 32)}`)
    bytes.write(s.toString(16).padStart(64, '0'), 32, 'hex')
  }
  return bytes.toString('base64url')
}

function in32Bytes(number: Buffer): Buffer {
  return Buffer.concat([Buffer.alloc(32), number]).subarray(-32)
}

/** Signs claims as an access token (RFC 9068). */
export type TokenSigner = (claims: Record<string, unknown>) => Promise<string>

/**
 * Signs with ES256, on a thread of libuv's pool: signing is a quarter of what a token costs, and the
 * event loop serves other requests meanwhile. The signature is asked for in DER, because Node takes
 * as long as for signing to give it in the form that tokens have.
 *
 * @param privateKeyPem PKCS #8
 */
export function createTokenSigner(kid: string, privateKeyPem: string): TokenSigner {
  const key = createPrivateKey(privateKeyPem)
  const header = segmentOf({ alg: 'ES256', typ: 'at+jwt', kid })
  return async (claims) => {
    const signed = `${header}.${segmentOf(claims)}`
    const signature = await signInPool('sha256', Buffer.from(signed), key)
    return `${signed}.${tokenSignature(signature)}`
  }
}

/** The context of the secret box for a private key: its ciphertext opens in no other row. */
export const signingKeyContext = (kid: string) => `signing key ${kid}`

/** A public key as SPKI in PEM, the form that @fastify/jwt takes. */
export function publicKeyPem(publicJwk: JsonWebKey): string {
  const key = createPublicKey({ key: publicJwk, format: 'jwk' })
  return key.export({ type: 'spki', format: 'pem' }) as string
}

/**
 * The claims of a token in compact form that the owner of a key has signed with ES256. The caller
 * checks the header, the times and all other claims.
 *
 * @throws Error when the signature is not good
 */
export function signedClaims(publicKey: string, token: string): unknown {
  const [header, claims = '', signature = ''] = token.split('.')
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
  const signed = Buffer.from(`${header}.${claims}`)
  if (!verify('sha256', signed, key, Buffer.from(signature, 'base64url'))) {
    throw new Error('The signature is not good.')
  }
  return JSON.parse(textOf(claims))
}

/**
 * The `kid` of a token that has exactly the form of our tokens, or undefined.
 *
 * This check comes before any cryptography: three base64url segments without padding, and a header
 * that equals ours in every byte. It refuses `none`, other algorithms, `jwk`, `jku`, `x5u`, `crit`,
 * `b64` and repeated names, because our header has none of them. It refuses the twin of a signature.
 */
export function kidOfToken(token: string): string | undefined {
  if (token.length > TOKEN_MAX_LENGTH) return undefined
  const [, header, , signature] = COMPACT_JWS.exec(token) ?? []
  if (header === undefined || signature === undefined) return undefined
  if (!isLowS(Buffer.from(signature, 'base64url'))) return undefined
  return HEADER.exec(textOf(header))?.[1]
}

/**
 * Whether the claims of a token are written as we write them. Repeated names are refused: some
 * parsers take the first value and some the last (RFC 7519, 4).
 */
export function isWrittenByUs(token: string, claims: unknown): boolean {
  return textOf(token.split('.', 2)[1] ?? '') === JSON.stringify(claims)
}

function segmentOf(value: Record<string, unknown>): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function textOf(segment: string): string {
  return Buffer.from(segment, 'base64url').toString('utf8')
}
