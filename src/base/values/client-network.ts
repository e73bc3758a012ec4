import { isIP, isIPv4 } from 'node:net'

/** Longer than any address with brackets, zone and port. */
const TEXT_MAX_LENGTH = 100
const WITH_PORT = /^(?:\[([^\]]+)\]|([^:]+))(?::\d{1,5})?$/

/**
 * The IP address in a text, undefined when there is none. Leaves out the port that some proxies write
 * into X-Forwarded-For, of which each connection has another, and the zone of an IPv6 address (RFC
 * 4007, 11), which may be any text: `[fe80::1%eth0]:4711` is `fe80::1`.
 */
export function bareAddress(text: string | undefined): string | undefined {
  if (text === undefined || text.length > TEXT_MAX_LENGTH) return undefined
  if (isIPv4(text)) return text
  const [, bracketed, plain] = WITH_PORT.exec(text) ?? []
  const [address = ''] = (bracketed ?? plain ?? text).split('%', 1)
  return isIP(address) === 0 ? undefined : address
}

/**
 * The network that a budget belongs to: an IPv4 address, or the /64 of an IPv6 address, because a
 * client with one address of it has all 2^64. All texts that are no address share one budget.
 */
export function networkOf(address: string): string {
  if (isIPv4(address)) return address
  if (isIP(address) === 0) return 'unknown'
  const groups = groupsOf(address)
  const isIPv4InIPv6 = IPV4_PREFIXES.some((prefix) =>
    prefix.every((group, index) => groups[index] === group),
  )
  if (!isIPv4InIPv6) {
    return groups
      .slice(0, 4)
      .map((group) => group.toString(16))
      .join(':')
  }
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.')
}

/** IPv4 mapped (RFC 4291, 2.5.5.2) and translated by NAT64 (RFC 6052, 2.1): the rest is the address. */
const IPV4_PREFIXES = [
  [0, 0, 0, 0, 0, 0xffff],
  [0x64, 0xff9b, 0, 0, 0, 0],
]

/** The eight groups of an IPv6 address in any of its spellings (RFC 4291, 2.2). */
function groupsOf(address: string): number[] {
  const [bare = ''] = address.split('%', 1)
  const [left = [], right = []] = bare
    .split('::')
    .map((half) => half.split(':').filter(Boolean).flatMap(groupsOfPart))
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right]
}

/** One group, or the two that end the address as an IPv4 one. */
function groupsOfPart(part: string): number[] {
  if (!part.includes('.')) return [Number.parseInt(part, 16)]
  const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number)
  return [(a << 8) | b, (c << 8) | d]
}

/**
 * The client that a turn of a queue belongs to: an IPv4 address, or the /48 of an IPv6 address, which
 * is what one site gets (RFC 6177). With turns for each /64 it would have 65,536 of them.
 */
export function siteOf(address: string): string {
  return networkOf(address).split(':').slice(0, 3).join(':')
}
