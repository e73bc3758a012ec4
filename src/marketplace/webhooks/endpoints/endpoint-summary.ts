import type { EndpointFacts } from './endpoint-health.ts'

/** An endpoint as operators see it, with the origin of its URL only: the rest may hold a secret. */
export type EndpointSummary = EndpointFacts & {
  id: string
  origin: string
  /** Up to COUNTED_MAX. */
  pendingDeliveries: number
}
