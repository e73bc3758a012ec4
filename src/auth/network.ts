import { isIP, isIPv4 } from 'node:net'

/** Some proxies write the port of their client into X-Forwarded-For: each connection has another. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([^:]+))(?::\d{1,5})?$/

/**
 * Whom a budget of an address belongs to: an IPv4 address, or the /64 of an IPv6 address, because
 * whoever has one of its addresses has all 2^64. What is no address at all shares one budget.
 */
export function networkOf(address: string): string {
  const [, bracketed, plain] = WITH_PORT.exec(address) ?? []
  const bare = isIP(address) === 0 ? (bracketed ?? plain ?? '') : address
  if (isIPv4(bare)) return bare
  if (isIP(bare) === 0) return 'unknown'
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1]
  return mapped ?? firstHalf(bare)
}

/** The first four groups of an IPv6 address, without leading zeros. */
function firstHalf(address: string): string {
  const [bare = ''] = address.split('%', 1)
  const [left = [], right = []] = bare.split('::').map((half) => half.split(':').filter(Boolean))
  const zeros = bare.includes('::') ? Array(8 - left.length - right.length).fill('0') : []
  const groups = [...left, ...zeros, ...right].slice(0, 4)
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')
}

/**
 * Whom a turn of a queue belongs to: an IPv4 address, or the /48 of an IPv6 address, which is what
 * one site gets (RFC 6177). With turns for each /64 it would have 65,536 of them.
 */
export function siteOf(address: string): string {
  return networkOf(address).split(':').slice(0, 3).join(':')
}
