import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../http/app-type.ts'
import { acceptFormBodies, FORM_TYPE } from '../../http/bodies/form-body.ts'
import { refuseJsonBodies, SIGN_IN_LIMIT_BYTES } from '../../http/bodies/json-body.ts'
import { sendJson } from '../../http/bodies/send-json.ts'
import { clientAddress } from '../../http/client-address.ts'
import { appErrorOf, endHungUp, isHangUp, noteRefusal } from '../../http/error-handler.ts'
import { noteInstallation } from '../../http/observability/request-state.ts'
import { REALM } from '../../http/problem.ts'
import { limitHeaders, limitRequests } from '../../http/rate-limits/rate-limit.ts'
import { Introspection } from '../../identity/tokens/introspection.ts'
import { authenticateClient } from './client-service.ts'
import { introspectOfClient, revokeOfClient } from './client-tokens-service.ts'
import { OAuthError, oauthAnswerOf } from './oauth-error.ts'
import { presentedClient } from './presented-client.ts'
import { filledIn, TokenAnswer, TokenInQuestion, TokenRequest } from './token-request.ts'
import { grantToken } from './token-service.ts'

const OAuthFailure = z
  .object({
    error: z.string().describe('Name of the error (RFC 6749, 5.2).'),
    error_description: z.string().describe('What is wrong with this request.'),
  })
  .meta({
    id: 'OAuthFailure',
    example: { error: 'invalid_grant', error_description: 'The code is unknown or used.' },
  })

/** Every status but that of success. */
const FAILURES = {
  400: OAuthFailure.describe('The request is wrong, or asks for what it may not have.'),
  401: OAuthFailure.describe('`invalid_client`: the client is unknown or has not proved itself.'),
  413: OAuthFailure.describe('The body is too large.'),
  415: OAuthFailure.describe('The body is not a form.'),
  429: OAuthFailure.describe('Too many requests.'),
  500: OAuthFailure.describe('Something went wrong on our side.'),
  503: OAuthFailure.describe('The server cannot answer just now.'),
}

const CLIENT =
  'The client is a credential of a developer: its id and password as `Authorization: Basic` or as `client_id` and `client_secret`.'

const common = {
  tags: ['Tokens'],
  consumes: [FORM_TYPE],
  ownErrors: 'OAuthFailure',
} as const

/** Tokens for clients that speak OAuth 2.0. */
export async function oauthRoutes(app: App) {
  refuseJsonBodies(app)
  acceptFormBodies(app)
  app.setErrorHandler(answerFailure)
  app.addHook('onRequest', async function forbidStoring(_request, reply) {
    reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' })
  })

  app.post(
    '/oauth/token',
    {
      bodyLimit: SIGN_IN_LIMIT_BYTES,
      config: { anyOrigin: true },
      schema: {
        ...common,
        operationId: 'createOAuthToken',
        summary: 'Exchange a code, a password or a developer token for a token',
        description:
          'The token endpoint of OAuth 2.0 (RFC 6749). `authorization_code` exchanges ' +
          'the code of the redirect, with PKCE; a client without a password sends its ' +
          '`client_id` alone. `client_credentials` is `POST /v1/Auth`. The token ' +
          `exchange (RFC 8693) is \`POST /v1/Developer/Token\`. ${CLIENT}`,
        body: TokenRequest,
        response: { 200: TokenAnswer, ...FAILURES },
      },
    },
    async (request, reply) => {
      const form = filledIn(request.body)
      noteInstallation(request, form.audience)
      const limit = (id: string) => limitRequests(request, reply, { kind: 'developer', id })
      const asking = {
        client: await clientOf(request, form),
        address: clientAddress(request),
        limit,
      }
      return grantToken(app.deps, asking, form)
    },
  )

  app.post(
    '/oauth/revoke',
    {
      bodyLimit: SIGN_IN_LIMIT_BYTES,
      config: { anyOrigin: true },
      schema: {
        ...common,
        operationId: 'revokeOAuthToken',
        summary: 'Revoke a token as an OAuth client',
        description:
          "RFC 7009, for tokens of the client's own apps. A token that is unknown or not " +
          `the client's is answered with 200 too. ${CLIENT} A client without a password ` +
          'sends its `client_id` alone; if the token is not of that client, and has not run ' +
          'out, the answer is `invalid_client` and nothing is revoked.',
        body: TokenInQuestion,
        response: {
          200: z.object({}).meta({ id: 'RevokedOfClient', example: {} }),
          ...FAILURES,
        },
      },
    },
    async (request) => {
      const form = filledIn(request.body)
      const client = await clientOf(request, form)
      await revokeOfClient(app.deps, { client, address: clientAddress(request) }, tokenOf(form))
      return {}
    },
  )

  app.post(
    '/oauth/introspect',
    {
      bodyLimit: SIGN_IN_LIMIT_BYTES,
      schema: {
        ...common,
        operationId: 'introspectOAuthToken',
        summary: 'Ask as an OAuth client whether a token would be accepted now',
        description: `RFC 7662, for installation tokens of the client's own apps. Anything else is \`{"active": false}\`. ${CLIENT}`,
        body: TokenInQuestion,
        response: { 200: Introspection, ...FAILURES },
      },
    },
    async (request) => {
      const form = filledIn(request.body)
      return introspectOfClient(app.deps, await clientOf(request, form), tokenOf(form))
    },
  )

  function clientOf(request: FastifyRequest, form: { client_id?: string; client_secret?: string }) {
    const presented = presentedClient(request.headers.authorization, form)
    return authenticateClient(app.deps, presented, clientAddress(request))
  }
}

function tokenOf({ token }: { token?: string }): string {
  if (token !== undefined) return token
  throw new OAuthError('invalid_request', 'The parameter token is missing.')
}

/** Errors in the words of OAuth, for whatever went wrong on the way. */
function answerFailure(failure: unknown, request: FastifyRequest, reply: FastifyReply) {
  if (isHangUp(failure, request)) return endHungUp(request, reply)
  const error = appErrorOf(failure, request)
  noteRefusal(error, failure, request, reply)
  const { status, body } = oauthAnswerOf(error)
  reply.code(status).headers({
    'cache-control': 'no-store',
    ...limitHeaders(error),
    ...(status === 401 && { 'www-authenticate': `Basic realm="${REALM}", charset="UTF-8"` }),
  })
  return sendJson(reply, JSON.stringify(body))
}
