import { z } from 'zod'
import type { App } from '../../http/app-type.ts'
import { METRICS_TYPE } from './metrics-service.ts'

const MEDIA_TYPE = 'text/plain'
const MetricsText = z
  .string()
  .describe('Metrics in the text format of Prometheus 0.0.4.')
  .meta({ examples: ['http_requests_total{route="/livez",method="GET",status="2xx"} 7'] })

/** `/metrics`: figures of the server for Prometheus. */
export async function metricsRoutes(app: App, { metrics }: { metrics: () => Promise<string> }) {
  app.get(
    '/metrics',
    {
      config: { quiet: true },
      schema: {
        operationId: 'readMetrics',
        tags: ['Operation'],
        summary: 'Read metrics for Prometheus',
        description:
          'Requests, latencies, tokens, sign-ins, connections, memory and webhooks. Where ' +
          '`METRICS_PORT` is set, metrics are on that port, without a token, and not here.',
        produces: [MEDIA_TYPE],
        response: { 200: MetricsText },
      },
    },
    async (_request, reply) => {
      const text = await metrics()
      reply.header('cache-control', 'no-store')
      return reply.type(METRICS_TYPE).serializer(asItIs).send(text)
    },
  )
}

const asItIs = (text: unknown) => text as string
