import type { Deps } from '../deps.ts'
import { findUnnumbered, numberBatch } from './number-events-service.ts'

/**
 * Numbers new events, a batch of each developer that has some, and only then wakes the endpoints that
 * get them. What is left is for the next look.
 */
export async function fanOut(deps: Pick<Deps, 'pool' | 'jobs' | 'now'>): Promise<void> {
  for (const developerId of await findUnnumbered(deps)) {
    const { endpoints } = await numberBatch(deps, developerId)
    await deps.jobs.askTurns(endpoints)
  }
}
