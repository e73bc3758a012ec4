import { createHash } from 'node:crypto'
import { type SecretBox, SecretBoxError } from '../../base/secrets/secret-box.ts'

/**
 * The page that a form was on: whose it was, in which session, and the kept form that it showed.
 * It comes back with the form, so that what was typed is known to be the owner's although the
 * session has ended.
 */
export type FormOrigin = {
  ownerId: string
  /** As the form's token is bound to it. */
  session: string
  /** The developer that the page was about; only in the developer console. */
  developer?: { id: string; name: string } | undefined
  kept: { id: string; path: string } | undefined
}

const SEPARATOR = '~'

/**
 * The token of a form with the sealed origin after it.
 *
 * @param scope of whose visitors the page is
 */
export function withOrigin(
  secrets: SecretBox,
  scope: string,
  token: string,
  origin: FormOrigin,
): string {
  const sealed = secrets.encrypt(Buffer.from(JSON.stringify(origin)), contextOf(scope))
  return token + SEPARATOR + sealed.toString('base64url')
}

/** The two parts of what a form has sent; the origin is undefined when it is not ours. */
export function splitToken(
  secrets: SecretBox,
  scope: string,
  sent: string,
): { token: string; origin: FormOrigin | undefined } {
  const [token = '', sealed] = sent.split(SEPARATOR, 2)
  if (sealed === undefined) return { token, origin: undefined }
  try {
    const text = secrets.decrypt(Buffer.from(sealed, 'base64url'), contextOf(scope))
    return { token, origin: JSON.parse(text.toString('utf8')) as FormOrigin }
  } catch (error) {
    if (error instanceof SecretBoxError) return { token, origin: undefined }
    throw error
  }
}

/**
 * The id of a form as it was sent: the same when it is sent again, another one when it says
 * something else or comes from another page. The token in it cannot be guessed.
 *
 * @param session that the token was checked for
 * @param body all fields, with the token
 */
export function sentFormIdOf(session: string, path: string, body: unknown): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([session, path, body]))
    .digest('hex')
  return hash.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

function contextOf(scope: string): string {
  return `form origin:${scope}`
}
