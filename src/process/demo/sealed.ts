import { type SecretBox, SecretBoxError } from '../../base/secrets/secret-box.ts'

/**
 * Encrypts a value as the text of a cookie that only this server can read, and only in its context.
 */
export function seal(secrets: SecretBox, value: unknown, context: string): string {
  return secrets.encrypt(Buffer.from(JSON.stringify(value)), context).toString('base64url')
}

/** Decrypts a cookie; undefined when there is none or when it was sealed in another context. */
export function unseal<Value>(
  secrets: SecretBox,
  sealed: string | undefined,
  context: string,
): Value | undefined {
  if (sealed === undefined) return undefined
  try {
    const content = secrets.decrypt(Buffer.from(sealed, 'base64url'), context)
    return JSON.parse(content.toString('utf8')) as Value
  } catch (error) {
    // The cookie is another app's, or was made up.
    if (error instanceof SecretBoxError) return undefined
    throw error
  }
}
