import cors from '@fastify/cors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from './app-type.ts'
import { limitByAddress } from './rate-limits/rate-limit.ts'
import type { Audience, RouteTable } from './route-table.ts'

const CORS_MAX_AGE_SECONDS = 86_400
/** Headers that a script of another origin may read. */
const EXPOSED_HEADERS = [
  'etag',
  'link',
  'location',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'www-authenticate',
  'x-request-id',
].join(', ')

/** The headers of answers that scripts of any origin may read. */
const OPEN_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED_HEADERS,
}

/** Browsers send these with every request; a page of another site cannot set them. */
const OWN_SITE = new Set(['same-origin', 'none'])

/** Two years, as browsers' preload lists ask (RFC 6797, 6.1). */
const HSTS_MAX_AGE_SECONDS = 63_072_000

/**
 * Features that no page of ours uses are switched off, so that an injected script cannot use them
 * either.
 */
const PERMISSIONS_POLICY = [
  'camera',
  'display-capture',
  'geolocation',
  'microphone',
  'payment',
  'publickey-credentials-get',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .join(', ')

/**
 * Headers of every API answer. No API answer is meant as a page; these headers matter when somebody
 * opens one as a page (OWASP REST Security).
 */
function answerHeaders(publicUrl: string): Record<string, string> {
  return {
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    // Browsers keep this promise for long, and only on https.
    ...(publicUrl.startsWith('https:') && {
      'strict-transport-security': `max-age=${HSTS_MAX_AGE_SECONDS}; includeSubDomains`,
    }),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  }
}

/**
 * What browsers are told with everything that may be shown as a page: those headers that helmet (8)
 * sends, with our own policies. They are built once, not for every answer. An answer that needs
 * another value sets it itself.
 */
export function securityHeaders(publicUrl: string): Record<string, string> {
  return {
    ...answerHeaders(publicUrl),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'permissions-policy': PERMISSIONS_POLICY,
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-permitted-cross-domain-policies': 'none',
    'x-xss-protection': '0',
  }
}

/**
 * The headers that protect browsers, with a function that sends them. Data endpoints, and what says
 * `anyOrigin`, answer scripts of any origin, without credentials; nothing else does. What answers a
 * bearer token or a cookie belongs to one caller: nobody stores it, unless the route says otherwise.
 */
export function browserHeaders(
  publicUrl: string,
  routes: RouteTable,
): (request: FastifyRequest, reply: FastifyReply) => void {
  const personal = { vary: 'Origin', 'cache-control': 'private, no-store' }
  const api = { ...answerHeaders(publicUrl), ...personal }
  const page = { ...securityHeaders(publicUrl), ...personal }
  const headers: Record<Audience, Record<string, string>> = {
    public: { ...securityHeaders(publicUrl), vary: 'Origin' },
    browser: page,
    developer: api,
    account: api,
    operator: api,
    installation: { ...api, ...OPEN_HEADERS },
  }
  return (request, reply) => {
    const audience = request.method === 'OPTIONS' ? undefined : audienceOf(request, routes)
    reply.headers(audience === undefined ? page : headers[audience])
    if (request.routeOptions.config.anyOrigin) reply.headers(OPEN_HEADERS)
  }
}

/** Answers what browsers ask before a script of another origin sends something (CORS). */
export async function answerPreflights(app: App, routes: RouteTable): Promise<void> {
  const isOpen = (request: FastifyRequest): boolean =>
    audienceOf(request, routes) === 'installation' ||
    routesAt(request, routes).some((route) => route.anyOrigin)
  // A scope of its own, so that it sees only preflights.
  await app.register(async (preflights) => {
    preflights.addHook('onRequest', async function limitPreflight(request, reply) {
      return limitByAddress(request, reply)
    })
    await preflights.register(cors, {
      delegator: (request, callback) => {
        callback(null, {
          origin: isOpen(request) ? '*' : false,
          methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
          exposedHeaders: EXPOSED_HEADERS,
          maxAge: CORS_MAX_AGE_SECONDS,
          strictPreflight: false,
        })
      },
    })
  })
}

function routesAt({ url }: FastifyRequest, routes: RouteTable) {
  return routes.at(url.split('?', 1)[0] ?? '/')
}

/** Of a route, or of the address that a preflight is about. */
function audienceOf(request: FastifyRequest, routes: RouteTable): Audience | undefined {
  const { audience } = request.routeOptions.config
  if (audience !== undefined) return audience
  const audiences = routesAt(request, routes).map((route) => route.audience)
  return audiences.find((one) => one === 'installation') ?? audiences[0]
}

/** Whether the browser says that no other site sent it here. */
export function isFromOwnSite({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  return typeof site !== 'string' || OWN_SITE.has(site)
}
