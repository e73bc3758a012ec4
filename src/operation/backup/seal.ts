import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey, keyFingerprint } from '../../base/secrets/secret-box.ts'

/** The seal ends a backup: this mark, the fingerprint of the key, the MAC. */
const MARK = Buffer.from('AMSEAL1\n')
const FINGERPRINT_BYTES = 8
const MAC_BYTES = 32
export const SEAL_BYTES = MARK.length + FINGERPRINT_BYTES + MAC_BYTES

/** Follows the bytes of a backup, up to its seal. */
type Sealer = {
  update(chunk: Uint8Array): void
  /** The seal of all bytes that were given to `update`. */
  seal(): Buffer
}

/** Makes seals: HMAC-SHA-256 over all bytes of the file, with a key derived from SECRET_KEY. */
export function createSealer(secretKey: string): Sealer {
  const hmac = createHmac('sha256', deriveKey(secretKey, 'backup seal'))
  return {
    update: (chunk) => void hmac.update(chunk),
    seal() {
      const head = Buffer.concat([MARK, Buffer.from(keyFingerprint(secretKey), 'hex')])
      return Buffer.concat([head, hmac.update(head).digest()])
    },
  }
}

/** The fingerprint of the key that made a seal; undefined when the bytes are no seal. */
export function sealedBy(seal: Buffer): string | undefined {
  if (seal.length !== SEAL_BYTES || !seal.subarray(0, MARK.length).equals(MARK)) return undefined
  return seal.subarray(MARK.length, -MAC_BYTES).toString('hex')
}

/** Whether two seals are the same, in a time that tells nothing of where they differ. */
export function isSameSeal(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
