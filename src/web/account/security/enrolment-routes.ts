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
import {
  addressOfAnswer,
  nextStep,
  readAttempt,
  redirectSecret,
  refuse,
} from '../../requests/kept-forms.ts'
import { sessionCookie } from '../../requests/pages.ts'
import { ENROLMENT_PATH } from '../../requests/signing-in.ts'
import { visitorActor, visitorOf, visitorShell } from '../../requests/visitor.ts'
import { Fields, type FormFields } from '../../shared/forms/settings-form.ts'
import { safeNextPath } from '../../shared/sign-in/next-path.ts'
import { codeRefusal, passwordRefusal } from './code-refusals.ts'
import { beginPage, confirmPage, enrolledPage, recoverySecret } from './enrolment-page.ts'
import { SECURITY_PATH } from './security-page.ts'

const PATH = ENROLMENT_PATH
const CONFIRM_PATH = `${PATH}/Confirm`
const DONE_PATH = `${PATH}/Done`

/**
 * Turning on a second factor: the only pages of a user who has to do so first. Each step leads to
 * the next. The secret is shown only after the user has given the password or, without one, has just
 * signed in.
 */
export async function enrolmentRoutes(app: App) {
  const { deps } = app
  const next = (value: unknown) => safeNextPath(value, SECURITY_PATH)

  app.get(PATH, { schema: { hide: true, querystring: Fields } }, async (request, reply) => {
    const { id } = visitorOf(request)
    if ((await readSecondFactor(deps, id)).enabled) return reply.redirect(SECURITY_PATH, 303)
    const { problems = [], typed = request.query } = readAttempt(request, reply) ?? {}
    const required = await mustHaveFactor(deps, id)
    const shell = visitorShell(request, reply)
    return sendPage(
      reply,
      beginPage({
        ...shell,
        problems,
        required,
        next: next(typed.get('next')),
        hasPassword: await givesPassword(deps, id),
      }),
    )
  })

  async function begin(request: FastifyRequest<{ Body: FormFields }>) {
    const { id } = visitorOf(request)
    if (await givesPassword(deps, id)) {
      const password = request.body.get('currentPassword') ?? ''
      return beginEnrolment(deps, id, { password }, clientAddress(request))
    }
    return beginEnrolmentAfterSignIn(deps, id, sessionIdOf(sessionCookie(request) ?? ''))
  }

  const post = { bodyLimit: SIGN_IN_LIMIT_BYTES, schema: { hide: true, body: Fields } }
  const once = { ...post, config: { actsOnce: true } }
  // A second click would make another secret, and the page could show the dead one of the two.
  app.post(PATH, once, async (request, reply) => {
    try {
      const { secret } = await begin(request)
      const fields: [string, string][] = [
        ['secret', secret],
        ['next', next(request.body.get('next'))],
      ]
      request.answer = { path: CONFIRM_PATH, stored: { fields } }
      return reply.redirect(await addressOfAnswer(request, request.answer), 303)
    } catch (error) {
      return refuse(request, reply, passwordRefusal(error))
    }
  })

  app.get(CONFIRM_PATH, { schema: { hide: true } }, async (request, reply) => {
    const { problems = [], typed } = readAttempt(request, reply) ?? {}
    const secret = typed?.get('secret') ?? ''
    if (!isTotpSecret(secret)) return reply.redirect(PATH, 303)
    const shell = visitorShell(request, reply)
    const { id, signInName } = visitorOf(request)
    const required = await mustHaveFactor(deps, id)
    const uri = totpUri(secret, signInName)
    const input = { ...shell, problems, required, secret, uri, next: next(typed?.get('next')) }
    return sendPage(reply, confirmPage(input), { hasSecret: true })
  })

  app.post(CONFIRM_PATH, once, async (request, reply) => {
    const cookie = sessionCookie(request)
    const keptSession = cookie === undefined ? undefined : sessionIdOf(cookie)
    const { userId, actor } = visitorActor(request)
    const code = request.body.get('code') ?? ''
    try {
      const { recoveryCodes } = await confirmEnrolment(deps, userId, code, actor, {
        keptSession,
        shown: request.body.get('secret'),
      })
      const secret = recoverySecret('Your recovery codes.', recoveryCodes)
      const onward = new Map([['next', next(request.body.get('next'))]])
      return await redirectSecret(request, reply, DONE_PATH, secret, onward)
    } catch (error) {
      if (error instanceof AppError && error.code === 'conflict') {
        // Another tab has begun anew: the key that this one shows is worth nothing.
        const fields = new Map([['next', next(request.body.get('next'))]])
        const problems = [{ field: undefined, text: error.message }]
        return nextStep(request, reply, { path: PATH, fields, problems })
      }
      return refuse(request, reply, codeRefusal(error))
    }
  })

  app.get(DONE_PATH, { schema: { hide: true } }, async (request, reply) => {
    const { secret, typed } = request.kept ?? {}
    const onward = next(typed?.get('next'))
    if (secret === undefined) return reply.redirect(onward, 303)
    const shell = visitorShell(request, reply)
    return sendPage(reply, enrolledPage({ ...shell, problems: [], secret, next: onward }))
  })
}
