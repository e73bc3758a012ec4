import type { Deps } from '../deps.ts'
import { numberEvents } from './number-events-service.ts'

/** Numbers the new events of developers, and only then wakes the endpoints that get them. */
export async function fanOut(
  deps: Pick<Deps, 'pool' | 'jobs' | 'now'>,
  developerIds: Iterable<string>,
): Promise<void> {
  for (const developerId of new Set(developerIds)) {
    await deps.jobs.askTurns(await numberEvents(deps, developerId))
  }
}
