import { z } from 'zod'
import { AppError } from '../errors.ts'
import type { App } from './app-type.ts'

const Health = z
  .object({ status: z.literal('ok') })
  .meta({ id: 'Health', description: 'Whether the server is well.', example: { status: 'ok' } })

/** Whether the process lives, and whether it can do its work. */
export async function healthRoutes(
  app: App,
  { readiness }: { readiness: () => Promise<string | undefined> },
) {
  app.get(
    '/livez',
    {
      config: { unlimited: true, quiet: true },
      schema: {
        operationId: 'readLiveness',
        tags: ['Operation'],
        summary: 'Whether the process is alive',
        description:
          '200 while the process responds; it asks neither the database nor anything else.',
        response: { 200: Health },
      },
    },
    async () => ({ status: 'ok' as const }),
  )

  app.get(
    '/readyz',
    {
      config: { unlimited: true, quiet: true },
      schema: {
        operationId: 'readReadiness',
        tags: ['Operation'],
        summary: 'Whether the server can answer requests',
        description:
          '503 while the database is away or has a schema that this release cannot work with, and ' +
          'while the server shuts down.',
        response: { 200: Health },
      },
    },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store')
      const problem = await readiness()
      if (problem !== undefined) {
        throw new AppError('unavailable', { detail: problem, retryAfterSeconds: 1 })
      }
      return { status: 'ok' as const }
    },
  )
}
