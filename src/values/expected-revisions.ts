/** The revisions that a change is meant for; undefined: whatever is there. */
export type ExpectedRevisions = readonly number[] | undefined

/** Whether a change may be made to what is there. */
export function isExpected(expected: ExpectedRevisions, revision: number): boolean {
  return expected === undefined || expected.includes(revision)
}
