import type { FastifyReply, FastifyRequest } from 'fastify'
import { setPassword } from '../accounts/members-service.ts'
import { readOwnAccount } from '../accounts/own-account-service.ts'
import { checkUserPassword } from '../auth/user-login-service.ts'
import type { App } from '../http/app-type.ts'
import { clearSessionCookie, sendPage, sessionCookie, setSessionCookie } from '../http/pages.ts'
import { visitorActor, visitorOf, visitorShell } from '../http/visitor.ts'
import { accountPage, passwordProblems } from './account-page.ts'
import type { FormProblem } from './form-problems.ts'
import { closeAllSessions, openSession } from './session-service.ts'
import { Fields } from './settings-form.ts'

/** The visitor's own page: accounts, password, sessions. */
export async function accountPageRoutes(app: App, { assetVersion }: { assetVersion: string }) {
  app.get('/Account', { schema: { hide: true, querystring: Fields } }, (request, reply) =>
    sendAccount(request, reply, []),
  )

  // Where a sign-in leads back to that interrupted a change.
  for (const path of ['/Account/Password', '/Account/SignOutEverywhere']) {
    app.get(path, { schema: { hide: true } }, async (_request, reply) =>
      reply.redirect('/Account', 303),
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
      if (
        password !== '' &&
        (await checkUserPassword(app.deps, { email, password }, request.ip)) === undefined
      ) {
        problems.unshift({ field: 'currentPassword', text: 'The current password is wrong.' })
      }
      if (problems.length > 0) {
        reply.code(422)
        return sendAccount(request, reply, problems)
      }
      await setPassword(app.deps, userId, { password: fields.get('newPassword') }, actor)
      const cookie = await openSession(app.deps, userId, sessionCookie(request))
      return setSessionCookie(request, reply, cookie).redirect('/Account?done=password', 303)
    },
  )

  app.post('/Account/SignOutEverywhere', { schema: { hide: true } }, async (request, reply) => {
    const { userId, actor } = visitorActor(request)
    await closeAllSessions(app.deps, userId, actor)
    return clearSessionCookie(request, reply).redirect('/signed-out', 303)
  })

  async function sendAccount(
    request: FastifyRequest,
    reply: FastifyReply,
    problems: readonly FormProblem[],
  ) {
    const done = request.query instanceof Map && request.query.get('done') === 'password'
    return sendPage(
      reply,
      accountPage({
        ...visitorShell(request, reply),
        assetVersion,
        account: await readOwnAccount(app.deps, visitorOf(request).id),
        problems,
        message: done
          ? 'The password is changed. All other sessions and all tokens have ended.'
          : undefined,
      }),
    )
  }
}
