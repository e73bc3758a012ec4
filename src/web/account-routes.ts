import type { FastifyReply, FastifyRequest } from 'fastify'
import { setPassword } from '../accounts/members-service.ts'
import { readOwnAccount } from '../accounts/own-account-service.ts'
import { checkUserPassword } from '../auth/user-login-service.ts'
import { AppError } from '../errors.ts'
import type { App } from '../http/app-type.ts'
import { sendDone, showAgain, shownAgain } from '../http/kept-forms.ts'
import { takeNotice } from '../http/notices.ts'
import { clearSessionCookie, sendPage, sessionCookie, setSessionCookie } from '../http/pages.ts'
import { chosenAccountId, visitorActor, visitorOf, visitorShell } from '../http/visitor.ts'
import { accountPage, passwordProblems } from './account-page.ts'
import { closeAllSessions, keepChoice, openSession } from './session-service.ts'
import { Fields } from './settings-form.ts'

/** The visitor's own page: accounts, password, sessions. */
export async function accountPageRoutes(app: App, { assetVersion }: { assetVersion: string }) {
  app.get('/Account', { schema: { hide: true, querystring: Fields } }, (request, reply) =>
    sendAccount(request, reply),
  )

  // Where a sign-in leads back to that interrupted a change, and where its problems are shown.
  for (const path of ['/Account/Password', '/Account/SignOutEverywhere']) {
    app.get(path, { schema: { hide: true } }, async (request, reply) =>
      request.kept === null ? reply.redirect('/Account', 303) : sendAccount(request, reply),
    )
  }

  app.post(
    '/Account/Password',
    { schema: { hide: true, body: Fields } },
    async (request, reply) => {
      const { userId, actor } = visitorActor(request)
      const { email } = visitorOf(request)
      const fields = request.body
      const problems = passwordProblems(fields)
      const password = fields.get('currentPassword') ?? ''
      const refusal =
        password === '' ? undefined : await passwordRefusal({ email, password }, request.ip)
      if (refusal !== undefined) {
        problems.unshift({ field: 'currentPassword', text: refusal.text })
        if (refusal.waitSeconds !== undefined) reply.header('retry-after', refusal.waitSeconds)
      }
      if (problems.length > 0) {
        return showAgain(request, reply, problems, refusal?.waitSeconds === undefined ? 422 : 429)
      }
      await setPassword(app.deps, userId, { password: fields.get('newPassword') }, actor)
      const cookie = await openSession(app.deps, userId, sessionCookie(request))
      await keepChoice(app.deps, cookie, chosenAccountId(request) ?? null)
      setSessionCookie(request, reply, cookie)
      const text = 'The password is changed. All other sessions and all tokens have ended.'
      return sendDone(request, reply, '/Account', text)
    },
  )

  app.post('/Account/SignOutEverywhere', { schema: { hide: true } }, async (request, reply) => {
    const { userId, actor } = visitorActor(request)
    await closeAllSessions(app.deps, userId, actor)
    return clearSessionCookie(request, reply).redirect('/signed-out', 303)
  })

  /** Why a current password is not taken, if so; after too many wrong ones, for how long. */
  async function passwordRefusal(
    user: { email: string; password: string },
    address: string,
  ): Promise<{ text: string; waitSeconds?: number | undefined } | undefined> {
    try {
      const found = await checkUserPassword(app.deps, user, address)
      return found === undefined ? { text: 'The current password is wrong.' } : undefined
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'too_many_requests')) throw error
      const { retryAfterSeconds: waitSeconds = 1 } = error.options
      const wait = `${waitSeconds} ${waitSeconds === 1 ? 'second' : 'seconds'}`
      const text = `Too many wrong passwords came from here. Wait ${wait}, then try again.`
      return { text, waitSeconds }
    }
  }

  async function sendAccount(request: FastifyRequest, reply: FastifyReply) {
    const { problems = [] } = shownAgain(request, reply) ?? {}
    return sendPage(
      reply,
      accountPage({
        ...visitorShell(request, reply),
        assetVersion,
        account: await readOwnAccount(app.deps, visitorOf(request).id),
        problems,
        message: takeNotice(request, reply)?.text,
      }),
    )
  }
}
