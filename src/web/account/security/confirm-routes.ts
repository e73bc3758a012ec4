import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { SIGN_IN_LIMIT_BYTES } from '../../../http/bodies/json-body.ts'
import { sendPage } from '../../../http/send-page.ts'
import { checkFactor } from '../../../identity/auth/second-factor/check-factor-service.ts'
import { hasSecondFactor } from '../../../identity/auth/second-factor/factor-policy-service.ts'
import { keepFactorTime } from '../../../identity/auth/user-session-service.ts'
import { readAttempt, redirectDone, refuse } from '../../requests/kept-forms.ts'
import { sessionCookie } from '../../requests/pages.ts'
import { CONFIRM_PATH } from '../../requests/recent-factor.ts'
import { visitorActor, visitorOf, visitorShell } from '../../requests/visitor.ts'
import { wayToApp } from '../../requests/way-to-app.ts'
import { Fields } from '../../shared/forms/settings-form.ts'
import { safeNextPath } from '../../shared/sign-in/next-path.ts'
import { codeRefusal } from './code-refusals.ts'
import { confirmItIsYouPage } from './confirm-page.ts'

/** Another code of the second factor, before something that needs a recent one. */
export async function confirmRoutes(app: App) {
  const { deps } = app
  /** A user without a factor, or without one any more, is asked for nothing. */
  const isAsked = (request: FastifyRequest) => hasSecondFactor(deps, visitorOf(request).id)

  app.get(CONFIRM_PATH, { schema: { hide: true, querystring: Fields } }, async (request, reply) => {
    const { problems = [], typed = request.query } = readAttempt(request, reply) ?? {}
    const next = safeNextPath(typed.get('next'))
    if (!(await isAsked(request))) return reply.redirect(next, 303)
    const page = confirmItIsYouPage({ ...visitorShell(request, reply), problems, next })
    const { formTargets } = await wayToApp(deps, next)
    return sendPage(reply, page, { formTargets })
  })

  const post = {
    bodyLimit: SIGN_IN_LIMIT_BYTES,
    config: { actsOnce: true },
    schema: { hide: true, body: Fields },
  }
  app.post(CONFIRM_PATH, post, async (request, reply) => {
    const { userId, actor } = visitorActor(request)
    const next = safeNextPath(request.body.get('next'))
    if (!(await isAsked(request))) return redirectDone(request, reply, next)
    try {
      const code = request.body.get('code') ?? ''
      if (!(await checkFactor(deps, userId, code, actor))) {
        throw new AppError('invalid_credentials')
      }
    } catch (error) {
      return refuse(request, reply, codeRefusal(error))
    }
    const cookie = sessionCookie(request)
    if (cookie !== undefined) await keepFactorTime(deps, cookie)
    return redirectDone(request, reply, next)
  })
}
