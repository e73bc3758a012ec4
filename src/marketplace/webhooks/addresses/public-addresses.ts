import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** All IPv6 addresses that the internet routes (IANA: "Global Unicast"); all others are special. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Special networks inside public space that `ipaddr.js` calls unicast, or that must be refused
 * whatever `ipaddr.js` calls them.
 */
const REFUSED_IPV4 = [
  // Azure: the host of a virtual machine, with its metadata and DNS.
  ipaddr.IPv4.parseCIDR('168.63.129.16/32'),
]
const REFUSED_IPV6 = [
  // IETF protocol assignments: Teredo, benchmarking, ORCHID (RFC 2928).
  ipaddr.IPv6.parseCIDR('2001::/23'),
  // Documentation (RFC 3849, RFC 9637).
  ipaddr.IPv6.parseCIDR('2001:db8::/32'),
  ipaddr.IPv6.parseCIDR('3fff::/20'),
  // 6to4: contains an IPv4 address (RFC 3056).
  ipaddr.IPv6.parseCIDR('2002::/16'),
]

/**
 * Whether the internet routes to this address, so that a request to it can't reach our own network.
 *
 * Refuses everything that is not plainly public: private, loopback, link-local, unique-local,
 * shared (RFC 6598), multicast, reserved, documentation and benchmarking networks, the metadata
 * addresses of clouds, zone ids, and every IPv6 form that contains an IPv4 address (mapped,
 * compatible, NAT64, 6to4, Teredo), even a public one, because we cannot know its route.
 *
 * Not covered: NAT64 prefixes that a network chose for itself (RFC 6052, 2.2) look like any public
 * network.
 *
 * @param address as DNS or the URL parser writes it, without brackets
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) {
    const ipv4 = ipaddr.IPv4.parse(address)
    return ipv4.range() === 'unicast' && !REFUSED_IPV4.some((network) => ipv4.match(network))
  }
  if (isIP(address) !== 6 || address.includes('%')) return false
  const ipv6 = ipaddr.IPv6.parse(address)
  return (
    ipv6.range() === 'unicast' &&
    ipv6.match(GLOBAL_UNICAST) &&
    !REFUSED_IPV6.some((network) => ipv6.match(network))
  )
}
