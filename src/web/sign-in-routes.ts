import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { checkUserPassword, type SignedInUser } from '../auth/user-login-service.ts'
import type { App } from '../http/app-type.ts'
import {
  clearSessionCookie,
  csrfToken,
  formTargetsOf,
  sendPage,
  sessionCookie,
  setSessionCookie,
  unlessSignedOut,
} from '../http/pages.ts'
import { loginPage } from './login-page.ts'
import { appIdOfPath, safeNextPath } from './next-path.ts'
import { postponed } from './postponed-sign-in.ts'
import { findRedirectApp } from './redirect-service.ts'
import { closeSession, openSession, readSession } from './session-service.ts'
import { signedOutPage } from './signed-out-page.ts'

const LoginQuery = z.looseObject({ next: z.unknown().optional() })

const LoginForm = z.object({
  email: z.string(),
  password: z.string(),
  next: z.unknown().optional(),
})

/** Sign-in and sign-out of users. */
export async function signInRoutes(app: App, { assetVersion }: { assetVersion: string }) {
  app.get('/login', { schema: { hide: true, querystring: LoginQuery } }, async (request, reply) => {
    const next = safeNextPath(request.query.next)
    if (await readSession(app.deps, sessionCookie(request))) return reply.redirect(next, 303)
    return sendLogin(request, reply, { next })
  })

  app.post('/login', { schema: { hide: true, body: LoginForm } }, async (request, reply) => {
    const { email, password } = request.body
    const next = safeNextPath(request.body.next)
    let user: SignedInUser | undefined
    try {
      user = await checkUserPassword(app.deps, { email, password }, request.ip)
    } catch (error) {
      const { status, waitSeconds, text } = postponed(error)
      reply.code(status).header('retry-after', waitSeconds)
      return sendLogin(request, reply, { next, name: email, error: text })
    }
    if (user === undefined) {
      reply.code(401)
      return sendLogin(request, reply, {
        next,
        name: email,
        error: 'The email or the password is wrong.',
      })
    }
    const cookie = await openSession(app.deps, user.id, sessionCookie(request))
    return setSessionCookie(request, reply, cookie).redirect(next, 303)
  })

  app.post(
    '/logout',
    { schema: { hide: true }, onRequest: unlessSignedOut('/signed-out') },
    async (request, reply) => {
      await closeSession(app.deps, sessionCookie(request))
      const { next } = (request.body ?? {}) as { next?: unknown }
      const then =
        next === undefined ? '/signed-out' : `/login?next=${encodeURIComponent(safeNextPath(next))}`
      return clearSessionCookie(request, reply).redirect(then, 303)
    },
  )

  app.get('/signed-out', { schema: { hide: true } }, async (_request, reply) =>
    sendPage(reply, signedOutPage({ assetVersion })),
  )

  /** The sign-in form; its policy lets it lead back to the app that the user is on the way to. */
  async function sendLogin(
    request: FastifyRequest,
    reply: FastifyReply,
    form: { next: string; name?: string; error?: string },
  ) {
    const appId = appIdOfPath(form.next)
    const target =
      appId === undefined
        ? undefined
        : await findRedirectApp(app.deps, { appId, clientId: undefined }).catch(() => undefined)
    return sendPage(
      reply,
      loginPage({
        ...form,
        csrfToken: csrfToken(request, reply),
        assetVersion,
        ...(target === undefined ? {} : { appName: target.name }),
      }),
      { formTargets: target === undefined ? [] : formTargetsOf(target.authReturnUrl) },
    )
  }
}
