import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** The prefixes of generated secrets, by which scanners find a leaked one. */
const SECRET_PREFIXES = {
  code: 'amc_',
  credential: 'amkt_client_',
  installLink: 'amkt_install_',
  link: 'amkt_link_',
} as const
export type FindableKind = keyof typeof SECRET_PREFIXES

const RANDOM_BYTES = { code: 32, credential: 24, installLink: 32, link: 32 } as const
const CHECKSUM_LENGTH = 6
const CRC_BYTES = 4
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A new secret: prefix, random bits in base64url, checksum. */
export function findableSecret(kind: FindableKind): string {
  const body = `${SECRET_PREFIXES[kind]}${randomBytes(RANDOM_BYTES[kind]).toString('base64url')}`
  return body + checksum(body)
}

/** Whether a text has the form of a secret of this kind, its checksum included. */
export function isSecretOf(kind: FindableKind, text: string): boolean {
  const prefix = SECRET_PREFIXES[kind]
  const randomLength = Math.ceil((RANDOM_BYTES[kind] * 4) / 3)
  if (text.length !== prefix.length + randomLength + CHECKSUM_LENGTH) return false
  const body = text.slice(0, -CHECKSUM_LENGTH)
  return text.startsWith(prefix) && checksum(body) === text.slice(-CHECKSUM_LENGTH)
}

/**
 * Random bytes that end with the CRC-32 of all before it (4 bytes, big-endian): the checksum of a
 * secret whose form is given by a standard and has no place for one.
 *
 * @param length of all, in bytes
 */
export function checksummedBytes(length: number): Buffer {
  const bytes = randomBytes(length)
  const end = length - CRC_BYTES
  bytes.writeUInt32BE(crc32(bytes.subarray(0, end)), end)
  return bytes
}

/**
 * The hash that a generated secret is stored and looked up by. Its random bits need neither a salt
 * nor a slow hash.
 */
export function secretHash(secret: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hash('sha256', secret, 'buffer'))
}

/** CRC-32 in six digits of base 62. It tells a secret from a text that looks like one. */
function checksum(body: string): string {
  let rest = crc32(body)
  let digits = ''
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    digits = DIGITS.charAt(rest % DIGITS.length) + digits
    rest = Math.floor(rest / DIGITS.length)
  }
  return digits
}
