import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { SecretBoxError } from '../../base/secrets/secret-box.ts'
import { clientAddress } from '../../http/client-address.ts'
import { auditSignIn } from '../../identity/auth/audit-sign-ins-service.ts'
import { landingPath } from '../../identity/auth/landing-path-service.ts'
import {
  hasSecondFactor,
  mustEnrol,
} from '../../identity/auth/second-factor/factor-policy-service.ts'
import { deviceOf } from '../../identity/auth/sessions/device.ts'
import { openSession } from '../../identity/auth/user-session-service.ts'
import { redirectDone } from './answers.ts'
import { pageCookieName, pageCookieOptions } from './page-cookies.ts'
import { sessionCookie, setSessionCookie } from './pages.ts'

/** Where a code is asked for. */
export const CODE_PATH = '/login/code'

/** Where a second factor is turned on. */
export const ENROLMENT_PATH = '/Account/SecondFactor'

/** What a user is told whose password, second factor or state changed during the sign-in. */
export const SIGN_IN_CHANGED = 'Your sign-in has changed meanwhile. Try again.'

/** Long enough to find the phone. */
const HALF_SECONDS = 600
const COOKIE = 'half-sign-in'

/** Somebody whose password was right, and whose second factor is still to come. */
const HalfSignIn = z.object({
  userId: z.uuid(),
  tokenGeneration: z.int(),
  /** Milliseconds since 1970. */
  until: z.int(),
})
type HalfSignIn = z.infer<typeof HalfSignIn>

/**
 * Goes on with a sign-in whose first half was right: to the page that asks for a code where the user
 * has a second factor, else into a session. A user who must have a second factor and has none is led
 * to turning it on, as the session opens nothing else, and from there to `next`.
 *
 * @param user as it was when the password was checked
 * @param next a path of this site; the start page leads who has no account to the own console
 * @param options `factorAt`: when somebody trusted saw a second factor; then no code is asked for
 * @returns false when the password was changed or a second factor turned on meanwhile, or the user
 *   may not sign in any more; else the reply is sent (a promise of the reply itself would resolve
 *   with nothing)
 */
export async function finishSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  user: { id: string; tokenGeneration: number },
  next: string,
  { factorAt }: { factorAt?: Date } = {},
): Promise<boolean> {
  const { deps } = request.server
  const { id, tokenGeneration } = user
  if (factorAt === undefined && (await hasSecondFactor(deps, id))) {
    const until = deps.now().getTime() + HALF_SECONDS * 1000
    keepHalf(request, reply, { userId: id, tokenGeneration, until })
    await redirectDone(request, reply, `${CODE_PATH}?next=${encodeURIComponent(next)}`)
    return true
  }
  const device = deviceOf(request.headers['user-agent'], clientAddress(request))
  const cookie = await openSession(
    deps,
    { id, tokenGeneration, device, factorAt },
    sessionCookie(request),
  )
  if (cookie === undefined) return false
  auditSignIn(deps, id, clientAddress(request))
  dropHalf(request, reply)
  const begin = factorAt === undefined && (await mustEnrol(deps, id))
  setSessionCookie(request, reply, cookie)
  const to = next === '/' ? await landingPath(deps, id) : next
  await redirectDone(request, reply, begin ? enrolmentPath(to) : to)
  return true
}

/**
 * Where somebody turns on a second factor and then goes on.
 *
 * @param next a path of this site
 */
export function enrolmentPath(next: string): string {
  return `${ENROLMENT_PATH}?next=${encodeURIComponent(next)}`
}

/** A sealed cookie opens nothing but the page that asks for the code. */
function keepHalf(request: FastifyRequest, reply: FastifyReply, half: HalfSignIn): void {
  const { server } = request
  const sealed = server.deps.secrets.encrypt(Buffer.from(JSON.stringify(half)), COOKIE)
  reply.setCookie(pageCookieName(server, COOKIE), sealed.toString('base64url'), {
    ...pageCookieOptions(server),
    maxAge: HALF_SECONDS,
  })
}

/** The cookie of a sign-in whose second factor is still to come. */
export function halfSignInCookie({ cookies, server }: FastifyRequest): string | undefined {
  return cookies[pageCookieName(server, COOKIE)]
}

/** Whose code is asked for; undefined when nobody's is, or not any more. */
export function halfSignIn(request: FastifyRequest): HalfSignIn | undefined {
  const { secrets, now } = request.server.deps
  const sealed = halfSignInCookie(request)
  if (sealed === undefined) return undefined
  try {
    const text = secrets.decrypt(Buffer.from(sealed, 'base64url'), COOKIE).toString('utf8')
    const half = HalfSignIn.parse(JSON.parse(text))
    return half.until > now().getTime() ? half : undefined
  } catch (error) {
    if (error instanceof SecretBoxError) return undefined
    throw error
  }
}

function dropHalf(request: FastifyRequest, reply: FastifyReply): void {
  if (halfSignInCookie(request) === undefined) return
  reply.clearCookie(pageCookieName(request.server, COOKIE), pageCookieOptions(request.server))
}
