import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { SIGN_IN_LIMIT_BYTES } from '../../../http/bodies/json-body.ts'
import { clientAddress } from '../../../http/client-address.ts'
import { sendPage } from '../../../http/send-page.ts'
import { mustHaveFactor } from '../../../identity/auth/second-factor/factor-policy-service.ts'
import {
  beginEnrolment,
  beginEnrolmentAfterSignIn,
  confirmEnrolment,
  givesPassword,
  readSecondFactor,
} from '../../../identity/auth/second-factor/second-factor-service.ts'
import { isTotpSecret, totpUri } from '../../../identity/auth/second-factor/totp.ts'
import { sessionIdOf } from '../../../identity/auth/session-store-service.ts'
import { framePage } from '../../kit/frame.ts'
import { addressOfAnswer, nextStep } from '../../requests/answers.ts'
import { formPage } from '../../requests/form-page.ts'
import { sessionCookie } from '../../requests/pages.ts'
import { ENROLMENT_PATH } from '../../requests/signing-in.ts'
import { visitorActor, visitorOf, visitorShell } from '../../requests/visitor.ts'
import { currentPasswordField, usernameField } from '../../shared/forms/password-hints.ts'
import type { FormFields } from '../../shared/forms/settings-form.ts'
import { html } from '../../shared/page/html.ts'
import { safeNextPath } from '../../shared/sign-in/next-path.ts'
import { backToPart } from '../account-parts.ts'
import { CODE_FIELD, codeRefusal, passwordRefusal } from './code-refusals.ts'
import { recoverySecret, secretView } from './enrolment-page.ts'
import { SECURITY_PATH } from './security-page.ts'

const PATH = ENROLMENT_PATH
const CONFIRM_PATH = `${PATH}/Confirm`
const DONE_PATH = `${PATH}/Done`
const PASSWORD_FIELDS = { currentPassword: currentPasswordField('Your password') }

/**
 * Turning on a second factor: the only pages of a user who has to do so first. Each step leads to
 * the next. The secret is shown only after the user has given the password or, without one, has just
 * signed in.
 */
export async function enrolmentRoutes(app: App) {
  const { deps } = app
  const nextOf = (fields?: FormFields) => safeNextPath(fields?.get('next'), SECURITY_PATH)
  const form = { place: { console: 'account' }, bodyLimit: SIGN_IN_LIMIT_BYTES } as const

  formPage(app, {
    ...form,
    path: PATH,
    fields: PASSWORD_FIELDS,
    refused: passwordRefusal,
    async page(request, typed, reply) {
      const { id, signInName } = visitorOf(request)
      if ((await readSecondFactor(deps, id)).enabled) {
        reply.redirect(SECURITY_PATH, 303)
        return undefined
      }
      const required = await mustHaveFactor(deps, id)
      const hasPassword = await givesPassword(deps, id)
      const why = required
        ? 'This marketplace asks for a second factor. Turn it on to continue.'
        : `You will need ${hasPassword ? 'your password' : 'single sign-on'} and a code from your phone each time you sign in.`
      return {
        title: 'Turn on two-step sign-in',
        lead: `${why} You need an authenticator app, such as the one built into your password manager.`,
        back: required ? undefined : backToPart('Security'),
        fields: hasPassword ? PASSWORD_FIELDS : {},
        intro: hasPassword ? usernameField(signInName) : html``,
        hidden: { next: nextOf(typed) },
        button: 'Continue',
      }
    },
    // A second click would make another secret, and the page could show the dead one of the two.
    async submit(request, typed, _params, reply) {
      const { secret } = await begin(request, typed)
      const fields: [string, string][] = [
        ['secret', secret],
        ['next', nextOf(typed)],
      ]
      request.page.answer = { path: CONFIRM_PATH, stored: { fields } }
      reply.redirect(await addressOfAnswer(request, request.page.answer), 303)
      return undefined
    },
  })

  async function begin(request: FastifyRequest, typed: FormFields) {
    const { id } = visitorOf(request)
    if (await givesPassword(deps, id)) {
      const password = typed.get('currentPassword') ?? ''
      return beginEnrolment(deps, id, { password }, clientAddress(request))
    }
    return beginEnrolmentAfterSignIn(deps, id, sessionIdOf(sessionCookie(request) ?? ''))
  }

  formPage(app, {
    ...form,
    path: CONFIRM_PATH,
    fields: {
      code: { ...CODE_FIELD, keyboard: 'numeric', hint: 'The six digits that the app shows now.' },
    },
    refused: codeRefusal,
    async page(request, typed, reply) {
      const secret = request.page.attempt === null ? '' : (typed.get('secret') ?? '')
      if (!isTotpSecret(secret)) {
        reply.redirect(PATH, 303)
        return undefined
      }
      const { id, signInName } = visitorOf(request)
      return {
        title: 'Scan the code',
        back: (await mustHaveFactor(deps, id)) ? undefined : backToPart('Security'),
        intro: secretView(secret, totpUri(secret, signInName)),
        hidden: { next: nextOf(typed), secret },
        button: 'Turn on',
        send: { hasSecret: true },
      }
    },
    async submit(request, typed, _params, reply) {
      const fields = new Map([['next', nextOf(typed)]])
      const cookie = sessionCookie(request)
      const keptSession = cookie === undefined ? undefined : sessionIdOf(cookie)
      const { userId, actor } = visitorActor(request)
      try {
        const code = typed.get('code') ?? ''
        const shown = { keptSession, shown: typed.get('secret') }
        const { recoveryCodes } = await confirmEnrolment(deps, userId, code, actor, shown)
        const secret = recoverySecret('Your recovery codes.', recoveryCodes)
        return { path: DONE_PATH, secret, fields }
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'conflict')) throw error
        // Another tab has begun anew: the key that this one shows is worth nothing.
        const problems = [{ field: undefined, text: error.message }]
        await nextStep(request, reply, { path: PATH, fields, problems })
        return undefined
      }
    },
  })

  app.get(DONE_PATH, { schema: { hide: true } }, async (request, reply) => {
    const { secret, typed } = request.page.attempt ?? {}
    const next = nextOf(typed)
    if (secret === undefined) return reply.redirect(next, 303)
    return sendPage(
      reply,
      framePage(
        { console: 'account' },
        { ...visitorShell(request, reply), message: secret },
        {
          title: 'Two-step sign-in is on',
          content: html`<p>If you lose your phone, each code lets you in once. Store them somewhere else.</p>
<p class="actions"><a class="button primary" href="${next}">Continue</a></p>`,
        },
      ),
    )
  })
}
