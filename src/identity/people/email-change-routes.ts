import type { App } from '../../http/app-type.ts'
import { SIGN_IN_LIMIT_BYTES } from '../../http/bodies/json-body.ts'
import { clientAddress } from '../../http/client-address.ts'
import { passwordsOff } from '../auth/passwords-off.ts'
import { userOf } from '../guards/audience.ts'
import { lifetimeText } from '../links/link.ts'
import {
  ConfirmedEmailChange,
  EmailChangeConfirmation,
  EmailChangeRequest,
  EmailChangeRequested,
} from './email-change.ts'
import { confirmEmailChange, requestEmailChange } from './email-changes-service.ts'

const tags = ['Accounts']

/** How a user asks for another email. */
export async function emailChangeRoutes(app: App) {
  app.post(
    '/v1/Account/EmailChange',
    {
      bodyLimit: SIGN_IN_LIMIT_BYTES,
      schema: {
        operationId: 'createEmailChange',
        tags,
        summary: 'Ask for a change of your email',
        description:
          'A link is mailed to your present and to the new address. Each works once, for ' +
          `${lifetimeText('email_change')}; the email changes when both are confirmed, in either ` +
          'order. The answer is the same when somebody else has the new address, to which nothing ' +
          'is mailed then. A newer request ends the links of the older one; 5 requests an hour. A ' +
          'marketplace without a mail server answers `conflict`: its operator changes emails.',
        body: EmailChangeRequest,
        response: { 202: EmailChangeRequested },
        problems: ['password_login_off', 'conflict'],
      },
    },
    async (request, reply) => {
      if (!app.deps.config.passwordLogin) throw passwordsOff()
      await requestEmailChange(
        app.deps,
        userOf(request).userId,
        request.body,
        clientAddress(request),
      )
      reply.code(202).header('cache-control', 'no-store')
      return {}
    },
  )
}

/** What the owner of an address does with the link that was mailed to it. */
export async function confirmEmailChangeRoutes(app: App) {
  app.post(
    '/v1/Account/EmailChange/Confirm',
    {
      bodyLimit: SIGN_IN_LIMIT_BYTES,
      schema: {
        operationId: 'confirmEmailChange',
        tags,
        summary: 'Confirm a change of email with a link',
        description:
          'The link is enough, without a token. When both addresses have confirmed, the user signs in with ' +
          'the new one; sessions and tokens stay, other open links of the user end. ' +
          '`already_exists`: somebody else got the new address meanwhile.',
        body: EmailChangeConfirmation,
        response: { 200: ConfirmedEmailChange },
        problems: ['invalid_link', 'already_exists'],
      },
    },
    (request, reply) => {
      reply.header('cache-control', 'no-store')
      return confirmEmailChange(app.deps, request.body, clientAddress(request))
    },
  )
}
