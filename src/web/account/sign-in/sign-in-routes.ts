import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AppError } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { SIGN_IN_LIMIT_BYTES } from '../../../http/bodies/json-body.ts'
import { clientAddress } from '../../../http/client-address.ts'
import { sendPage } from '../../../http/send-page.ts'
import { passwordsOff } from '../../../identity/auth/passwords-off.ts'
import { checkUserPassword, type SignedInUser } from '../../../identity/auth/user-login-service.ts'
import {
  closeSession,
  readAnySession,
  readSession,
} from '../../../identity/auth/user-session-service.ts'
import { formOfAnother } from '../../requests/form-of-another.ts'
import { refuseSignIn, takeNotice } from '../../requests/notices.ts'
import {
  clearSessionCookie,
  csrfToken,
  sessionCookie,
  unlessSignedOut,
} from '../../requests/pages.ts'
import { postponed } from '../../requests/postponed-sign-in.ts'
import { enrolmentPath, finishSignIn, SIGN_IN_CHANGED } from '../../requests/signing-in.ts'
import { wayToApp } from '../../requests/way-to-app.ts'
import { loginPage } from '../../shared/sign-in/login-page.ts'
import { safeNextPath } from '../../shared/sign-in/next-path.ts'
import { signedOutPage } from '../../shared/sign-in/signed-out-page.ts'

const LoginQuery = z.looseObject({ next: z.unknown().optional() })

const LoginForm = z.object({
  email: z.string(),
  password: z.string(),
  next: z.unknown().optional(),
})

/** Said to everybody alike, also to who is suspended and types both right. */
const WRONG = 'Wrong email or password. Try again, or reset your password.'

/** Sign-in and sign-out of users. */
export async function signInRoutes(app: App) {
  app.get('/login', { schema: { hide: true, querystring: LoginQuery } }, async (request, reply) => {
    const next = safeNextPath(request.query.next)
    const session = await readSession(app.deps, sessionCookie(request))
    if (session !== undefined) {
      const { formOwnerId } = takeNotice(request, reply) ?? {}
      if (formOwnerId !== undefined && formOwnerId !== session.user.id) {
        throw formOfAnother(session.user.name, next)
      }
      return reply.redirect(next, 303)
    }
    if (await readAnySession(app.deps, sessionCookie(request))) {
      takeNotice(request, reply)
      return reply.redirect(enrolmentPath(next), 303)
    }
    return sendLogin(request, reply, next)
  })

  // People of developers have this address in their bookmarks.
  app.get(
    '/Developer/Login',
    { schema: { hide: true, querystring: LoginQuery } },
    (request, reply) => {
      const next = safeNextPath(request.query.next, '/Developer')
      return reply.redirect(`/login?next=${encodeURIComponent(next)}`, 303)
    },
  )

  // Where password managers lead who has to change a password (W3C, "A Well-Known URL for Changing
  // Passwords").
  app.get('/.well-known/change-password', { schema: { hide: true } }, (_request, reply) =>
    reply.redirect('/Account/Password', 302),
  )

  const post = { bodyLimit: SIGN_IN_LIMIT_BYTES, schema: { hide: true, body: LoginForm } }
  app.post('/login', post, async (request, reply) => {
    if (!app.deps.config.passwordLogin) throw passwordsOff()
    const { email, password } = request.body
    const next = safeNextPath(request.body.next)
    const refuse = (refusal: { text: string; error?: AppError }) =>
      refuseSignIn(request, reply, { next, name: email, ...refusal })
    let user: SignedInUser | undefined
    try {
      user = await checkUserPassword(app.deps, { email, password }, clientAddress(request))
    } catch (error) {
      const refusal = postponed(error)
      if (refusal === undefined) throw error
      return refuse(refusal)
    }
    if (user === undefined) return refuse({ text: WRONG })
    const isDone = await finishSignIn(request, reply, user, next)
    return isDone ? reply : refuse({ text: SIGN_IN_CHANGED })
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

  app.get('/signed-out', { schema: { hide: true } }, async (request, reply) => {
    if (await readAnySession(app.deps, sessionCookie(request))) return reply.redirect('/', 303)
    const { assetVersion } = app
    const message = takeNotice(request, reply)?.text
    const provider = app.deps.identityProvider?.name
    return sendPage(reply, signedOutPage({ assetVersion, message, provider }))
  })

  /** The sign-in form; its policy lets it lead back to the app that the user is on the way to. */
  async function sendLogin(request: FastifyRequest, reply: FastifyReply, next: string) {
    const notice = takeNotice(request, reply)
    const { appName, formTargets } = await wayToApp(app.deps, next)
    return sendPage(
      reply,
      loginPage({
        next,
        notice,
        csrfToken: csrfToken(request, reply),
        assetVersion: app.assetVersion,
        appName,
        ways: {
          provider: app.deps.identityProvider?.name,
          password: app.deps.config.passwordLogin,
        },
      }),
      { formTargets },
    )
  }
}
