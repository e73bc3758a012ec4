import type { Deps } from '../../deps.ts'
import {
  type IntrospectedToken,
  introspectToken,
  revokeToken,
} from '../../identity/tokens/revoke-service.ts'
import { namedClientId, type OAuthClient, provenClient } from './client-service.ts'
import { OAuthError } from './oauth-error.ts'

/**
 * Revokes a token of the client (RFC 7009). Unknown tokens are ignored, and so are those of others
 * when the client has proved who it is. A public client that names the wrong id has to learn that a
 * live token lives on; whether it is live is not said. An unknown id and that of another client are
 * refused alike: strangers learn nothing of client ids.
 *
 * @param address where the request comes from
 * @throws OAuthError invalid_request without a client; invalid_client for a public client that is not
 *   that of the token
 */
export async function revokeOfClient(
  deps: Pick<Deps, 'db' | 'keys' | 'config' | 'now' | 'principals'>,
  { client, address }: { client: OAuthClient; address: string },
  token: string,
): Promise<void> {
  if (client.kind === 'proven') {
    const { developerId, clientId } = client.credential
    const actor = { kind: 'developer', id: clientId, address } as const
    await revokeToken(deps, { developerId, actor }, token)
    return
  }
  if (await revokeToken(deps, { clientId: namedClientId(client), address }, token)) return
  throw new OAuthError(
    'invalid_client',
    'The client_id is wrong, or the token belongs to another client. This request revoked nothing.',
  )
}

/**
 * Tells whether a token of the client would be accepted now (RFC 7662).
 *
 * @throws OAuthError invalid_client when the client does not prove who it is
 */
export async function introspectOfClient(
  deps: Pick<Deps, 'db' | 'keys' | 'config' | 'now' | 'principals'>,
  client: OAuthClient,
  token: string,
): Promise<IntrospectedToken> {
  return introspectToken(deps, provenClient(client).developerId, token)
}
