import { z } from 'zod'
import { PERMISSIONS } from '../apps/permissions.ts'
import type { App } from '../http/app-type.ts'

const JWKS_MAX_AGE_SECONDS = 300

const Jwks = z
  .object({
    keys: z.array(
      z.looseObject({
        kid: z.string(),
        kty: z.literal('EC'),
        crv: z.literal('P-256'),
        x: z.string(),
        y: z.string(),
        alg: z.literal('ES256'),
        use: z.literal('sig'),
      }),
    ),
  })
  .meta({ id: 'Jwks' })

const ServerMetadata = z
  .object({
    issuer: z.url().describe('The `iss` of every token.'),
    jwks_uri: z.url(),
    token_endpoint: z.url().describe('Takes `{clientId, password}` as JSON.'),
    revocation_endpoint: z.url(),
    introspection_endpoint: z.url(),
    authorization_endpoint: z.string().describe('The redirect, one per app.'),
    service_documentation: z.url(),
    scopes_supported: z.array(z.string()).describe('The permissions there are.'),
    response_types_supported: z.array(z.string()),
    grant_types_supported: z.array(z.string()),
    token_endpoint_auth_methods_supported: z.array(z.string()),
  })
  .meta({
    id: 'ServerMetadata',
    example: {
      issuer: 'https://marketplace.example',
      jwks_uri: 'https://marketplace.example/.well-known/jwks.json',
      token_endpoint: 'https://marketplace.example/v1/Auth',
      revocation_endpoint: 'https://marketplace.example/v1/Developer/Token/Revoke',
      introspection_endpoint: 'https://marketplace.example/v1/Developer/Token/Introspect',
      authorization_endpoint: 'https://marketplace.example/Apps/Authenticate/{app_id}',
      service_documentation: 'https://marketplace.example/docs',
      scopes_supported: ['products:read', 'profile:read'],
      response_types_supported: ['token'],
      grant_types_supported: [],
      token_endpoint_auth_methods_supported: [],
    },
  })

/** Public keys, for whoever wants to verify tokens offline. */
export async function keyRoutes(app: App) {
  app.get(
    '/.well-known/jwks.json',
    {
      schema: {
        operationId: 'readKeys',
        tags: ['Tokens'],
        summary: 'Read the public keys that verify tokens',
        description:
          'A JSON Web Key Set (RFC 7517). A token that verifies offline may still have been revoked; this server also checks that at each request.',
        response: { 200: Jwks },
      },
    },
    async (_request, reply) => {
      reply.header('cache-control', `public, max-age=${JWKS_MAX_AGE_SECONDS}`)
      return (await app.deps.keys.jwks()) as z.infer<typeof Jwks>
    },
  )
  app.get(
    '/.well-known/oauth-authorization-server',
    {
      schema: {
        operationId: 'readServerMetadata',
        tags: ['Tokens'],
        summary: 'Read where tokens are made, verified and revoked',
        description: 'Authorization server metadata (RFC 8414).',
        response: { 200: ServerMetadata },
      },
    },
    async (_request, reply) => {
      reply.header('cache-control', `public, max-age=${JWKS_MAX_AGE_SECONDS}`)
      const { publicUrl } = app.deps.config
      return {
        issuer: publicUrl,
        jwks_uri: `${publicUrl}/.well-known/jwks.json`,
        token_endpoint: `${publicUrl}/v1/Auth`,
        revocation_endpoint: `${publicUrl}/v1/Developer/Token/Revoke`,
        introspection_endpoint: `${publicUrl}/v1/Developer/Token/Introspect`,
        authorization_endpoint: `${publicUrl}/Apps/Authenticate/{app_id}`,
        service_documentation: `${publicUrl}/docs`,
        scopes_supported: PERMISSIONS.map(({ id }) => id),
        response_types_supported: ['token'],
        grant_types_supported: [],
        token_endpoint_auth_methods_supported: [],
      }
    },
  )
}
