import { UserPath } from '../../base/values/operator-paths.ts'
import type { App } from '../../http/app-type.ts'
import { SIGN_IN_LIMIT_BYTES } from '../../http/bodies/json-body.ts'
import { clientAddress } from '../../http/client-address.ts'
import { operatorActor } from '../guards/actor.ts'
import { lifetimeText } from '../links/link.ts'
import {
  PasswordResetCompletion,
  PasswordResetDone,
  PasswordResetLink,
  PasswordResetRequest,
  PasswordResetRequested,
} from './password-reset.ts'
import {
  completePasswordReset,
  createPasswordReset,
  requestPasswordReset,
} from './password-resets-service.ts'

/** What somebody does who has lost a password. */
export async function passwordResetRoutes(app: App) {
  app.post(
    '/v1/Account/PasswordReset',
    {
      bodyLimit: SIGN_IN_LIMIT_BYTES,
      schema: {
        operationId: 'createPasswordReset',
        tags: ['Accounts'],
        summary: 'Ask for a link for a new password',
        description:
          'For anybody. If the address is that of a user, a link is mailed to it that works once, ' +
          `for ${lifetimeText('password_reset')}; the password stays until then. The answer is the ` +
          'same, after the same work, for every address. It is limited as sign-ins are. A ' +
          'marketplace without a mail server mails nothing: its operator makes such links. Where ' +
          'users sign in by single sign-on only, every address is answered `password_login_off`.',
        body: PasswordResetRequest,
        response: { 202: PasswordResetRequested },
        problems: ['password_login_off'],
      },
    },
    async (request, reply) => {
      await requestPasswordReset(app.deps, request.body.email, clientAddress(request))
      reply.code(202).header('cache-control', 'no-store')
      return {}
    },
  )

  app.post(
    '/v1/Account/PasswordReset/Complete',
    {
      bodyLimit: SIGN_IN_LIMIT_BYTES,
      schema: {
        operationId: 'completePasswordReset',
        tags: ['Accounts'],
        summary: 'Set a new password with a link',
        description:
          "The link is enough, without a token. The user's sessions end at once; its account tokens and " +
          'tokens from the redirect are refused from the next request on. The link works once: of ' +
          'several uses at the same moment one succeeds, and the others are refused with `invalid_link`.',
        body: PasswordResetCompletion,
        response: { 200: PasswordResetDone },
        problems: ['invalid_link', 'password_login_off'],
      },
    },
    (request, reply) => {
      reply.header('cache-control', 'no-store')
      return completePasswordReset(app.deps, request.body, clientAddress(request))
    },
  )
}

/** What an operator does for a user who has lost a password. */
export async function operatorPasswordResetRoutes(app: App) {
  app.post(
    '/v1/Operator/Users/:id/PasswordReset',
    {
      config: { recentFactor: true },
      schema: {
        operationId: 'createUserPasswordReset',
        tags: ['Operator'],
        summary: 'Make a link for a new password',
        description:
          'The user chooses a new password with the link, which works once, for ' +
          `${lifetimeText('password_reset')}; the present one stays until then. It is mailed where ` +
          'a mail server is set; otherwise the answer has it, this once, for you to hand over.',
        params: UserPath,
        response: { 201: PasswordResetLink },
        problems: ['password_login_off'],
      },
    },
    async (request, reply) => {
      const made = await createPasswordReset(app.deps, request.params.id, operatorActor(request))
      reply.code(201).header('cache-control', 'no-store')
      return made
    },
  )
}
