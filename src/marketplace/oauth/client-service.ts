import type { Deps } from '../../deps.ts'
import {
  checkDeveloperPassword,
  type SignedInCredential,
} from '../../identity/auth/developer-login-service.ts'
import { OAuthError } from './oauth-error.ts'
import type { PresentedClient } from './presented-client.ts'

/**
 * Who asks: a credential whose password was right, or a client that only gave a client id, if any.
 */
export type OAuthClient =
  | { kind: 'proven'; clientId: string; credential: SignedInCredential }
  | { kind: 'public'; clientId: string | undefined }

/**
 * Authenticates the client of a token request, under the limits of `POST /v1/Auth`. Whether the id
 * of a public client exists is not looked up here: strangers learn nothing of client ids.
 *
 * @param address where the request comes from
 * @throws OAuthError invalid_client; AppError too_many_requests, unavailable
 */
export async function authenticateClient(
  deps: Pick<Deps, 'db' | 'pool' | 'passwords' | 'measures' | 'now' | 'auditCounts'>,
  presented: PresentedClient,
  address: string,
): Promise<OAuthClient> {
  if (presented.password === undefined) return { kind: 'public', clientId: presented.clientId }
  const { clientId, password, hint = '' } = presented
  const credential = await checkDeveloperPassword(deps, { clientId, password }, address)
  if (credential === undefined) {
    throw new OAuthError('invalid_client', `The client id or the password is wrong.${hint}`)
  }
  return { kind: 'proven', clientId, credential }
}

/**
 * The credential of a client that has to prove who it is.
 *
 * @throws OAuthError invalid_client
 */
export function provenClient(client: OAuthClient): SignedInCredential {
  if (client.kind === 'proven') return client.credential
  throw new OAuthError('invalid_client', 'This request needs the password of the client.')
}

/**
 * The id of a client that has to say who it is, with a password or without (RFC 6749, 3.2.1).
 *
 * @throws OAuthError invalid_request
 */
export function namedClientId({ clientId }: OAuthClient): string {
  if (clientId !== undefined) return clientId
  throw new OAuthError('invalid_request', 'The parameter client_id is missing.')
}
