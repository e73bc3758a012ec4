/**
 * The one of our ETags that `If-None-Match` names, by the weak comparison (RFC 9110, 13.1.2).
 *
 * @param tags the ETags of the resource as it is now; `*` matches the first
 */
export function matchingTag(condition: string, tags: readonly string[]): string | undefined {
  const named = new Set(condition.split(',').map((tag) => tag.trim().replace(/^W\//, '')))
  return named.has('*') ? tags[0] : tags.find((tag) => named.has(tag))
}

/** One ETag of a list and what follows it (RFC 9110, 8.8.3). A comma may stand in a tag. */
const LISTED_TAG = /[ \t]*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*(?:,|$)/y

/**
 * The strong ETags in the list of an `If-Match`, without their quotes (RFC 9110, 13.1.1): a weak one
 * never matches there. None when the list is malformed.
 */
export function strongTags(list: string): string[] {
  const tags: string[] = []
  LISTED_TAG.lastIndex = 0
  while (LISTED_TAG.lastIndex < list.length) {
    const match = LISTED_TAG.exec(list)
    if (match === null) return []
    const [, weak, tag = ''] = match
    if (weak === undefined) tags.push(tag)
  }
  return tags
}

/** The revisions that a change is meant for; undefined: whatever is there. */
export type ExpectedRevisions = readonly number[] | undefined

/** Whether a change may be made to what is there. */
export function isExpected(expected: ExpectedRevisions, revision: number): boolean {
  return expected === undefined || expected.includes(revision)
}
