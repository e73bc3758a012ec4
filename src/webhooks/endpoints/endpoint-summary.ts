import type { EndpointFacts } from './endpoint-health.ts'

/** An endpoint as operators see it: of its URL the origin, as the rest of it may hold a secret. */
export type EndpointSummary = EndpointFacts & {
  id: string
  origin: string
  /** Up to COUNTED_MAX. */
  pendingDeliveries: number
}
