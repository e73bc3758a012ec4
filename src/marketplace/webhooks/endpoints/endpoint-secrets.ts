import { secretHash } from '../../../base/secrets/findable-secret.ts'
import type { SecretBox } from '../../../base/secrets/secret-box.ts'
import type { StaticHeaders } from './static-headers.ts'

/** How long the previous secret signs beside the new one after a rotation. */
export const ROTATION_MS = 24 * 60 * 60 * 1000

/** The context of the secret box for an endpoint's current and previous secret. */
export function endpointSecretContext(endpointId: string): string {
  return JSON.stringify(['webhook secret', endpointId])
}

/** The context of the secret box for an endpoint's static headers. */
export function endpointHeadersContext(endpointId: string): string {
  return JSON.stringify(['webhook headers', endpointId])
}

/** The columns for an endpoint's secret: encrypted, and the hash by which a report finds it. */
export function sealSecret(secrets: SecretBox, endpointId: string, secret: string) {
  const sealed = secrets.encrypt(Buffer.from(secret), endpointSecretContext(endpointId))
  return { secret: new Uint8Array(sealed), secretSha256: secretHash(secret) }
}

/** The columns for static headers: their names, and their values encrypted. */
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
