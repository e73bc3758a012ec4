import type { Deps } from '../../../deps.ts'
import { findUnnumbered } from '../../events/number-events-service.ts'
import { fanOutBatch } from './fan-out-service.ts'

/**
 * Numbers new events, one batch of each developer that has some, and lays out their deliveries. A
 * failure with one developer's events delays no other developer.
 *
 * @param afterEach called after each batch
 * @returns whether a developer may have more events, so that the caller looks again at once
 */
export async function fanOut(
  deps: Pick<Deps, 'pool' | 'now' | 'log'>,
  afterEach = async () => {},
): Promise<boolean> {
  let isMoreOfAny = false
  for (const developerId of await findUnnumbered(deps)) {
    try {
      if (await fanOutBatch(deps, developerId)) isMoreOfAny = true
    } catch (error) {
      deps.log.warn({ err: error, developerId }, 'new events could not be numbered')
    }
    await afterEach()
  }
  return isMoreOfAny
}
