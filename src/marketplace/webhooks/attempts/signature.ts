import { createHmac } from 'node:crypto'
import { checksummedBytes } from '../../../base/secrets/findable-secret.ts'

const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** The parts of a message that a signature covers. */
export type SignedMessage = {
  /** `webhook-id`: the same on each attempt. */
  id: string
  /** `webhook-timestamp`: Unix time of the attempt in seconds. */
  timestamp: number
  /** The bytes that are sent, exactly. */
  body: Uint8Array
}

/**
 * A secret for an endpoint (Standard Webhooks 1.0): `whsec_` and 32 bytes in base64, of which 28
 * are random and the last four their CRC-32.
 */
export function newSecret(): string {
  return `${SECRET_PREFIX}${checksummedBytes(SECRET_BYTES).toString('base64')}`
}

/**
 * The value of `webhook-signature` (Standard Webhooks 1.0): `v1,<base64>` for each secret,
 * separated by spaces. A receiver accepts the message if one signature matches; during a rotation
 * there are two.
 *
 * @throws TypeError when a text is not such a secret, or when there is none
 */
export function signatureHeader({
  secrets,
  ...message
}: SignedMessage & { secrets: readonly string[] }): string {
  if (secrets.length === 0) throw new TypeError('a webhook needs a secret to be signed with')
  return secrets.map((secret) => `v1,${sign(message, keyOf(secret))}`).join(' ')
}

/** HMAC-SHA256 of `id.timestamp.body`. */
function sign({ id, timestamp, body }: SignedMessage, key: Buffer): string {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
}

function keyOf(secret: string): Buffer {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  if (!secret.startsWith(SECRET_PREFIX) || key.length !== SECRET_BYTES) {
    throw new TypeError('not a secret of a webhook endpoint')
  }
  return key
}
