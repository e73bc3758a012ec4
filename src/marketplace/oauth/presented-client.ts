import { storageProblem } from '../../base/values/hostile-json.ts'
import { OAuthError } from './oauth-error.ts'

/** How a client says who it is (RFC 6749, 2.3.1): with its password, or with its id alone. */
export type PresentedClient =
  /** `hint`: what may be wrong with the password, if it is. */
  | { clientId: string; password: string; hint?: string }
  | { clientId: string | undefined; password?: undefined }

/** What a client reads that may have joined id and password as they are. */
const ENCODING_HINT =
  ' In Authorization: Basic, the id and the password are each form-encoded before they are joined: ' +
  'a % is written as %25, and a + as %2B (RFC 6749, 2.3.1).'

/**
 * Reads the client of a token request: from `Authorization: Basic`, or from the body. An empty password
 * is as good as none, in both. Another scheme of the header says nothing of the client.
 *
 * @throws OAuthError invalid_request when there are two; invalid_client when the header is broken
 */
export function presentedClient(
  authorization: string | undefined,
  { client_id: clientId, client_secret: password }: { client_id?: string; client_secret?: string },
): PresentedClient {
  if (authorization === undefined || !/^basic(\s|$)/i.test(authorization)) {
    if (password === undefined) return { clientId }
    if (clientId !== undefined) return { clientId, password }
    throw new OAuthError('invalid_request', 'A client_secret needs a client_id.')
  }
  const [id = '', secret] = basicCredentials(authorization)
  const hint = /[%+]/.test(id + secret) ? ENCODING_HINT : ''
  const basic = { clientId: formDecoded(id), password: formDecoded(secret ?? '') }
  if (!basic.clientId || secret === undefined || basic.password === undefined) {
    const detail = `The Authorization header holds no id and password.${hint}`
    throw new OAuthError('invalid_client', detail)
  }
  if (password !== undefined || (clientId !== undefined && clientId !== basic.clientId)) {
    throw new OAuthError('invalid_request', 'The client is authenticated in two ways.')
  }
  if (basic.password === '') return { clientId: basic.clientId }
  return { clientId: basic.clientId, password: basic.password, hint }
}

/** Id and password of a header, as they were joined: each is form-encoded. */
function basicCredentials(header: string): string[] {
  const [, encoded = ''] = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header) ?? []
  const [, ...parts] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  return parts
}

function formDecoded(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '))
    return storageProblem(decoded) === undefined ? decoded : undefined
  } catch {
    return undefined
  }
}
