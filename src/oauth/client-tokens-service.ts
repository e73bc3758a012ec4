import type { Deps } from '../deps.ts'
import { type IntrospectedToken, introspectToken, revokeToken } from '../tokens/revoke-service.ts'
import { type OAuthClient, provenClient } from './client-service.ts'

/**
 * Revokes a token of the client (RFC 7009). A public client has nothing but the token; of another
 * client's token, or an unknown one, nothing is told.
 *
 * @param address where the request comes from
 */
export async function revokeOfClient(
  deps: Pick<Deps, 'db' | 'keys' | 'config' | 'now' | 'principals'>,
  { client, address }: { client: OAuthClient; address: string },
  token: string,
): Promise<void> {
  if (client.kind === 'proven') {
    const { developerId, clientId } = client.credential
    const actor = { kind: 'developer', id: clientId, address } as const
    return revokeToken(deps, { developerId, actor }, token)
  }
  await revokeToken(deps, { clientId: client.clientId ?? '', address }, token)
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
