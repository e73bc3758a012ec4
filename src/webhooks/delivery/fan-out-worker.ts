import type { Deps } from '../../deps.ts'
import { findUnnumbered } from '../../events/number-events-service.ts'
import { fanOutBatch } from './fan-out-service.ts'

/**
 * Numbers new events, a batch of each developer that has some, and only then wakes the endpoints that
 * get them. What goes wrong with the events of one developer holds up no other.
 *
 * @returns whether a developer may have more: look again at once
 */
export async function fanOut(deps: Pick<Deps, 'pool' | 'jobs' | 'now' | 'log'>): Promise<boolean> {
  let isMoreOfAny = false
  for (const developerId of await findUnnumbered(deps)) {
    try {
      const { endpointIds, isMore } = await fanOutBatch(deps, developerId)
      await deps.jobs.askTurns(endpointIds)
      isMoreOfAny ||= isMore
    } catch (error) {
      deps.log.warn({ err: error, developerId }, 'new events could not be numbered')
    }
  }
  return isMoreOfAny
}
