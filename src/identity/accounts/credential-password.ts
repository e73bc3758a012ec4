import { findableSecret, secretHash } from '../../base/secrets/findable-secret.ts'

/** The hash by which a generated password is found when it is reported; null for a chosen one. */
export type FoundBy = { secretSha256: Uint8Array<ArrayBuffer> | null }

/** The password of a new credential: the given one, or else a random one. */
export function passwordOf(given: { password?: string | undefined }): FoundBy & {
  password: string
} {
  if (given.password !== undefined) return { password: given.password, secretSha256: null }
  const password = findableSecret('credential')
  return { password, secretSha256: secretHash(password) }
}
