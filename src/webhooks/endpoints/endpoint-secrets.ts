import { secretHash } from '../../secrets/findable-secret.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import type { StaticHeaders } from './static-headers.ts'

/** How long the secret before a rotation signs as well. */
export const ROTATION_MS = 24 * 60 * 60 * 1000

/** What the secrets of an endpoint are bound to, the current one and the one before. */
export function endpointSecretContext(endpointId: string): string {
  return JSON.stringify(['webhook secret', endpointId])
}

/** What the static headers of an endpoint are bound to. */
export function endpointHeadersContext(endpointId: string): string {
  return JSON.stringify(['webhook headers', endpointId])
}

/** The columns of an endpoint's secret: encrypted, and the hash by which it is found. */
export function sealSecret(secrets: SecretBox, endpointId: string, secret: string) {
  const sealed = secrets.encrypt(Buffer.from(secret), endpointSecretContext(endpointId))
  return { secret: new Uint8Array(sealed), secretSha256: secretHash(secret) }
}

/** The stored names and values of static headers; no values without names. */
export function sealHeaders(secrets: SecretBox, endpointId: string, headers: StaticHeaders) {
  const headerNames = Object.keys(headers)
  if (headerNames.length === 0) return { headerNames, headers: null }
  const plaintext = Buffer.from(JSON.stringify(headers))
  const sealed = secrets.encrypt(plaintext, endpointHeadersContext(endpointId))
  return { headerNames, headers: new Uint8Array(sealed) }
}

/**
 * The secrets that sign what is sent to an endpoint now, the current one first.
 *
 * @throws SecretBoxError when one was encrypted with a key that is gone
 */
export function signingSecrets(
  secrets: SecretBox,
  endpoint: {
    id: string
    secret: Uint8Array
    previousSecret: Uint8Array | null
    previousSecretUntil: Date | null
  },
  now: Date,
): string[] {
  const { id, secret, previousSecret, previousSecretUntil: until } = endpoint
  const isRotating = previousSecret !== null && until !== null && until > now
  return [secret, ...(isRotating ? [previousSecret] : [])].map((sealed) =>
    secrets.decrypt(sealed, endpointSecretContext(id)).toString('utf8'),
  )
}

/**
 * The static headers of an endpoint with their values.
 *
 * @throws SecretBoxError when they were encrypted with a key that is gone
 */
export function openHeaders(
  secrets: SecretBox,
  { id, headers }: { id: string; headers: Uint8Array | null },
): StaticHeaders {
  if (headers === null) return {}
  return JSON.parse(secrets.decrypt(headers, endpointHeadersContext(id)).toString('utf8'))
}
