import type { Deps } from '../../../deps.ts'

/**
 * Asks for a window of an endpoint, after the commit that gave it something to send. A failure is
 * only logged: the sweep finds what is due a little later.
 */
export async function wakeEndpoint(
  { jobs, log }: Pick<Deps, 'jobs' | 'log'>,
  endpointId: string,
): Promise<void> {
  try {
    await jobs.askToSend([endpointId])
  } catch (error) {
    log.warn({ err: error }, 'a webhook endpoint was not woken')
  }
}
