import { z } from 'zod'
import { PERMISSIONS } from '../apps/permissions.ts'
import { GRANT_TYPES } from './token-request.ts'

const WITH_PASSWORD = ['client_secret_basic', 'client_secret_post']
const EXAMPLE_SERVER = 'https://marketplace.example'

/**
 * The metadata of the server, or of the server as one app sees it: each app has an authorization
 * endpoint of its own, and so an issuer of its own. Tokens, keys and all other endpoints are shared.
 */
export function serverMetadata(publicUrl: string, appId?: string) {
  return {
    issuer: appId === undefined ? publicUrl : issuerOfApp(publicUrl, appId),
    ...(appId !== undefined && {
      authorization_endpoint: `${publicUrl}/Apps/Authenticate/${appId}`,
    }),
    token_endpoint: `${publicUrl}/oauth/token`,
    jwks_uri: `${publicUrl}/.well-known/jwks.json`,
    revocation_endpoint: `${publicUrl}/oauth/revoke`,
    introspection_endpoint: `${publicUrl}/oauth/introspect`,
    service_documentation: `${publicUrl}/docs`,
    scopes_supported: PERMISSIONS.map(({ id }) => id),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: [...GRANT_TYPES],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: [...WITH_PASSWORD, 'none'],
    revocation_endpoint_auth_methods_supported: [...WITH_PASSWORD, 'none'],
    introspection_endpoint_auth_methods_supported: WITH_PASSWORD,
    authorization_response_iss_parameter_supported: true,
  }
}

/** The `iss` of what the redirect of an app answers (RFC 9207). */
export function issuerOfApp(publicUrl: string, appId: string): string {
  return `${publicUrl}/Apps/${appId}`
}

/** What clients need to know of the authorization server (RFC 8414, 2). */
export const ServerMetadata = z
  .object({
    issuer: z.url().describe('Name of the server, as in the `iss` of the redirect of an app.'),
    authorization_endpoint: z.url().optional().describe('The redirect. Of an app only.'),
    token_endpoint: z.url(),
    jwks_uri: z.url(),
    revocation_endpoint: z.url(),
    introspection_endpoint: z.url(),
    service_documentation: z.url(),
    scopes_supported: z.array(z.string()).describe('The permissions there are.'),
    response_types_supported: z.array(z.string()),
    response_modes_supported: z.array(z.string()),
    grant_types_supported: z.array(z.string()),
    code_challenge_methods_supported: z.array(z.string()),
    token_endpoint_auth_methods_supported: z.array(z.string()),
    revocation_endpoint_auth_methods_supported: z.array(z.string()),
    introspection_endpoint_auth_methods_supported: z.array(z.string()),
    authorization_response_iss_parameter_supported: z.boolean(),
  })
  .meta({ id: 'ServerMetadata', example: serverMetadata(EXAMPLE_SERVER, 'price-sync') })
