import type { FastifyReply, FastifyRequest } from 'fastify'
import { SecretBoxError } from '../../base/secrets/secret-box.ts'
import type { AppError } from '../../errors.ts'
import { SIGN_IN_CHALLENGE } from '../../http/problem.ts'
import { limitHeaders } from '../../http/rate-limits/rate-limit.ts'
import { pageCookieName, pageCookieOptions } from './page-cookies.ts'

/** Long enough for a redirect on a slow network, no longer. */
const NOTICE_SECONDS = 120
const NOTICE = 'notice'
/** A cookie has to hold it. */
const NAME_MAX_LENGTH = 320

/** A message; after a refused sign-in with the name that was typed, and how the page answers. */
type Notice = {
  text: string
  /** Id of the user or developer whose form was sent, where that is known. */
  formOwnerId?: string
  refused?: { name: string; status: number; headers?: Record<string, string> }
}

type Refusal = {
  /** The path of the sign-in. */
  path: string
  /** Where it was to lead. */
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
  notice: Omit<Notice, 'formOwnerId'>,
): FastifyReply {
  const { text, refused } = notice
  const kept = {
    text,
    ...(request.formOrigin && { formOwnerId: request.formOrigin.ownerId }),
    ...(refused && { refused: { ...refused, name: refused.name.slice(0, NAME_MAX_LENGTH) } }),
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

/** Answers a sign-in that is refused: with its page again, which says why and keeps the name. */
export function refuseSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
  { path, next, ...refusal }: Refusal,
): FastifyReply {
  const { text, name, error } = refusal
  const refused = { name, status: error?.status ?? 401, headers: limitHeaders(error) }
  leaveNotice(request, reply, path, { text, refused })
  return reply.redirect(`${path}?next=${encodeURIComponent(next)}`, 303)
}

/** Answers the page of a refused sign-in as the refusal would have been answered. */
export function answerRefusal(reply: FastifyReply, notice: Notice | undefined): void {
  if (notice?.refused === undefined) return
  const { status, headers = {} } = notice.refused
  reply.code(status).headers(headers)
  if (status === 401) reply.header('www-authenticate', SIGN_IN_CHALLENGE)
}

/** A page is known by its path: its query may change on the way. */
function contextOf(address: string): string {
  return `notice:${address.split('?', 1)[0]}`
}
