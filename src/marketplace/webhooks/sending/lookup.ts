import { type LookupAddress, promises } from 'node:dns'
import { lookup } from 'node:dns/promises'

/** Resolves a name to all its addresses, the best one first. */
export type Lookup = (name: string) => Promise<readonly LookupAddress[]>

/** How long the first try of a name server may take; the second may take twice as long. */
const DNS_TIMEOUT_MS = 2_000
const DNS_TRIES = 2
/** How long all name servers together may take; less than the 10 s to connect. */
const DNS_MAX_MS = 8_000
/** How long a request that saves an address waits for the look-up of its name. */
export const SAVING_LOOKUP_MS = 2_000

/** Resolves names as the operating system does, with its hosts file, in its order (RFC 6724). */
export const lookupBySystem: Lookup = (name) => lookup(name, { all: true, verbatim: true })

/**
 * Resolves names by DNS only, without the few threads of libuv: a name whose servers never answer
 * must not delay passwords, files and other names. IPv4 comes first; one family is enough.
 *
 * @param servers `address:port` of name servers instead of the system's; for tests
 * @param mostMs the look-up ends after this time
 */
export async function lookupByDns(
  name: string,
  servers?: readonly string[],
  mostMs = DNS_MAX_MS,
): Promise<LookupAddress[]> {
  const resolver = new promises.Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES })
  if (servers !== undefined) resolver.setServers(servers)
  const timer = setTimeout(() => resolver.cancel(), mostMs)
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  clearTimeout(timer)
  if (four.status === 'rejected' && six.status === 'rejected') throw four.reason
  return [
    ...addressesOf(four).map((address) => ({ address, family: 4 })),
    ...addressesOf(six).map((address) => ({ address, family: 6 })),
  ]
}

/**
 * Resolves names by DNS for a request that saves an address. It ends before the request gives up, so
 * that the addresses of one family count where the other one's servers do not answer.
 */
export const lookupForSaving: Lookup = (name) =>
  lookupByDns(name, undefined, SAVING_LOOKUP_MS * 0.75)

function addressesOf(found: PromiseSettledResult<string[]>): string[] {
  return found.status === 'fulfilled' ? found.value : []
}
