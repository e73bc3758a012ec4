import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { OperatorError } from '../../errors.ts'

const FORMAT = 1
const KEY_ID_BYTES = 4
const NONCE_BYTES = 12
const TAG_BYTES = 16
const FINGERPRINT_BYTES = 8
const HEADER_BYTES = 1 + KEY_ID_BYTES + NONCE_BYTES

/** Encrypts small secrets for the database (AES-256-GCM, NIST SP 800-38D). */
export type SecretBox = {
  /**
   * Encrypts a text. Layout: format (1 byte), key id (4), nonce (12), ciphertext, tag (16).
   *
   * @param context names what the secret belongs to. Decryption needs the same context, so a
   *   ciphertext is useless when it is copied to another row
   */
  encrypt(plaintext: Uint8Array, context: string): Buffer
  /** @throws SecretBoxError when the key is unknown, the context differs or a bit was changed */
  decrypt(ciphertext: Uint8Array, context: string): Buffer
  /** Whether the current key made this ciphertext, so that it needs no re-encryption. */
  isCurrent(ciphertext: Uint8Array): boolean
}

/** A ciphertext that cannot be opened. */
export class SecretBoxError extends OperatorError {}

/**
 * Makes a box from SECRET_KEY and, during a rotation, SECRET_KEY_PREVIOUS.
 *
 * @param current 32 bytes in base64; encrypts and decrypts
 * @param previous 32 bytes in base64; decrypts only
 */
export function createSecretBox(current: string, previous?: string): SecretBox {
  const keys = [current, ...(previous === undefined ? [] : [previous])].map((secretKey) => ({
    id: keyIdOf(secretKey),
    key: deriveKey(secretKey, 'encryption'),
  }))
  const [currentKey] = keys as [(typeof keys)[number], ...typeof keys]

  return {
    encrypt(plaintext, context) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', currentKey.key, nonce)
      cipher.setAAD(Buffer.from(context))
      return Buffer.concat([
        Buffer.of(FORMAT),
        currentKey.id,
        nonce,
        cipher.update(plaintext),
        cipher.final(),
        cipher.getAuthTag(),
      ])
    },
    decrypt(ciphertext, context) {
      const box = Buffer.from(ciphertext)
      if (box.length < HEADER_BYTES + TAG_BYTES || box[0] !== FORMAT) {
        throw new SecretBoxError('not a ciphertext of this product')
      }
      const key = keys.find(({ id }) => id.equals(box.subarray(1, 1 + KEY_ID_BYTES)))
      if (key === undefined) {
        throw new SecretBoxError('encrypted with another SECRET_KEY; set SECRET_KEY_PREVIOUS to it')
      }
      const nonce = box.subarray(1 + KEY_ID_BYTES, HEADER_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', key.key, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(context))
      decipher.setAuthTag(box.subarray(-TAG_BYTES))
      try {
        return Buffer.concat([
          decipher.update(box.subarray(HEADER_BYTES, -TAG_BYTES)),
          decipher.final(),
        ])
      } catch {
        throw new SecretBoxError('the ciphertext was changed or belongs to something else')
      }
    },
    isCurrent: (ciphertext) =>
      Buffer.from(ciphertext)
        .subarray(1, 1 + KEY_ID_BYTES)
        .equals(currentKey.id),
  }
}

/** A key for one purpose, independent of the keys of all other purposes (HKDF, RFC 5869). */
export function deriveKey(secretKey: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(secretKey, 'base64'), '', purpose, 32))
}

/** A short name for a key that reveals nothing of the key. */
function keyIdOf(secretKey: string): Buffer {
  return createHash('sha256').update(`key id:${secretKey}`).digest().subarray(0, KEY_ID_BYTES)
}

/**
 * A longer name for a key, in hexadecimal digits, to compare keys by; it reveals nothing of the
 * key.
 */
export function keyFingerprint(secretKey: string): string {
  return deriveKey(secretKey, 'fingerprint').subarray(0, FINGERPRINT_BYTES).toString('hex')
}
