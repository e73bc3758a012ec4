import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { clientAddress } from '../../../http/client-address.ts'
import { limitHeaders } from '../../../http/rate-limits/rate-limit.ts'
import { changeOwnPassword } from '../../../identity/accounts/user-passwords-service.ts'
import { isSamePassword } from '../../../identity/auth/password-text.ts'
import { passwordsOff } from '../../../identity/auth/passwords-off.ts'
import { deviceOf } from '../../../identity/auth/sessions/device.ts'
import { checkUserPassword, type SignedInUser } from '../../../identity/auth/user-login-service.ts'
import { keepChoice, openSession } from '../../../identity/auth/user-session-service.ts'
import { providerOfUser } from '../../../identity/single-sign-on/identity-service.ts'
import { formPage } from '../../requests/form-page.ts'
import { clearSessionCookie, sessionCookie, setSessionCookie } from '../../requests/pages.ts'
import { chosenAccountId, visitorActor, visitorOf } from '../../requests/visitor.ts'
import { newPasswordFields, newPasswordProblems } from '../../shared/forms/new-password.ts'
import {
  currentPasswordField,
  ownPasswordHint,
  usernameField,
} from '../../shared/forms/password-hints.ts'
import { newPasswordRefusal } from '../../shared/forms/refusal.ts'
import { html } from '../../shared/page/html.ts'
import { backToPart } from '../account-parts.ts'
import { SECURITY_PATH } from './security-page.ts'

/** The visitor's own password. */
export async function passwordRoutes(app: App) {
  const { deps } = app

  formPage(app, {
    path: '/Account/Password',
    place: { console: 'account' },
    fields: {
      currentPassword: currentPasswordField('Current password'),
      ...newPasswordFields('New password', 'Repeat new password'),
    },
    refused: newPasswordRefusal,
    async page(request) {
      if (!deps.config.passwordLogin) throw passwordsOff()
      const { id, signInName } = visitorOf(request)
      return {
        title: 'Change password',
        lead: 'You will be signed out everywhere else, and apps lose the access tokens issued for you.',
        back: backToPart('Security'),
        intro: html`${ownPasswordHint(await providerOfUser(deps, id))}${usernameField(signInName)}`,
        button: 'Change password',
      }
    },
    async submit(request, typed, _params, reply) {
      if (!deps.config.passwordLogin) throw passwordsOff()
      const { actor } = visitorActor(request)
      const before = typed.get('currentPassword') ?? ''
      const password = typed.get('newPassword') ?? ''
      const problems = newPasswordProblems(typed)
      if (problems.length === 0 && isSamePassword(password, before)) {
        const text = 'Choose a password that differs from your current one.'
        problems.push({ field: 'newPassword', text })
      }
      const current = await checkCurrentPassword(request, before)
      if (current.user === undefined || problems.length > 0) {
        reply.headers(limitHeaders(current.limit))
        const { problem: text } = current
        const own = text === undefined ? [] : [{ field: 'currentPassword', text }]
        const status = current.limit === undefined ? 422 : 429
        return { problems: [...own, ...problems], status }
      }
      const user = await changeOwnPassword(deps, current.user, { password }, actor)
      const device = deviceOf(request.headers['user-agent'], clientAddress(request))
      const { factorAt } = visitorOf(request)
      const session = { ...user, device, factorAt: factorAt ?? undefined }
      const cookie = await openSession(deps, session, sessionCookie(request))
      if (cookie === undefined) {
        // Ended by somebody else already.
        clearSessionCookie(request, reply).redirect('/login', 303)
        return undefined
      }
      await keepChoice(deps, cookie, chosenAccountId(request) ?? null)
      setSessionCookie(request, reply, cookie)
      const text = 'Your password was changed. You are signed out everywhere else.'
      return { path: SECURITY_PATH, text }
    },
  })

  /**
   * @returns the visitor whose current password it is; else why it is not taken, and the limit when
   *   too many wrong ones came
   */
  async function checkCurrentPassword(
    request: FastifyRequest,
    password: string,
  ): Promise<{ user?: SignedInUser | undefined; problem?: string; limit?: AppError }> {
    if (password === '') return { problem: 'Enter your current password.' }
    const { id, signInName: email } = visitorOf(request)
    const caller = { kind: 'user', id }
    try {
      const user = await checkUserPassword(
        deps,
        { email, password },
        clientAddress(request),
        caller,
      )
      return user === undefined ? { problem: 'Wrong current password.' } : { user }
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'too_many_requests')) throw error
      const { retryAfterSeconds = 1 } = error.options
      const wait = `${retryAfterSeconds} ${retryAfterSeconds === 1 ? 'second' : 'seconds'}`
      const problem = `Too many wrong passwords. Wait ${wait}, then try again.`
      return { problem, limit: error }
    }
  }
}
