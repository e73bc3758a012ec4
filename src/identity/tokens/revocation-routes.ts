import { z } from 'zod'
import { MALFORMED } from '../../base/values/field-errors.ts'
import type { App } from '../../http/app-type.ts'
import { developerActor } from '../guards/actor.ts'
import { developerOf } from '../guards/audience.ts'
import { Introspection } from './introspection.ts'
import { introspectToken, revokeInstallationTokens, revokeToken } from './revoke-service.ts'

const token = z.string().describe('The token.')

const Revocation = z
  .strictObject({
    token: token.optional(),
    installationId: z.string().optional().describe('Revokes all tokens of this installation.'),
  })
  .refine(({ token, installationId }) => token !== undefined || installationId !== undefined, {
    message: 'must have a token or an installationId',
    params: MALFORMED,
  })
  .refine(({ token, installationId }) => token === undefined || installationId === undefined, {
    path: ['installationId'],
    message: 'cannot stand beside a token',
    params: MALFORMED,
  })
  .meta({
    id: 'Revocation',
    minProperties: 1,
    maxProperties: 1,
    example: { installationId: '0f8fad5b-d9cb-469f-a165-70867728950e' },
  })

/** Empty, so that the response does not tell whether the token was alive. */
const Revoked = z.object({}).meta({ id: 'Revoked', example: {} })

const IntrospectionRequest = z
  .strictObject({ token })
  .meta({ id: 'IntrospectionRequest', example: { token: 'eyJhbGciOiJFUzI1NiIs...' } })

/** Revocation (RFC 7009) and introspection (RFC 7662) of a developer's tokens. */
export async function revocationRoutes(app: App) {
  app.post(
    '/v1/Developer/Token/Revoke',
    {
      schema: {
        operationId: 'revokeTokens',
        tags: ['Tokens'],
        summary: 'Revoke a token, or all tokens of an installation',
        description:
          'Takes `{token}` or `{installationId}`. Revoked tokens are refused from the next ' +
          'request on. A token that is unknown, has run out or is not yours is answered with ' +
          '200 too (RFC 7009).',
        body: Revocation,
        response: { 200: Revoked },
        problems: ['installation_not_accessible'],
      },
    },
    async (request) => {
      const { token, installationId } = request.body
      const author = developerActor(request)
      if (token !== undefined) await revokeToken(app.deps, author, token)
      if (installationId !== undefined) {
        await revokeInstallationTokens(app.deps, author, installationId)
      }
      return {}
    },
  )

  app.post(
    '/v1/Developer/Token/Introspect',
    {
      schema: {
        operationId: 'introspectToken',
        tags: ['Tokens'],
        summary: 'Ask whether a token of your installations would be accepted now',
        description:
          'The answer of RFC 7662. Whatever is not a live token of an installation of your apps is `{"active": false}`.',
        body: IntrospectionRequest,
        response: { 200: Introspection },
      },
    },
    (request, reply) => {
      reply.header('cache-control', 'no-store')
      return introspectToken(app.deps, developerOf(request).developerId, request.body.token)
    },
  )
}
