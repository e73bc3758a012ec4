import { isIP } from 'node:net'
import { CREDENTIALS_PROBLEM, webUrlProblem } from '../../../base/values/web-url.ts'
import type { FieldError } from '../../../errors.ts'
import { type AllowedHosts, isAllowedHost } from './allowed-hosts.ts'
import { isPublicAddress } from './public-addresses.ts'

const ENDPOINT_URL_MAX_LENGTH = 2000

/**
 * Domains that mean something only inside a network: `localhost` (RFC 6761), `local` (RFC 6762),
 * `internal` (reserved by ICANN, and the metadata names of clouds), `home.arpa` (RFC 8375).
 */
const PRIVATE_DOMAINS = ['localhost', 'local', 'internal', 'home.arpa']

/** What is wrong with an address that the internet does not route to. */
export const PRIVATE_ADDRESS_PROBLEM = 'must not be an address of a private or special network'

/**
 * The problems of an endpoint's URL; none when webhooks may be sent there. The addresses of its
 * name are checked when it is saved (`endpoints/receiver-check-service.ts`) and at each attempt
 * (`sending/resolve-address.ts`).
 *
 * Every port except 0 is allowed: receivers listen on unusual ports, the server there must speak
 * TLS for the name of the host, and anybody can reach the public address anyway.
 */
export function endpointUrlProblems(url: string, allowedHosts: AllowedHosts): FieldError[] {
  const detail = endpointUrlProblem(url, allowedHosts)
  return detail === null ? [] : [{ pointer: '/url', detail }]
}

/** Says why webhooks can't be sent to this URL, or null when they can. */
export function endpointUrlProblem(url: string, allowedHosts: AllowedHosts): string | null {
  if (url.length > ENDPOINT_URL_MAX_LENGTH) {
    return `must be at most ${ENDPOINT_URL_MAX_LENGTH} characters long`
  }
  const problem = webUrlProblem(url)
  if (problem === CREDENTIALS_PROBLEM) {
    return `${problem}; send them in \`headers\`, such as an authorization of "Basic ..."`
  }
  if (problem !== null) return problem
  const parsed = new URL(url)
  if (parsed.href.length > ENDPOINT_URL_MAX_LENGTH) {
    return `must be at most ${ENDPOINT_URL_MAX_LENGTH} characters long when percent-encoded`
  }
  if (url.includes('#')) return 'must not contain a fragment'
  if (parsed.port === '0') return 'must not have the port 0'
  if (isAllowedHost(parsed, allowedHosts)) return null
  if (parsed.protocol !== 'https:') return 'must use https'
  return hostProblem(hostOf(parsed))
}

/** The name or address in a URL; an IPv6 address without brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1')
}

/**
 * The problem of a host as the URL parser writes it: there `0x7f.1`, `2130706433`, `017700000001`
 * and full-width digits are all `127.0.0.1`.
 */
function hostProblem(host: string): string | null {
  if (isIP(host) !== 0) {
    return isPublicAddress(host) ? null : PRIVATE_ADDRESS_PROBLEM
  }
  if (host.endsWith('.')) return 'must have a host that does not end with a dot'
  if (PRIVATE_DOMAINS.some((domain) => host === domain || host.endsWith(`.${domain}`))) {
    return 'must not be a name of a private network'
  }
  return host.includes('.') ? null : 'must have a full host name, such as hooks.example.com'
}
