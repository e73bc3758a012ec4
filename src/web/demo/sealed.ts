import { type SecretBox, SecretBoxError } from '../../secrets/secret-box.ts'

/** A value as the text of a cookie that only this server reads, and only in its context. */
export function seal(secrets: SecretBox, value: unknown, context: string): string {
  return secrets.encrypt(Buffer.from(JSON.stringify(value)), context).toString('base64url')
}

/** The value of a cookie; undefined where there is none, or where it was sealed elsewhere. */
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
    // Of another app, or made up.
    if (error instanceof SecretBoxError) return undefined
    throw error
  }
}
