import { createHash } from 'node:crypto'
import { fastifyCookie } from '@fastify/cookie'
import csrfProtection from '@fastify/csrf-protection'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { deriveKey } from '../../base/secrets/secret-box.ts'
import { AppError } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { acceptFormBodies } from '../../http/bodies/form-body.ts'
import { refuseJsonBodies } from '../../http/bodies/json-body.ts'
import { isFromOwnSite } from '../../http/security.ts'
import { PAGE_HEADERS } from '../../http/send-page.ts'
import { safeNextPath } from '../shared/sign-in/next-path.ts'
import { findAnswer, sendAnswer } from './act-once.ts'
import { carryOver } from './answers.ts'
import { askToSignIn } from './form-for-later.ts'
import { type FormOrigin, sentFormIdOf, splitToken, withOrigin } from './form-origin.ts'
import { isSecure, pageCookieName, pageCookieOptions } from './page-cookies.ts'
import { rememberPages } from './page-in-place.ts'
import { pathOf } from './sent-form.ts'
import type { Visitor } from './visitor-type.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Where a form of who was signed out leads when it comes late, as by a second click after the
     * answer to the first: the visitor is past it. Undefined when the form is refused.
     */
    pathPastForm?: (request: FastifyRequest) => string | undefined
  }
  interface FastifyInstance {
    /** Cookie of the session that opens the pages. */
    sessionCookieName: string
    /** Changes when a file under `assets/` does. */
    assetVersion: string
  }
}

const SESSION_COOKIE = 'session'

/** Tokens of links are shorter. */
const LINK_TOKEN_MAX_LENGTH = 1000

/**
 * What browser routes need: cookies, forms and their protection against forged posts. Everything
 * they answer belongs to one person: it is never stored, never framed and holds nothing inline.
 *
 * @param options `assetVersion`: of the stylesheets and icons that the pages load
 */
export async function acceptForms(
  app: App,
  { assetVersion }: { assetVersion: string },
): Promise<void> {
  const { secrets, secretKey } = app.deps
  const scope = pageCookieName(app, SESSION_COOKIE)
  app.decorate('sessionCookieName', scope)
  app.decorate('assetVersion', assetVersion)
  rememberPages(app)
  await app.register(fastifyCookie)
  refuseJsonBodies(app)
  acceptFormBodies(app)
  await app.register(csrfProtection, {
    // The error handler writes the line, with the id of the request.
    logLevel: 'silent',
    cookieKey: pageCookieName(app, 'form'),
    cookieOpts: pageCookieOptions(app),
    csrfOpts: { hmacKey: deriveKey(secretKey, 'forms').toString('base64') },
    getUserInfo: (request) => request.page.form.tokenOwner,
    getToken: (request) => splitToken(secrets, scope, sentToken(request)).token,
  })
  app.addHook('onRequest', async function refuseOtherSites(request, reply) {
    reply.headers(PAGE_HEADERS)
    if (request.method === 'POST' && !isFromOwnSite(request)) {
      throw new AppError('invalid_csrf_token', { detail: 'The form was sent from another site.' })
    }
  })
  app.addHook('preValidation', async function checkFormToken(request, reply) {
    if (request.method !== 'POST') return
    const { origin = null } = splitToken(secrets, scope, sentToken(request))
    const session = sessionOf(request)
    // The browser may have signed in, or out, since it opened the page of the form.
    const owners = origin === null ? [session, signedOut(app)] : [origin.session]
    const owner = owners.find((one) => isTokenRight(app, request, one))
    if (owner === undefined) throw expiredForm(request)
    const { actsOnce, asksToSignIn, pathPastForm } = request.routeOptions.config
    if (owner === origin?.session) request.page.form.origin = origin
    if (actsOnce) request.page.form.id = sentFormIdOf(owner, pathOf(request), request.body)
    await carryOver(request)
    if (owner === session) return
    // A form of a session that has ended is never acted upon. It is kept for whose it was.
    if (request.page.form.origin !== null && asksToSignIn) return askToSignIn(request, reply)
    const answer = await findAnswer(request)
    if (answer !== undefined) return sendAnswer(request, reply, answer)
    const path = pathPastForm?.(request)
    if (path === undefined) throw expiredForm(request)
    return reply.redirect(path, 303)
  })
}

function expiredForm(request: FastifyRequest): AppError {
  const href = pageAgain(request)
  // Every page with a form has set one.
  if (request.headers.cookie === undefined) return withoutCookies(href ?? request.url)
  const page = href && {
    title: 'The form has expired',
    ways: [{ href, label: 'Open the page again' }],
  }
  return new AppError('invalid_csrf_token', {
    detail: 'Open the page again and repeat what you did.',
    ...(page && { page }),
  })
}

