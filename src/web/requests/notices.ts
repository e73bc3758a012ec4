import type { FastifyReply, FastifyRequest } from 'fastify'
import { SecretBoxError } from '../../base/secrets/secret-box.ts'
import type { AppError } from '../../errors.ts'
import { SIGN_IN_CHALLENGE } from '../../http/problem.ts'
import { limitHeaders } from '../../http/rate-limits/rate-limit.ts'
import { pageCookieName, pageCookieOptions } from './page-cookies.ts'
import { showPage } from './page-in-place.ts'
import type { Notice } from './state.ts'

/** Long enough for a redirect on a slow network, no longer. */
const NOTICE_SECONDS = 120
const NOTICE = 'notice'

type Refusal = {
  /** Where the sign-in was to lead. */
  next: string
  text: string
  /** As it was typed. */
  name: string
  /** Why the password was not even looked at. */
  error?: AppError | undefined
}

/**
 * Leaves a message for the page that a redirect leads to: in a sealed cookie, which only that page
 * takes, so that neither its address, nor a reload, nor the way back shows the message again.
 */
export function leaveNotice(
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
  { text }: { text: string },
): FastifyReply {
  const kept = {
    text,
    ...(request.page.form.origin && { formOwnerId: request.page.form.origin.ownerId }),
  }
  const content = Buffer.from(JSON.stringify(kept))
  const sealed = request.server.deps.secrets.encrypt(content, contextOf(path))
  return reply.setCookie(pageCookieName(request.server, NOTICE), sealed.toString('base64url'), {
    ...pageCookieOptions(request.server),
    maxAge: NOTICE_SECONDS,
  })
}

/** The message that was left for this page; undefined when there is none. It is gone then. */
export function takeNotice(request: FastifyRequest, reply: FastifyReply): Notice | undefined {
  const { server } = request
  if (request.page.notice !== null) return request.page.notice
  const name = pageCookieName(server, NOTICE)
  const sealed = request.cookies?.[name]
  if (sealed === undefined || request.method !== 'GET') return undefined
  try {
    const context = contextOf(request.url)
    const text = server.deps.secrets.decrypt(Buffer.from(sealed, 'base64url'), context)
    reply.clearCookie(name, pageCookieOptions(server))
    return JSON.parse(text.toString('utf8')) as Notice
  } catch (error) {
    // It is for another page, or made up.
    if (error instanceof SecretBoxError) return undefined
    throw error
  }
}

/** Answers a sign-in that is refused in place: with its page, which says why and keeps the name. */
export function refuseSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  { next, text, name, error }: Refusal,
): Promise<FastifyReply> {
  const { status = 401 } = error ?? {}
  reply.code(status).headers(limitHeaders(error) ?? {})
  if (status === 401) reply.header('www-authenticate', SIGN_IN_CHALLENGE)
  request.page.notice = { text, refused: { name } }
  return showPage(request, reply, { next })
}

/** A page is known by its path: its query may change on the way. */
function contextOf(address: string): string {
  return `notice:${address.split('?', 1)[0]}`
}
