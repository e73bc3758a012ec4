import { UsageError } from './usage-error.ts'

/** @throws UsageError names the option and an address as it should be */
export function requireWebAddress(option: string, address: string, example: string): void {
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return
  throw new UsageError(`${option} is an address such as ${example}`)
}