function withoutCookies(href: string): AppError {
  return new AppError('invalid_csrf_token', {
    detail:
      'Your browser sent no cookie with the form, so nothing was done. Allow cookies for this site, ' +
      'then open the page again.',
    page: {
      title: 'Allow cookies for this site',
      ways: [{ href, label: 'Open the page again' }],
    },
  })
}

/**
 * Where the page of a form is opened again whose address says more than its path: a sign-in that
 * somebody in another tab was faster with still leads on to where it was to lead, and the page of a
 * link is the link.
 */
function pageAgain({ url, body }: FastifyRequest): string | undefined {
  const path = url.split('?', 1)[0] ?? '/'
  const { next, token } = (body ?? {}) as { next?: unknown; token?: unknown }
  if (typeof next === 'string' && /\/login(\/code)?$/i.test(path)) {
    return `${path}?next=${encodeURIComponent(safeNextPath(next))}`
  }
  if (typeof token !== 'string' || token.length > LINK_TOKEN_MAX_LENGTH) return undefined
  return `${path}?token=${encodeURIComponent(token)}`
}

/** The plugin would answer by itself; here only its verdict is wanted. */
function isTokenRight(app: App, request: FastifyRequest, owner: string): boolean {
  let isRight = false
  request.page.form.tokenOwner = owner
  const nobody = { send: () => undefined } as unknown as FastifyReply
  app.csrfProtection(request, nobody, () => {
    isRight = true
  })
  return isRight
}

function sentToken(request: FastifyRequest): string {
  const field = (request.body as Record<string, unknown> | null | undefined)?._csrf
  return typeof field === 'string' ? field : ''
}

/** The token that every form carries in its field `_csrf`. */
export function csrfToken(request: FastifyRequest, reply: FastifyReply): string {
  const { server } = request
  const { visitor: signedIn, attempt } = request.page
  const session = sessionOf(request)
  const token = reply.generateCsrf({ userInfo: session })
  if (!signedIn) return token
  return withOrigin(server.deps.secrets, server.sessionCookieName, token, {
    ownerId: signedIn.id,
    session,
    developer: developerOfPage(signedIn),
    kept: attempt?.id === undefined ? undefined : { id: attempt.id, path: attempt.path },
  })
}

/** The developer that a person has chosen in the console. */
function developerOfPage({ principal, developerName = '' }: Visitor): FormOrigin['developer'] {
  return principal && { id: principal.developerId, name: developerName }
}

/** Names what a form belongs to: a session, or a visitor who is signed out. */
function sessionOf(request: FastifyRequest): string {
  const cookie = sessionCookie(request)
  return cookie === undefined ? signedOut(request.server) : hashOf(cookie)
}

function signedOut({ sessionCookieName }: Pick<App, 'sessionCookieName'>): string {
  return `signed out: ${sessionCookieName}`
}

function hashOf(cookie: string): string {
  return createHash('sha256').update(cookie).digest('base64url')
}

/** The value of the session cookie, if the browser has one. */
export function sessionCookie({ cookies, server }: FastifyRequest): string | undefined {
  return cookies?.[server.sessionCookieName]
}

/** The session cookie at any address, also where cookies are not looked at otherwise. */
export function sessionCookieAnywhere({ headers, server }: FastifyRequest): string | undefined {
  return fastifyCookie.parse(headers.cookie ?? '')[pageCookieName(server, SESSION_COOKIE)]
}

/** Gives the browser its session, until it is closed. */
export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, value: string) {
  return reply.setCookie(request.server.sessionCookieName, value, pageCookieOptions(request.server))
}

/** A second tab may have signed out before: there is nothing left to end, nor to protect. */
export function unlessSignedOut(signedOutPath: string) {
  return async function redirectSignedOut(request: FastifyRequest, reply: FastifyReply) {
    return sessionCookie(request) === undefined ? reply.redirect(signedOutPath, 303) : undefined
  }
}

/**
 * Takes the session from the browser, and the pages that it still shows with the back button.
 * `Clear-Site-Data` works on https only. It is not asked to clear cookies: that would sign the
 * user out of every site of the domain.
 */
export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply) {
  const { server } = request
  if (isSecure(server)) reply.header('clear-site-data', '"cache"')
  return reply.clearCookie(server.sessionCookieName, pageCookieOptions(server))
}
