import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AppError } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { SIGN_IN_LIMIT_BYTES } from '../../http/bodies/json-body.ts'
import { clientAddress } from '../../http/client-address.ts'
import { sendPage } from '../../http/send-page.ts'
import { checkDeveloperPassword } from '../../identity/auth/developer-login-service.ts'
import { developerSessions } from '../../identity/auth/developer-session-service.ts'
import {
  closeSession,
  readAnySession,
  readSession,
} from '../../identity/auth/user-session-service.ts'
import { formOfAnother } from '../requests/form-of-another.ts'
import { refuseSignIn, takeNotice } from '../requests/notices.ts'
import {
  clearSessionCookie,
  csrfToken,
  sessionCookie,
  sessionCookieAnywhere,
  setSessionCookie,
  unlessSignedOut,
} from '../requests/pages.ts'
import { postponed } from '../requests/postponed-sign-in.ts'
import { enrolmentPath } from '../requests/signing-in.ts'
import { readAny } from '../requests/visitor.ts'
import type { ReadVisitor } from '../requests/visitor-type.ts'
import { developerLoginPage } from '../shared/sign-in/login-page.ts'
import { safeNextPath } from '../shared/sign-in/next-path.ts'
import { signedOutPage } from '../shared/sign-in/signed-out-page.ts'

const START = '/Developer'

const LoginQuery = z.looseObject({ next: z.unknown().optional() })
const LoginForm = z.object({
  clientId: z.string(),
  password: z.string(),
  next: z.unknown().optional(),
})

/** Said to everybody alike, also to a developer who is suspended and types both right. */
const WRONG =
  'Wrong client ID or password. Both are case-sensitive. ' +
  'If you are sure of both, ask the operator of this marketplace.'

/** Sign-in and sign-out of developers, with the credentials of the API. */
export async function developerSignInRoutes(app: App, { read }: { read: ReadVisitor }) {
  app.get(
    '/Developer/Login',
    { schema: { hide: true, querystring: LoginQuery } },
    async (request, reply) => {
      const next = safeNextPath(request.query.next, START)
      const visitor = await readAny(request, reply, read)
      if (visitor !== undefined) {
        const { formOwnerId } = takeNotice(request, reply) ?? {}
        if (formOwnerId !== undefined && formOwnerId !== visitor.id) {
          throw formOfAnother(visitor.name, next)
        }
        return reply.redirect(next, 303)
      }
      if (await mustEnrolFirst(request)) {
        takeNotice(request, reply)
        return reply.redirect(enrolmentPath(next), 303)
      }
      return sendLogin(request, reply, next)
    },
  )

  app.post(
    '/Developer/Login',
    { bodyLimit: SIGN_IN_LIMIT_BYTES, schema: { hide: true, body: LoginForm } },
    async (request, reply) => {
      const { password } = request.body
      // Client ids hold no spaces; what is pasted often ends with one.
      const clientId = request.body.clientId.trim()
      const next = safeNextPath(request.body.next, START)
      const refuse = (refusal: { text: string; error?: AppError }) =>
        refuseSignIn(request, reply, { next, name: clientId, ...refusal })
      let credential: Awaited<ReturnType<typeof checkDeveloperPassword>>
      try {
        credential = await checkDeveloperPassword(
          app.deps,
          { clientId, password },
          clientAddress(request),
        )
      } catch (error) {
        const refusal = postponed(error)
        if (refusal === undefined) throw error
        return refuse(refusal)
      }
      const cookie =
        credential && (await developerSessions.open(app.deps, credential, sessionCookie(request)))
      if (cookie === undefined) {
        return refuse({ text: WRONG })
      }
      return setSessionCookie(request, reply, cookie).redirect(next, 303)
    },
  )

  app.post(
    '/Developer/Logout',
    { schema: { hide: true }, onRequest: unlessSignedOut('/Developer/SignedOut') },
    async (request, reply) => {
      // One of a credential, or of a person: the other call ends none.
      await developerSessions.close(app.deps, sessionCookie(request))
      await closeSession(app.deps, sessionCookie(request))
      const { next } = (request.body ?? {}) as { next?: unknown }
      const then =
        next === undefined
          ? '/Developer/SignedOut'
          : `/Developer/Login?next=${encodeURIComponent(safeNextPath(next, START))}`
      return clearSessionCookie(request, reply).redirect(then, 303)
    },
  )

  app.get('/Developer/SignedOut', { schema: { hide: true } }, async (request, reply) => {
    if (await developerSessions.read(app.deps, sessionCookieAnywhere(request, 'developer'))) {
      return reply.redirect(START, 303)
    }
    const { assetVersion } = app
    const session = await readAnySession(app.deps, sessionCookieAnywhere(request, 'user'))
    const other = session && {
      area: 'marketplace' as const,
      name: session.user.name,
      signInName: session.user.email,
      csrfToken: csrfToken(request, reply, 'user'),
    }
    return sendPage(reply, signedOutPage({ assetVersion, area: 'developers', other }))
  })

  /** Whether a person of a developer is signed in who has to turn on a second factor. */
  async function mustEnrolFirst(request: FastifyRequest): Promise<boolean> {
    const cookie = sessionCookie(request)
    const session = await readAnySession(app.deps, cookie)
    if (!session?.user.worksForDevelopers) return false
    return (await readSession(app.deps, cookie)) === undefined
  }

  function sendLogin(request: FastifyRequest, reply: FastifyReply, next: string) {
    const notice = takeNotice(request, reply)
    const { assetVersion } = app
    const input = { next, notice, csrfToken: csrfToken(request, reply), assetVersion }
    return sendPage(reply, developerLoginPage(input))
  }
}
