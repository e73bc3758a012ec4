import { expect } from 'vitest'
import { isDatabaseUnavailable } from '../../src/base/database/failures.ts'

/** Fails as a database that is away does. */
export async function expectUnavailable(work: Promise<unknown>): Promise<void> {
  const error = await work.then(
    () => 'no failure',
    (failure: unknown) => failure,
  )
  expect(isDatabaseUnavailable(error) ? 'unavailable' : error).toBe('unavailable')
}
