import { createBound } from '../../../base/fair-share/bound.ts'
import { unprocessable } from '../../../base/values/field-errors.ts'
import type { Deps } from '../../../deps.ts'
import { isAllowedHost } from '../addresses/allowed-hosts.ts'
import { endpointUrlProblem, PRIVATE_ADDRESS_PROBLEM } from '../addresses/endpoint-url.ts'
import { AttemptError } from '../attempts/attempt-reasons.ts'
import { SAVING_LOOKUP_MS } from '../sending/lookup.ts'
import { resolveAddress } from '../sending/resolve-address.ts'

/** Look-ups of one developer at once; what is saved beside them is checked when it is sent to. */
const AT_ONCE_MAX = 4
const places = createBound<string>({ each: AT_ONCE_MAX })
/** A look-up has a time limit and nothing else that ends it. */
const { signal } = new AbortController()

/**
 * Resolves the name in the URL of a receiver before it is saved, outside of any transaction: every
 * address must be public, as at each attempt. A name that cannot be resolved within two seconds is
 * taken, because the receiver may not exist yet.
 *
 * URLs that are refused without a look-up are left to that check, and hosts that the operator allows
 * may have any address.
 *
 * @throws AppError unprocessable
 */
export async function requirePublicReceiver(
  { config, receiverLookup: lookup }: Pick<Deps, 'config' | 'receiverLookup'>,
  developerId: string,
  text: string,
): Promise<void> {
  const allowedHosts = config.webhookAllowedPrivateHosts
  if (endpointUrlProblem(text, allowedHosts) !== null) return
  const url = new URL(text)
  if (isAllowedHost(url, allowedHosts)) return
  const leave = places.take(developerId)
  if (leave === undefined) return
  try {
    await resolveAddress({ url, allowedHosts, timeoutMs: SAVING_LOOKUP_MS, signal, lookup })
  } catch (error) {
    if (!(error instanceof AttemptError)) throw error
    if (error.code !== 'address_refused') return
    throw unprocessable([{ pointer: '/url', detail: PRIVATE_ADDRESS_PROBLEM }])
  } finally {
    leave()
  }
}
