import { UsageError } from './usage-error.ts'

/** @throws UsageError names the option and an address as it should be */
export function requireWebAddress(option: string, address: string, example: string): void {
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return
  throw new UsageError(`${option} is an address such as ${example}`)
}

/** @throws UsageError also for a path other than the prefix `/api`, a query or a user */
export function requireSite(option: string, address: string, example: string): void {
  requireWebAddress(option, address, example)
  const { origin, href } = new URL(address)
  if (/^\/*(api\/*)?$/i.test(href.slice(origin.length))) return
  throw new UsageError(`${option} is an address without a path, such as ${example}`)
}
