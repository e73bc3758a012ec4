import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SecretBoxError } from '../../base/secrets/secret-box.ts'
import { pageCookieName, pageCookieOptions } from './page-cookies.ts'

/** Long enough to find a password and a second factor at the provider. */
const ATTEMPT_SECONDS = 600
const COOKIE = 'sign-in'
/** A cookie has to hold it, sealed. Longer ones lead to the start page. */
const NEXT_MAX_LENGTH = 2_400

/** A sign-in that goes on at the provider, and where it is to lead. */
export type ProviderSignIn = {
  state: string
  nonce: string
  verifier: string
  next: string
  expiresAt: Date
}

/** Begins a sign-in, and gives it to the browser that makes it, sealed in a cookie. */
export function beginProviderSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  next: string,
): ProviderSignIn {
  const { secrets, now } = request.server.deps
  const signIn = {
    state: randomBytes(32).toString('base64url'),
    nonce: randomBytes(32).toString('base64url'),
    verifier: randomBytes(32).toString('base64url'),
    next: next.length > NEXT_MAX_LENGTH ? '/' : next,
    expiresAt: new Date(now().getTime() + ATTEMPT_SECONDS * 1000),
  }
  const sealed = secrets.encrypt(Buffer.from(JSON.stringify(signIn)), COOKIE)
  reply.setCookie(pageCookieName(request.server, COOKIE), sealed.toString('base64url'), {
    ...pageCookieOptions(request.server),
    maxAge: ATTEMPT_SECONDS,
  })
  return signIn
}

/**
 * The sign-in of this browser that a state belongs to, which the browser loses; undefined when it has
 * none, or one too old. With another state it keeps what it has: an older tab, and a link of another
 * site, end no sign-in.
 *
 * @param state that the browser came back with
 */
export function takeProviderSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  state: string,
): ProviderSignIn | undefined {
  const signIn = heldSignIn(request)
  if (signIn === undefined || !isSame(state, signIn.state)) return undefined
  reply.clearCookie(pageCookieName(request.server, COOKIE), pageCookieOptions(request.server))
  return signIn
}

function heldSignIn({ server, cookies }: FastifyRequest): ProviderSignIn | undefined {
  const sealed = cookies?.[pageCookieName(server, COOKIE)]
  if (sealed === undefined) return undefined
  try {
    const text = server.deps.secrets.decrypt(Buffer.from(sealed, 'base64url'), COOKIE)
    const signIn = JSON.parse(text.toString('utf8')) as ProviderSignIn
    const expiresAt = new Date(signIn.expiresAt)
    return expiresAt > server.deps.now() ? { ...signIn, expiresAt } : undefined
  } catch (error) {
    if (error instanceof SecretBoxError) return undefined
    throw error
  }
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
