import { isIP } from 'node:net'
import { type AllowedHosts, isAllowedHost } from '../addresses/allowed-hosts.ts'
import { hostOf } from '../addresses/endpoint-url.ts'
import { isPublicAddress } from '../addresses/public-addresses.ts'
import { AttemptError } from '../attempts/attempt-reasons.ts'
import { type Lookup, lookupByDns, lookupBySystem } from './lookup.ts'

/**
 * Resolves the addresses that a request to this URL may connect to: the first one and, as a
 * fallback, the first one of the other family. Connect to these and do not resolve the name again:
 * a second look-up may return other addresses.
 *
 * Names are resolved by DNS. Hosts that the operator allows are resolved by the operating system
 * and may have any address. Of all other names every address must be public.
 *
 * @param timeoutMs a lookup can't be cancelled; its result is ignored after this time
 * @param signal its result is ignored after this, too
 * @throws AttemptError address_refused, name_not_resolved, connect_timeout; AbortError
 */
export async function resolveAddress({
  url,
  allowedHosts,
  timeoutMs,
  signal,
  lookup,
}: {
  url: URL
  allowedHosts: AllowedHosts
  timeoutMs: number
  signal: AbortSignal
  lookup?: Lookup | undefined
}): Promise<string[]> {
  const host = hostOf(url)
  const isAllowed = isAllowedHost(url, allowedHosts)
  const find = lookup ?? (isAllowed ? lookupBySystem : (name: string) => lookupByDns(name))
  const addresses =
    isIP(host) === 0 ? await withinTime(addressesOf(host, find), timeoutMs, signal) : [host]
  if (!isAllowed && !addresses.every(isPublicAddress)) {
    throw new AttemptError('address_refused')
  }
  const [first = '', ...others] = addresses
  const other = others.find((address) => isIP(address) !== isIP(first))
  return other === undefined ? [first] : [first, other]
}

async function addressesOf(name: string, lookup: Lookup): Promise<string[]> {
  const found = await lookup(name).catch((cause) => {
    throw new AttemptError('name_not_resolved', { cause })
  })
  if (found.length === 0) throw new AttemptError('name_not_resolved')
  return found.map(({ address }) => address)
}

async function withinTime<T>(work: Promise<T>, timeoutMs: number, signal: AbortSignal): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new AttemptError('connect_timeout')), timeoutMs)
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}
