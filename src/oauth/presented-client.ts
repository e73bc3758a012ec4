import { storageProblem } from '../values/hostile-json.ts'
import { OAuthError } from './oauth-error.ts'

/** How a client says who it is (RFC 6749, 2.3.1): with its password, or with its id alone. */
export type PresentedClient =
  | { clientId: string; password: string }
  | { clientId: string | undefined; password?: undefined }

/**
 * Reads the client of a token request: from `Authorization: Basic`, or from the body. Another scheme
 * of the header says nothing of the client.
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
  const basic = basicCredentials(authorization)
  if (basic === undefined) {
    throw new OAuthError('invalid_client', 'The Authorization header holds no id and password.')
  }
  if (password !== undefined || (clientId !== undefined && clientId !== basic.clientId)) {
    throw new OAuthError('invalid_request', 'The client is authenticated in two ways.')
  }
  return basic
}

/** Id and password of a header: each form-encoded, then joined, then Base64. */
function basicCredentials(header: string): { clientId: string; password: string } | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header) ?? []
  const [, id, secret] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString()) ?? []
  const clientId = id && formDecoded(id)
  const password = secret && formDecoded(secret)
  return clientId && password ? { clientId, password } : undefined
}

function formDecoded(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '))
    return storageProblem(decoded) === undefined ? decoded : undefined
  } catch {
    return undefined
  }
}
