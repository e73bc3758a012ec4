import type { Deps } from '../../deps.ts'

/**
 * Asks for a turn of an endpoint, after the change that gave it something to send. What was changed
 * stays changed when nobody can be asked: whatever is due is found a little later.
 */
export async function wakeEndpoint(
  { jobs, log }: Pick<Deps, 'jobs' | 'log'>,
  endpointId: string,
): Promise<void> {
  try {
    await jobs.askTurns([endpointId])
  } catch (error) {
    log.warn({ err: error }, 'a webhook endpoint was not woken')
  }
}
