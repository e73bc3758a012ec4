import { fastifyCookie } from '@fastify/cookie'
import csrfProtection from '@fastify/csrf-protection'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { deriveKey } from '../auth/secret-box.ts'
import { AppError } from '../errors.ts'
import type { App } from './app-type.ts'
import { acceptFormBodies } from './form-body.ts'
import { refuseJsonBodies } from './json-body.ts'

/** Browsers send these with every request; a page of another site cannot set them. */
const OWN_SITE = new Set(['same-origin', 'none'])
const PUBLIC_PAGE_MAX_AGE_SECONDS = 300

declare module 'fastify' {
  interface FastifyInstance {
    /** Cookie of the session that the pages of this scope belong to. */
    sessionCookieName: string
  }
}

/** Who has sessions; a browser may have one of each. */
const SESSION_COOKIES = { user: 'session', developer: 'developer-session' } as const

/** Cookies of an https site are bound to its host (`__Host-`, RFC 6265bis). */
function cookieName(secure: boolean, name: string): string {
  return secure ? `__Host-${name}` : name
}

function isSecure(request: FastifyRequest): boolean {
  return request.server.deps.config.publicUrl.startsWith('https:')
}

/**
 * What browser routes need: cookies, forms and their protection against forged posts. Everything
 * they answer belongs to one person: it is never stored, never framed and holds nothing inline.
 *
 * @param visitor whose session the pages belong to; a form of one's pages is worth nothing on the
 *   other's
 */
export async function acceptForms(
  app: App,
  visitor: keyof typeof SESSION_COOKIES = 'user',
): Promise<void> {
  const { config, secretKey } = app.deps
  const secure = config.publicUrl.startsWith('https:')
  app.decorate('sessionCookieName', cookieName(secure, SESSION_COOKIES[visitor]))
  await app.register(fastifyCookie)
  refuseJsonBodies(app)
  acceptFormBodies(app)
  await app.register(csrfProtection, {
    // The error handler writes the line, with the id of the request.
    logLevel: 'silent',
    cookieKey: cookieName(secure, 'form'),
    cookieOpts: { path: '/', httpOnly: true, sameSite: 'lax', secure },
    csrfOpts: { hmacKey: deriveKey(secretKey, 'forms').toString('base64') },
    getUserInfo: (request) => formOwner(request),
    getToken: (request) => {
      const field = (request.body as Record<string, unknown> | null | undefined)?._csrf
      return typeof field === 'string' ? field : ''
    },
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(PAGE_HEADERS)
    if (request.method === 'POST' && !isFromOwnSite(request)) {
      throw new AppError('invalid_csrf_token', { detail: 'The form was sent from another site.' })
    }
  })
  app.addHook('preValidation', (request, reply, done) => {
    if (request.method === 'POST') app.csrfProtection(request, reply, done)
    else done()
  })
}

/** Whether no other site has sent the browser here, as far as the browser tells. */
export function isFromOwnSite({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  return typeof site !== 'string' || OWN_SITE.has(site)
}

/** The token that every form carries in its field `_csrf`. */
export function csrfToken(request: FastifyRequest, reply: FastifyReply): string {
  return reply.generateCsrf({ userInfo: formOwner(request) })
}

/** Whom a form belongs to: a session, or the visitors of some pages who are signed out. */
function formOwner(request: FastifyRequest): string {
  return sessionCookie(request) ?? `signed out: ${request.server.sessionCookieName}`
}

/** The value of the session cookie, if the browser has one. */
export function sessionCookie(request: FastifyRequest): string | undefined {
  return request.cookies?.[request.server.sessionCookieName]
}

/** The same at any address, also where cookies are not looked at otherwise. */
export function sessionCookieAnywhere(
  request: FastifyRequest,
  visitor: keyof typeof SESSION_COOKIES,
): string | undefined {
  const cookies = fastifyCookie.parse(request.headers.cookie ?? '')
  return cookies[cookieName(isSecure(request), SESSION_COOKIES[visitor])]
}

/** Gives the browser its session, until it is closed. */
export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, value: string) {
  return reply.setCookie(request.server.sessionCookieName, value, sessionCookieOptions(request))
}

/** A second tab may have signed out before: there is nothing left to end, nor to protect. */
export function unlessSignedOut(signedOutPath: string) {
  return async (request: FastifyRequest, reply: FastifyReply) =>
    sessionCookie(request) === undefined ? reply.redirect(signedOutPath, 303) : undefined
}

/**
 * Takes the session from the browser, and the pages that it still shows with the back button.
 * `Clear-Site-Data` works on https only. It is not asked to clear cookies: that would sign the
 * user out of every site of the domain.
 */
export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply) {
  if (isSecure(request)) reply.header('clear-site-data', '"cache"')
  return reply.clearCookie(request.server.sessionCookieName, sessionCookieOptions(request))
}

function sessionCookieOptions(request: FastifyRequest) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(request) } as const
}

/**
 * Answers a page.
 *
 * @param formTargets sources beside our own to which a form of the page may lead. Chromium checks
 *   every hop after a form was sent, so the way back to an app has to be named here.
 * @param hasSecret of a page with a password, shown or sealed: nothing compresses it, neither we
 *   nor a proxy in front, as its length would tell of what is in it
 */
export function sendPage(
  reply: FastifyReply,
  document: string,
  {
    formTargets = [],
    hasSecret = false,
  }: { formTargets?: readonly string[]; hasSecret?: boolean } = {},
): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .headers({
      ...PAGE_HEADERS,
      ...(hasSecret && { 'cache-control': `${PAGE_HEADERS['cache-control']}, no-transform` }),
      'content-security-policy': pagePolicy(formTargets),
    })
    .send(document)
}

/** Answers a file that somebody uploaded: whatever it holds, a browser only ever saves it. */
export function sendDocument(
  reply: FastifyReply,
  { fileName, mediaType, content }: { fileName: string; mediaType: string; content: Uint8Array },
): FastifyReply {
  return reply
    .headers({
      'content-disposition': `attachment; filename="${fileName}"`,
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    })
    .type(mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType)
    .send(Buffer.from(content))
}

/** Answers a page that is the same for everybody and may be kept for a while. */
export function sendPublicPage(reply: FastifyReply, document: string): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .headers({
      ...PAGE_HEADERS,
      'cache-control': `public, max-age=${PUBLIC_PAGE_MAX_AGE_SECONDS}`,
    })
    .send(document)
}

function pagePolicy(formTargets: readonly string[]): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' data:",
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
}

/** For every page, error pages too. */
const PAGE_HEADERS = {
  'cache-control': 'private, no-store',
  'content-security-policy': pagePolicy([]),
  // `no-referrer` would make forms send `Origin: null`.
  'referrer-policy': 'same-origin',
}

/**
 * Where a form may lead that ends at an app: not only its origin, because apps send their users on
 * (`api.app.example` to `www.app.example`), and every hop counts. An app on the developer's own
 * machine may use other ports of it; policies know no IPv6 addresses.
 */
export function formTargetsOf(returnUrl: string): string[] {
  const { protocol, hostname } = new URL(returnUrl)
  if (protocol === 'https:') return ['https:']
  return hostname.startsWith('[')
    ? ['http:']
    : ['https:', 'http://localhost:*', 'http://127.0.0.1:*']
}
