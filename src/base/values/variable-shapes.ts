import { isIP } from 'node:net'
import { z } from 'zod'

/** A whole number within bounds. */
export const integer = (min: number, max: number) => {
  const rule = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,9}$/, rule)
    .transform(Number)
    .pipe(z.number().min(min, rule).max(max, rule))
}

/** Up to a terabyte, which no process reaches. */
export const bytes = () =>
  z
    .string()
    .regex(/^\d{1,12}$/, 'must be a whole number of bytes')
    .transform(Number)

/** A switch. */
export const onOff = z.enum(['on', 'off']).transform((value) => value === 'on')
export const trueFalse = z.enum(['true', 'false']).transform((value) => value === 'true')

/**
 * The origin of a site, as browsers and tokens name it: `https://market.example`. Looks at the text
 * too: the URL parser drops an empty query, fragment or user name, and resolves `..`.
 */
export const siteOrigin = z
  .string()
  .refine(
    (value) => /^https?:\/\/[^\s/\\?#@]+\/?$/i.test(value) && URL.canParse(value),
    'must be an http or https URL without path, query, fragment, user name and password, ' +
      'such as https://market.example',
  )
  .transform((value) => new URL(value).origin)

/** The origin at a host and a port, as browsers name it; undefined where they make no URL. */
export function originAt(host: string, port: number): string | undefined {
  return URL.parse(`http://${host.includes(':') ? `[${host}]` : host}:${port}`)?.origin
}

/** Keys from documentation and examples, which are not secret. */
const SAMPLE_KEYS = new Set(['changeme', 'secret', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='])

/** 32 random bytes in base64. */
export const secretKey = z
  .string()
  .refine((value) => !SAMPLE_KEYS.has(value), 'is a sample value; make your own')
  .refine(
    (value) => /^[A-Za-z0-9+/]{43}=$/.test(value) && new Set(Buffer.from(value, 'base64')).size > 8,
    'must be 32 random bytes in base64, for example from: openssl rand -base64 32',
  )

/**
 * A socket directory is given as `postgresql://user:password@/database?host=/directory`.
 *
 * The driver takes `prefer`, `require` and `verify-ca` for `verify-full` (unless it is told
 * `uselibpqcompat`), and prints a long warning that its next release will not. Here they stay so.
 */
export const postgresUrl = z
  .string()
  .refine((value) => /^postgres(ql)?:\/\//.test(value), {
    error: 'must be a URL that starts with postgresql://',
    abort: true,
  })
  .refine(
    (value) => URL.parse(value.replace('@/', '@host/'))?.hostname.includes(',') === false,
    'must have one host, a port up to 65535 if any, and in user and password %2F for /, %3F for ?, %23 for # and %40 for @',
  )
  .transform((value) =>
    value.includes('uselibpqcompat=')
      ? value
      : value.replaceAll(/([?&]sslmode=)(prefer|require|verify-ca)(?=[&#]|$)/g, '$1verify-full'),
  )

/** IP addresses and networks, separated by commas. */
export const addressesOrNetworks = z
  .string()
  .refine(
    (value) => value.split(',').every((part) => isAddressOrNetwork(part.trim())),
    'must be IP addresses or networks such as 10.0.0.0/8, separated by commas',
  )

/** Whether a text is an IP address or a network such as `10.0.0.0/8`. */
function isAddressOrNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  if (bits === undefined) return true
  // With no bits everybody would be a proxy.
  return /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128)
}
