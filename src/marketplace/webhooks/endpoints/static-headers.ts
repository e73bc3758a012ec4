import { z } from 'zod'

const STATIC_HEADERS_MAX = 10
const STATIC_HEADER_VALUE_MAX_LENGTH = 1024
const NAME_MAX_LENGTH = 100

/** A token of RFC 9110, 5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/**
 * Names that an endpoint may not use: headers that the sender writes itself, that belong to one
 * connection (RFC 9110, 7.6.1) or that tell where a request came from. `cookie` is a browser's
 * state; to identify the sender there are `authorization` and the signature.
 */
const REFUSED_NAMES: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'cookie',
  'expect',
  'forwarded',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
])
const REFUSED_PREFIXES = ['content-', 'proxy-', 'webhook-', 'x-forwarded-']

const HeaderName = z
  .string()
  .min(1)
  .max(NAME_MAX_LENGTH)
  .regex(TOKEN, "may contain letters, digits and !#$%&'*+-.^_`|~")
  .refine((name) => !isRefused(name.toLowerCase()), 'You cannot set this header.')

/** Visible ASCII with single spaces inside: one line, and the same bytes in every encoding. */
const HeaderValue = z
  .string()
  .max(STATIC_HEADER_VALUE_MAX_LENGTH)
  .refine((value) => !/[\r\n]/.test(value), { error: 'must be one line', abort: true })
  .regex(
    /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/,
    'must be visible ASCII characters, with spaces only inside',
  )

/** Headers that every request to an endpoint carries: name -> value. Values are secrets. */
export const StaticHeaders = z
  .record(HeaderName, HeaderValue)
  .refine(
    (headers) => Object.keys(headers).length <= STATIC_HEADERS_MAX,
    `must be at most ${STATIC_HEADERS_MAX} headers`,
  )
  .refine((headers) => {
    const names = Object.keys(headers).map((name) => name.toLowerCase())
    return new Set(names).size === names.length
  }, 'must not name a header twice')
  .meta({
    id: 'StaticHeaders',
    description: 'Headers that are sent with every delivery.',
    examples: [{ authorization: 'Bearer 3f9c2a' }],
  })
export type StaticHeaders = z.infer<typeof StaticHeaders>

function isRefused(name: string): boolean {
  return REFUSED_NAMES.has(name) || REFUSED_PREFIXES.some((prefix) => name.startsWith(prefix))
}
