import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { checkDeveloperPassword } from '../auth/developer-login-service.ts'
import type { App } from '../http/app-type.ts'
import {
  clearSessionCookie,
  csrfToken,
  sendPage,
  sessionCookie,
  setSessionCookie,
  unlessSignedOut,
} from '../http/pages.ts'
import { developerSessions } from './developer-session-service.ts'
import { developerLoginPage } from './login-page.ts'
import { safeNextPath } from './next-path.ts'
import { postponed } from './postponed-sign-in.ts'
import { signedOutPage } from './signed-out-page.ts'

const START = '/Developer'

const LoginQuery = z.looseObject({ next: z.unknown().optional() })
const LoginForm = z.object({
  clientId: z.string(),
  password: z.string(),
  next: z.unknown().optional(),
})

/** Sign-in and sign-out of developers, with the credentials of the API. */
export async function developerSignInRoutes(app: App, { assetVersion }: { assetVersion: string }) {
  app.get(
    '/Developer/Login',
    { schema: { hide: true, querystring: LoginQuery } },
    async (request, reply) => {
      const next = safeNextPath(request.query.next, START)
      if (await developerSessions.read(app.deps, sessionCookie(request))) {
        return reply.redirect(next, 303)
      }
      return sendLogin(request, reply, { next })
    },
  )

  app.post(
    '/Developer/Login',
    { schema: { hide: true, body: LoginForm } },
    async (request, reply) => {
      const { password } = request.body
      // Client ids hold no spaces; what is pasted often ends with one.
      const clientId = request.body.clientId.trim()
      const next = safeNextPath(request.body.next, START)
      let credential: Awaited<ReturnType<typeof checkDeveloperPassword>>
      try {
        credential = await checkDeveloperPassword(app.deps, { clientId, password }, request.ip)
      } catch (error) {
        const { status, waitSeconds, text } = postponed(error)
        reply.code(status).header('retry-after', waitSeconds)
        return sendLogin(request, reply, { next, name: clientId, error: text })
      }
      if (credential === undefined) {
        reply.code(401)
        const error = 'The client id or the password is wrong. Upper and lower case matter in both.'
        return sendLogin(request, reply, { next, name: clientId, error })
      }
      const former = sessionCookie(request)
      const cookie = await developerSessions.open(app.deps, credential.id, former)
      return setSessionCookie(request, reply, cookie).redirect(next, 303)
    },
  )

  app.post(
    '/Developer/Logout',
    { schema: { hide: true }, onRequest: unlessSignedOut('/Developer/SignedOut') },
    async (request, reply) => {
      await developerSessions.close(app.deps, sessionCookie(request))
      return clearSessionCookie(request, reply).redirect('/Developer/SignedOut', 303)
    },
  )

  app.get('/Developer/SignedOut', { schema: { hide: true } }, async (_request, reply) =>
    sendPage(reply, signedOutPage({ assetVersion, area: 'developers' })),
  )

  function sendLogin(
    request: FastifyRequest,
    reply: FastifyReply,
    form: { next: string; name?: string; error?: string },
  ) {
    const input = { ...form, csrfToken: csrfToken(request, reply), assetVersion }
    return sendPage(reply, developerLoginPage(input))
  }
}
