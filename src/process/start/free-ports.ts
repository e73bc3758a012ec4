import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Config } from '../../config.ts'

/**
 * Finds out early whether the ports can be had. They are let go of again: a port that is held without
 * answers would make clients wait.
 *
 * @throws what listening throws, with the name of the variable
 */
export async function requirePorts(config: Config): Promise<void> {
  const { port, metricsPort, workers, host, metricsHost = host } = config
  await requirePort(port, host, 'PORT')
  if (metricsPort === undefined) return
  for (let index = 0; index < workers; index += 1) {
    await requirePort(metricsPort + index, metricsHost, 'METRICS_PORT')
  }
}

async function requirePort(port: number, host: string, variable: string): Promise<void> {
  const probe = createServer()
  try {
    await once(probe.listen({ port, host }), 'listening')
  } catch (error) {
    throw Object.assign(error as Error, { variable })
  }
  await once(probe.close(), 'close')
}
