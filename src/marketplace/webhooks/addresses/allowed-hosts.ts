import { z } from 'zod'

/**
 * Receivers in private networks that the operator allows: `host:port`, with the host as the URL
 * parser writes it (`receiver.internal:8080`, `[fd00::1]:9000`).
 */
export type AllowedHosts = ReadonlySet<string>

/**
 * Receivers on the machine of the server, at any port: what a demo on a machine of one's own allows
 * unless it is told otherwise.
 */
export const LOOPBACK_HOSTS: AllowedHosts = new Set(['127.0.0.1:*', '[::1]:*', 'localhost:*'])

/** WEBHOOK_ALLOWED_PRIVATE_HOSTS: `host:port` separated by commas, IPv6 in brackets. */
export const AllowedHostsVariable = z.string().transform((text, context): AllowedHosts => {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  const allowed = entries.map(readEntry)
  const wrong = entries.filter((_, index) => allowed[index] === undefined)
  if (wrong.length > 0) {
    context.addIssue(
      `must be host:port separated by commas, IPv6 in brackets; wrong is ${wrong.join(', ')}`,
    )
  }
  return new Set(allowed.filter((entry) => entry !== undefined))
})

/** Whether this host and port are allowed. */
export function isAllowedHost(url: URL, allowedHosts: AllowedHosts): boolean {
  return allowedHosts.has(`${url.hostname}:${portOf(url)}`) || allowedHosts.has(`${url.hostname}:*`)
}

/** The port that a request to this URL goes to. */
export function portOf(url: URL): number {
  return Number(url.port || (url.protocol === 'https:' ? 443 : 80))
}

/** `RECEIVER:08080` -> `receiver:8080`; undefined when the text is not a host with a port. */
function readEntry(entry: string): string | undefined {
  if (!/^[^/?#@*\\\s]+:\d{1,5}$/.test(entry) || !URL.canParse(`http://${entry}`)) return undefined
  const url = new URL(`http://${entry}`)
  return url.port === '0' ? undefined : `${url.hostname}:${portOf(url)}`
}
