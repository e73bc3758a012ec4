import { z } from 'zod'
import { Timestamp } from '../../../base/values/shapes.ts'

export const EndpointStatus = z
  .enum(['enabled', 'disabled'])
  .describe('Nothing is sent to a disabled endpoint, and no deliveries are made for it.')
  .meta({ id: 'WebhookStatus', example: 'enabled' })
export type EndpointStatus = z.infer<typeof EndpointStatus>

export const EndpointHealth = z
  .enum(['healthy', 'failing', 'untried'])
  .describe(
    '`failing`: the last attempt failed; `healthy`: it succeeded; `untried`: there was none. Faults of our own proxy do not count.',
  )
  .meta({ id: 'WebhookHealth', example: 'healthy' })
export type EndpointHealth = z.infer<typeof EndpointHealth>

/** Whether an app receives its events, for accounts, which do not manage its endpoints. */
export const WebhooksState = z
  .object({
    status: z
      .enum(['healthy', 'failing', 'disabled', 'none'])
      .describe(
        "The worst of the app's webhook endpoints; `none` when it has none. One that its developer has disabled counts only when there is no other.",
      )
      .meta({ example: 'failing' }),
    since: Timestamp.nullable().describe('Since when it fails or is disabled, otherwise null.'),
  })
  .describe("Whether the app's webhook endpoints work.")
  .meta({ id: 'WebhooksState' })
export type WebhooksState = z.infer<typeof WebhooksState>

/** What is stored about the health of an endpoint. */
export type EndpointFacts = {
  disabledAt: Date | null
  disabledReason: string | null
  failingSince: Date | null
  lastSuccessAt: Date | null
}

/** Whether events are sent to an endpoint. */
export function statusOf({ disabledAt }: Pick<EndpointFacts, 'disabledAt'>): EndpointStatus {
  return disabledAt === null ? 'enabled' : 'disabled'
}

/** What came of the last attempts at an endpoint. */
export function healthOf({
  failingSince,
  lastSuccessAt,
}: Pick<EndpointFacts, 'failingSince' | 'lastSuccessAt'>): EndpointHealth {
  if (failingSince !== null) return 'failing'
  return lastSuccessAt === null ? 'untried' : 'healthy'
}

/**
 * The state of all endpoints of an app together: the worst state of any of them, and since when. An
 * endpoint that its developer disabled on purpose does not count while there are others.
 */
export function stateOfAll(endpoints: readonly EndpointFacts[]): WebhooksState {
  if (endpoints.length === 0) return { status: 'none', since: null }
  const counted = endpoints.filter(({ disabledReason }) => disabledReason !== 'developer')
  const all = counted.length > 0 ? counted : endpoints
  const disabled = earliest(all.map(({ disabledAt }) => disabledAt))
  if (disabled !== null) return { status: 'disabled', since: disabled }
  const failing = earliest(all.map(({ failingSince }) => failingSince))
  return failing === null
    ? { status: 'healthy', since: null }
    : { status: 'failing', since: failing }
}

function earliest(times: readonly (Date | null)[]): Date | null {
  const known = times.filter((time) => time !== null)
  return known.length === 0 ? null : new Date(Math.min(...known.map((time) => time.getTime())))
}
