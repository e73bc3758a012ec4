import { z } from 'zod'
import type { App } from '../../http/app-type.ts'
import { SIGN_IN_LIMIT_BYTES } from '../../http/bodies/json-body.ts'
import { clientAddress } from '../../http/client-address.ts'
import { AnyQuery } from '../../http/undeclared.ts'
import { IssuedToken } from '../tokens/issued-token.ts'
import { signInDeveloper } from './developer-login-service.ts'
import { passwordsOff } from './passwords-off.ts'
import { signInUser } from './user-login-service.ts'

const passwordOf = (owner: string) =>
  z
    .string()
    .describe(`Password of the ${owner}, at most 1,024 bytes.`)
    .meta({ example: 'correct horse battery staple' })

const DeveloperCredentials = z
  .object({
    clientId: z.string().describe('Client id of the credential.').meta({ example: 'acme-tools' }),
    password: passwordOf('credential'),
  })
  .meta({ id: 'DeveloperCredentials', description: 'A client id and its password.' })

const UserCredentials = z
  .object({
    email: z.string().describe('Email of the user.').meta({ example: 'kim@keyline.example' }),
    password: passwordOf('user'),
    otp: z
      .string()
      .optional()
      .describe('Code of the second factor, if the user has one; or a recovery code.')
      .meta({ example: '492039' }),
  })
  .meta({ id: 'UserCredentials', description: 'An email address and its password.' })

/** `POST /v1/Auth` (the specification's first step), and the same for users. */
export async function authRoutes(app: App) {
  app.post(
    '/v1/Auth',
    {
      bodyLimit: SIGN_IN_LIMIT_BYTES,
      schema: {
        operationId: 'createDeveloperToken',
        tags: ['Tokens'],
        summary: 'Obtain a developer token',
        description:
          'Exchanges developer credentials for a developer token. Keep the token secret: it ' +
          'acts on all installations of your apps, and ends with the credential. Unknown ' +
          'properties are ignored. A 401 has `WWW-Authenticate: Password`, our name for a ' +
          'password in the body.',
        querystring: AnyQuery,
        body: DeveloperCredentials,
        response: {
          200: IssuedToken,
        },
        problems: ['invalid_credentials'],
      },
    },
    (request, reply) => {
      reply.header('cache-control', 'no-store')
      return signInDeveloper(app.deps, request.body, clientAddress(request))
    },
  )
  app.post(
    '/v1/Account/Auth',
    {
      bodyLimit: SIGN_IN_LIMIT_BYTES,
      schema: {
        operationId: 'createAccountToken',
        tags: ['Tokens'],
        summary: 'Obtain an account token',
        description:
          'Exchanges email and password of a user for a token that acts as that user, in its ' +
          'accounts and, for an operator, on the operator endpoints. It ends with the ' +
          'password. A user with a second factor sends a code of it as `otp`; without one the ' +
          'response is `second_factor_required`, also for a user who has to turn one on first. ' +
          'Each code is accepted once. Unknown properties are ignored. A 401 has ' +
          '`WWW-Authenticate: Password`, our name for a password in the body.',
        querystring: AnyQuery,
        body: UserCredentials,
        response: { 200: IssuedToken },
        problems: ['invalid_credentials', 'second_factor_required', 'password_login_off'],
      },
    },
    (request, reply) => {
      reply.header('cache-control', 'no-store')
      if (!app.deps.config.passwordLogin) throw passwordsOff()
      return signInUser(app.deps, request.body, clientAddress(request))
    },
  )
}
