import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../../base/values/actor.ts'
import { clientAddress } from '../../http/client-address.ts'
import { actorOfDeveloper } from '../../identity/guards/actor.ts'
import { SANDBOX_VISIT_MINUTES } from '../developer/sandbox/open-page.ts'
import { pageCookieName, pageCookieOptions } from './page-cookies.ts'
import { sessionCookie } from './pages.ts'
import type { ReadVisitor } from './visitor-type.ts'

const COOKIE = 'open-in-sandbox'

/**
 * Remembers that a developer opens an app in the sandbox, which begins the sign-in by itself. The
 * cookie is a wish and opens nothing: it counts beside a session of the app's developer only.
 */
export function rememberSandboxVisit(reply: FastifyReply, appId: string): FastifyReply {
  const { server } = reply
  return reply.setCookie(pageCookieName(server, COOKIE), appId, {
    ...pageCookieOptions(server),
    maxAge: SANDBOX_VISIT_MINUTES * 60,
  })
}

/** The developer who is signed in and has just opened an app in the sandbox. */
export async function sandboxVisitor(
  request: FastifyRequest,
  appId: string,
  readDeveloper: ReadVisitor,
): Promise<{ developerId: string; actor: Actor } | undefined> {
  if (request.cookies[pageCookieName(request.server, COOKIE)] !== appId) return undefined
  const visitor = await readDeveloper(sessionCookie(request))
  return visitor?.principal && actorOfDeveloper(visitor.principal, clientAddress(request))
}

/** The next time the app is opened as anybody's. */
export function forgetSandboxVisit(request: FastifyRequest, reply: FastifyReply): void {
  const name = pageCookieName(reply.server, COOKIE)
  if (request.cookies[name] !== undefined) reply.clearCookie(name, pageCookieOptions(reply.server))
}
