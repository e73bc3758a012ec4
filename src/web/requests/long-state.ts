import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SecretBoxError } from '../../base/secrets/secret-box.ts'
import { pageCookieName, pageCookieOptions } from './page-cookies.ts'

/** Long enough to sign in and to choose an account. */
const KEPT_SECONDS = 600
const COOKIE = 'app-state'
/** A cookie may have 4,096 bytes in all; two hold the longest state, sealed. */
const PIECE_LENGTH = 3_500
const PIECES = [0, 1] as const

/**
 * Keeps the `state` of a link to an app in the browser, sealed, where it is too long for the address of
 * the login page. A browser keeps one, also when the app has it: the visitor may go back and choose
 * another account.
 *
 * @returns the name of the state, for the address instead
 */
export function keepState(reply: FastifyReply, state: string): string {
  const { server } = reply
  const sealed = server.deps.secrets.encrypt(Buffer.from(state), COOKIE).toString('base64url')
  for (const piece of PIECES) {
    const start = piece * PIECE_LENGTH
    reply.setCookie(nameOf(reply, piece), sealed.slice(start, start + PIECE_LENGTH), {
      ...pageCookieOptions(server),
      maxAge: KEPT_SECONDS,
    })
  }
  return hash('sha256', state, 'hex')
}

/** The state that has this name; undefined when the browser does not have it, or not any more. */
export function keptState(request: FastifyRequest, name: string): string | undefined {
  const sealed = PIECES.map((piece) => request.cookies[nameOf(request, piece)] ?? '').join('')
  try {
    const { secrets } = request.server.deps
    const state = secrets.decrypt(Buffer.from(sealed, 'base64url'), COOKIE).toString('utf8')
    return hash('sha256', state, 'hex') === name ? state : undefined
  } catch (error) {
    if (error instanceof SecretBoxError) return undefined
    throw error
  }
}

function nameOf({ server }: FastifyRequest | FastifyReply, piece: number): string {
  return pageCookieName(server, `${COOKIE}-${piece}`)
}
