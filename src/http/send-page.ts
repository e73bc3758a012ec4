import type { FastifyReply, FastifyRequest } from 'fastify'
import { hold } from '../base/fair-share/deadline.ts'
import { LONG_CHARACTERS, nextTick } from '../base/fair-share/next-tick.ts'

const PUBLIC_PAGE_MAX_AGE_SECONDS = 300

type SendOptions = {
  formTargets?: readonly string[]
  policy?: string | undefined
  hasSecret?: boolean
  holdsLink?: boolean
}

/** A page that is not written yet. */
type Page = {
  /** The least characters that it has. */
  readonly length: number
  /** Its text, in parts that each take a few milliseconds. */
  pieces(): Iterable<string>
}

/**
 * Answers a page. A long one is written in pieces, each in a tick of the event loop, and is refused
 * before that when the caller holds too much already.
 *
 * @param formTargets sources beside our own to which a form of the page may lead. Chromium checks
 *   every hop after a form was sent, so the way back to an app has to be named here.
 * @param policy of a page that must do more than other pages
 * @param hasSecret whether the page shows a password or the like: neither we nor a proxy in front may
 *   compress it then, because the length would reveal parts of it
 * @param holdsLink the address of the page is a secret, and the page holds it: no request tells of it
 */
export async function sendPage(
  reply: FastifyReply,
  page: Page,
  {
    formTargets = [],
    policy,
    holdsLink = false,
    hasSecret = holdsLink ||
      (reply.request.page as FastifyRequest['page'] | undefined)?.attempt?.secret !== undefined,
  }: SendOptions = {},
): Promise<FastifyReply> {
  const document = await written(page)
  return reply
    .type('text/html; charset=utf-8')
    .headers({
      ...PAGE_HEADERS,
      ...(hasSecret && { 'cache-control': `${PAGE_HEADERS['cache-control']}, no-transform` }),
      ...(holdsLink && { 'referrer-policy': 'no-referrer' }),
      'content-security-policy': policy ?? pagePolicy(formTargets),
    })
    .send(document)
}

async function written(page: Page): Promise<string | Buffer> {
  if (page.length <= LONG_CHARACTERS) return [...page.pieces()].join('')
  hold(page.length)
  const parts: Buffer[] = []
  let bytes = 0
  await nextTick()
  for (const piece of page.pieces()) {
    const part = Buffer.from(piece)
    parts.push(part)
    bytes += part.length
    hold(bytes, { isAnswer: true })
    await nextTick()
  }
  return Buffer.concat(parts, bytes)
}

/**
 * Answers a page that is the same for everybody and may be kept for a while.
 *
 * @param document undefined for a client that has it
 */
export function sendPublicPage(
  reply: FastifyReply,
  document: string | undefined,
  policy: string = pagePolicy([]),
): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .headers({
      ...PAGE_HEADERS,
      'cache-control': `public, max-age=${PUBLIC_PAGE_MAX_AGE_SECONDS}`,
      'content-security-policy': policy,
    })
    .send(document)
}

/** What a page may load: the files of ours that every page names. Its script asks nobody but us. */
function pagePolicy(formTargets: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
}

/** For every page, error pages too. */
export const PAGE_HEADERS = {
  'cache-control': 'private, no-store',
  'content-security-policy': pagePolicy([]),
  // `no-referrer` would make forms send `Origin: null`.
  'referrer-policy': 'same-origin',
}

/**
 * Where a form may lead that ends at an app: not only its origin, because apps send their users on
 * (`api.app.example` to `www.app.example`), and every hop counts. An app on the developer's own
 * machine may use other ports of it; policies know no IPv6 addresses.
 *
 * @param returnUrl of the app; without one all that a return address may be
 */
export function formTargetsOf(returnUrl: string | undefined): string[] {
  if (returnUrl === undefined) return ['https:', 'http:']
  const { protocol, hostname } = new URL(returnUrl)
  if (protocol === 'https:') return ['https:']
  return hostname.startsWith('[')
    ? ['http:']
    : ['https:', 'http://localhost:*', 'http://127.0.0.1:*']
}
