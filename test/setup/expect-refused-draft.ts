import { expect } from 'vitest'
import { type Author, draft, newId } from './apps.ts'
import { expectProblem, pointersOf } from './expect-problem.ts'

/** Expects that an app with these changes is refused, for problems at these pointers. */
export async function expectRefusedDraft(
  developer: Author,
  changes: Record<string, unknown>,
  pointers: readonly string[],
) {
  const answer = await developer.create(draft(newId(), changes))
  expect([400, 422]).toContain(answer.status)
  expectProblem(answer, answer.status === 400 ? 'invalid_request' : 'unprocessable')
  expect(pointersOf(answer)).toEqual(pointers.toSorted())
  return answer
}
