import type { RouteOptions } from 'fastify'
import type { ErrorCode } from '../../errors.ts'
import type { Ref } from './document.ts'
import { isPaged } from './problem-codes.ts'

declare module 'fastify' {
  interface FastifySchema {
    /** Headers of a success, beside those that follow from the route. */
    answerHeaders?: readonly ('ETag' | 'Link' | 'Location' | 'Content-Disposition')[]
  }
}

/** Every response header that clients are told of. */
export const HEADERS = {
  'x-request-id': {
    description: 'Name of the request in the logs of the server.',
    schema: { type: 'string', format: 'uuid' },
  },
  RateLimit: {
    description: 'What is left of the limit: `r` requests in the next `t` seconds.',
    schema: { type: 'string', examples: ['"developer";r=2999;t=60'] },
  },
  'RateLimit-Policy': {
    description: 'The limit: `q` requests in `w` seconds.',
    schema: { type: 'string', examples: ['"developer";q=3000;w=60'] },
  },
  'Retry-After': {
    description: 'Seconds to wait before you repeat the request.',
    schema: { type: 'integer', minimum: 0, examples: [10] },
  },
  'WWW-Authenticate': {
    description: 'What kind of credentials the operation takes, and what is wrong with these.',
    schema: { type: 'string', examples: ['Bearer realm="App Marketplace", error="invalid_token"'] },
  },
  'Accept-Encoding': {
    description: 'The content codings that a body may have here.',
    schema: { type: 'string' },
  },
  ETag: {
    description: 'The revision of the response, for `If-None-Match` and `If-Match`.',
    schema: { type: 'string', examples: ['"3"'] },
  },
  Link: {
    description:
      'Leads to the next page (RFC 8288); absent on the last one, except for lists that never end.',
    schema: {
      type: 'string',
      examples: ['<https://marketplace.example/v1/Apps?limit=100&cursor=WyJhIl0>; rel="next"'],
    },
  },
  Location: {
    description: 'Address of the new record.',
    schema: { type: 'string', format: 'uri-reference' },
  },
  'Content-Disposition': {
    description: 'The name under which a browser saves the file.',
    schema: { type: 'string', examples: ['attachment; filename="price-sync-terms-2f1c9a.pdf"'] },
  },
} as const
export type HeaderName = keyof typeof HEADERS

const LIMITS = ['RateLimit', 'RateLimit-Policy'] as const

/** The headers of an error response with these codes. */
export function problemHeaders(status: number, codes: readonly ErrorCode[]): HeaderName[] {
  const isToRetry = status === 429 || status === 503 || codes.includes('import_running')
  const isChallenge = status === 401 || codes.includes('insufficient_scope')
  const hasRecord = codes.includes('import_refused')
  return [
    'x-request-id',
    ...LIMITS,
    ...(isToRetry ? (['Retry-After'] as const) : []),
    ...(isChallenge ? (['WWW-Authenticate'] as const) : []),
    ...(status === 415 ? (['Accept-Encoding'] as const) : []),
    ...(hasRecord ? (['Location'] as const) : []),
  ]
}

/** The headers of a success of a route. */
export function successHeaders(route: RouteOptions, status: string): HeaderName[] {
  const { config, schema = {} } = route
  const { answerHeaders = [] } = schema
  const statuses = Object.keys(schema.response ?? {})
  const hasTag = answerHeaders.includes('ETag') || statuses.includes('304')
  // Where an operation creates or replaces, only what it created has a new address.
  const isMade = status === '201' || !statuses.includes('201')
  return [
    'x-request-id',
    ...(config?.unlimited ? [] : LIMITS),
    ...(hasTag ? (['ETag'] as const) : []),
    ...(answerHeaders.includes('Location') && isMade ? (['Location'] as const) : []),
    ...((isPaged(schema) || answerHeaders.includes('Link')) && status === '200'
      ? (['Link'] as const)
      : []),
    ...(answerHeaders.includes('Content-Disposition') && status === '200'
      ? (['Content-Disposition'] as const)
      : []),
  ]
}

/** Headers of an answer as references to their components. */
export function headerRefs(names: readonly HeaderName[]): Record<string, Ref> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
