import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { SIGN_IN_LIMIT_BYTES } from '../../../http/bodies/json-body.ts'
import { checkFactor } from '../../../identity/auth/second-factor/check-factor-service.ts'
import { hasSecondFactor } from '../../../identity/auth/second-factor/factor-policy-service.ts'
import { keepFactorTime } from '../../../identity/auth/user-session-service.ts'
import { formPage } from '../../requests/form-page.ts'
import { sessionCookie } from '../../requests/pages.ts'
import { CONFIRM_PATH } from '../../requests/recent-factor.ts'
import { visitorActor, visitorOf } from '../../requests/visitor.ts'
import { wayToApp } from '../../requests/way-to-app.ts'
import { safeNextPath } from '../../shared/sign-in/next-path.ts'
import { CODE_FIELD, codeRefusal } from './code-refusals.ts'

/** Another code of the second factor, before something that needs a recent one. */
export async function confirmRoutes(app: App) {
  const { deps } = app
  /** A user without a factor, or without one any more, is asked for nothing. */
  const isAsked = (request: FastifyRequest) => hasSecondFactor(deps, visitorOf(request).id)

  formPage(app, {
    path: CONFIRM_PATH,
    place: { console: 'account' },
    fields: { code: CODE_FIELD },
    bodyLimit: SIGN_IN_LIMIT_BYTES,
    refused: codeRefusal,
    async page(request, typed, reply) {
      const next = safeNextPath(typed.get('next'))
      if (!(await isAsked(request))) {
        reply.redirect(next, 303)
        return undefined
      }
      const { formTargets } = await wayToApp(deps, next)
      return {
        title: 'Confirm it is you',
        lead: 'Your last code is more than 10 minutes old. Enter a new one to continue. Nothing has been changed yet.',
        hidden: { next },
        button: 'Continue',
        send: { formTargets },
      }
    },
    async submit(request, typed) {
      const { userId, actor } = visitorActor(request)
      const done = { path: safeNextPath(typed.get('next')) }
      if (!(await isAsked(request))) return done
      if (!(await checkFactor(deps, userId, typed.get('code') ?? '', actor))) {
        throw new AppError('invalid_credentials')
      }
      const cookie = sessionCookie(request)
      if (cookie !== undefined) await keepFactorTime(deps, cookie)
      return done
    },
  })
}
