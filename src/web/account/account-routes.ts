import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { clientAddress } from '../../http/client-address.ts'
import { limitHeaders } from '../../http/rate-limits/rate-limit.ts'
import { sendPage } from '../../http/send-page.ts'
import { changeOwnUser, readOwnUser } from '../../identity/accounts/own-user-service.ts'
import { changeOwnPassword } from '../../identity/accounts/user-passwords-service.ts'
import { passwordsOff } from '../../identity/auth/passwords-off.ts'
import { deviceOf } from '../../identity/auth/sessions/device.ts'
import { checkUserPassword, type SignedInUser } from '../../identity/auth/user-login-service.ts'
import {
  closeAllSessions,
  keepChoice,
  openSession,
} from '../../identity/auth/user-session-service.ts'
import { readPendingEmailChange } from '../../identity/people/pending-email-change-service.ts'
import { listWaitingInvitations } from '../../identity/people/waiting-invitations-service.ts'
import { providerOfUser } from '../../identity/single-sign-on/identity-service.ts'
import { countRequestsToDecide } from '../../marketplace/installations/requests/requests-shown-service.ts'
import { recentReportsToUser } from '../../marketplace/leaks/recent-reports-service.ts'
import { readAttempt, redirectDone, refuse } from '../requests/kept-forms.ts'
import { takeNotice } from '../requests/notices.ts'
import { clearSessionCookie, sessionCookie, setSessionCookie } from '../requests/pages.ts'
import { chosenAccountId, visitorActor, visitorOf, visitorShell } from '../requests/visitor.ts'
import { fieldProblemText } from '../shared/forms/form-problems.ts'
import { newPasswordRefusal, refusalOf } from '../shared/forms/refusal.ts'
import { Fields } from '../shared/forms/settings-form.ts'
import { accountPage, passwordProblems } from './account-page.ts'
import { readAccountSuspensions } from './account-suspensions-service.ts'

/** The visitor's own page: accounts, password, sessions. */
export async function accountPageRoutes(app: App) {
  app.get('/Account', { schema: { hide: true, querystring: Fields } }, (request, reply) =>
    sendAccount(request, reply),
  )

  // A sign-in that interrupted the form leads back here, and the form's problems are shown here.
  for (const path of ['/Account/Name', '/Account/Password', '/Account/SignOutEverywhere']) {
    app.get(path, { schema: { hide: true } }, async (request, reply) =>
      request.kept === null ? reply.redirect('/Account', 303) : sendAccount(request, reply),
    )
  }

  app.post('/Account/Name', { schema: { hide: true, body: Fields } }, async (request, reply) => {
    const { userId, actor } = visitorActor(request)
    const before = visitorOf(request).name
    let isSame: boolean
    try {
      const name = request.body.get('name') ?? ''
      const after = await changeOwnUser(app.deps, userId, { name }, actor)
      isSame = after.name === before
    } catch (error) {
      const refusal = refusalOf(error, ['unprocessable'], ({ options: { errors = [] } }) =>
        errors.map(({ detail }) => ({ field: 'name', text: fieldProblemText('Name', detail) })),
      )
      return refuse(request, reply, refusal)
    }
    const text = isSame ? 'Your name is unchanged.' : 'Your name was changed.'
    return redirectDone(request, reply, '/Account', text)
  })

  app.post(
    '/Account/Password',
    { config: { actsOnce: true }, schema: { hide: true, body: Fields } },
    async (request, reply) => {
      if (!app.deps.config.passwordLogin) throw passwordsOff()
      const { actor } = visitorActor(request)
      const fields = request.body
      const problems = passwordProblems(fields)
      const current = await checkCurrentPassword(request, fields.get('currentPassword') ?? '')
      if (current.problem !== undefined) {
        problems.unshift({ field: 'currentPassword', text: current.problem })
      }
      if (current.user === undefined || problems.length > 0) {
        reply.headers(limitHeaders(current.limit))
        return refuse(request, reply, { problems, status: current.limit === undefined ? 422 : 429 })
      }
      const password = fields.get('newPassword') ?? ''
      let user: { id: string; tokenGeneration: number }
      try {
        user = await changeOwnPassword(app.deps, current.user, { password }, actor)
      } catch (error) {
        return refuse(request, reply, newPasswordRefusal(error))
      }
      const device = deviceOf(request.headers['user-agent'], clientAddress(request))
      const { factorAt } = visitorOf(request)
      const session = { ...user, device, factorAt: factorAt ?? undefined }
      const cookie = await openSession(app.deps, session, sessionCookie(request))
      // Ended by somebody else already.
      if (cookie === undefined) return clearSessionCookie(request, reply).redirect('/login', 303)
      await keepChoice(app.deps, cookie, chosenAccountId(request) ?? null)
      setSessionCookie(request, reply, cookie)
      const text = 'Your password was changed. You are signed out everywhere else.'
      return redirectDone(request, reply, '/Account', text)
    },
  )

  app.post(
    '/Account/SignOutEverywhere',
    { config: { actsOnce: true }, schema: { hide: true } },
    async (request, reply) => {
      const { userId, actor } = visitorActor(request)
      await closeAllSessions(app.deps, userId, actor)
      return redirectDone(request, clearSessionCookie(request, reply), '/signed-out')
    },
  )

  /**
   * @returns the visitor whose current password it is; else why it is not taken, which is left out
   *   where there is none, and the limit when too many wrong ones came
   */
  async function checkCurrentPassword(
    request: FastifyRequest,
    password: string,
  ): Promise<{ user?: SignedInUser | undefined; problem?: string; limit?: AppError }> {
    if (password === '') return {}
    const { id, signInName: email } = visitorOf(request)
    try {
      const caller = { kind: 'user', id }
      const user = await checkUserPassword(
        app.deps,
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

  async function sendAccount(request: FastifyRequest, reply: FastifyReply) {
    const { typed, problems = [] } = readAttempt(request, reply) ?? {}
    const visitor = visitorOf(request)
    const userId = visitor.id
    return sendPage(
      reply,
      accountPage({
        ...visitorShell(request, reply),
        account: await readOwnUser(app.deps, userId),
        pendingEmail: await readPendingEmailChange(app.deps, {
          id: userId,
          email: visitor.signInName,
        }),
        suspensions: await readAccountSuspensions(app.deps, userId),
        requestsToDecide: await countRequestsToDecide(app.deps, userId, chosenAccountId(request)),
        invitations: await listWaitingInvitations(app.deps, userId),
        reports: await recentReportsToUser(app.deps, userId),
        hasPassword: app.deps.config.passwordLogin,
        provider: await providerOfUser(app.deps, userId),
        typedName: typed?.get('name'),
        problems,
        message: takeNotice(request, reply)?.text,
      }),
    )
  }
}
