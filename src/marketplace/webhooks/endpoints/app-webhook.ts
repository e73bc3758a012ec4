import { z } from 'zod'
import { EventTypeName } from '../../events/event-types.ts'
import { EndpointHealth, EndpointStatus } from './endpoint-health.ts'

/** An endpoint as the record of its app shows it. */
export const AppWebhook = z
  .object({
    id: z.uuid().meta({ example: '0b7b2f52-9a0e-4f0e-8a49-6f0d2f3c9e10' }),
    url: z.string().meta({ example: 'https://hooks.price-sync.example/events' }),
    events: z
      .array(EventTypeName)
      .describe('The types of events that are sent; empty: all.')
      .meta({ example: ['installation.created'] }),
    status: EndpointStatus,
    health: EndpointHealth,
  })
  .meta({ id: 'AppWebhook', description: 'A webhook endpoint as the record of its app shows it.' })
export type AppWebhook = z.infer<typeof AppWebhook>
