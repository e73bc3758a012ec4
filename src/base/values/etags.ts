/**
 * The one of our ETags that `If-None-Match` names, by the weak comparison (RFC 9110, 13.1.2). The
 * list may be as long as headers may be: it is searched for each of our tags, and not taken apart.
 *
 * @param tags the ETags of the resource as it is now, with their quotes; `*` matches the first
 */
export function matchingTag(condition: string, tags: readonly string[]): string | undefined {
  return condition.trim() === '*' ? tags[0] : tags.find((tag) => isListed(tag, condition))
}

/** Whether a list has a tag, strong or weak. Within a tag there are no quotes. */
function isListed(tag: string, list: string): boolean {
  for (let at = list.indexOf(tag); at >= 0; at = list.indexOf(tag, at + tag.length)) {
    const start = list.startsWith('W/', at - 2) ? at - 2 : at
    if (isBetweenTags(list[start - 1]) && isBetweenTags(list[at + tag.length])) return true
  }
  return false
}

function isBetweenTags(character: string | undefined): boolean {
  return character === undefined || character === ',' || character === ' ' || character === '\t'
}

/** More than any client names: a change is meant for one state of a resource, or for a few. */
const TAGS_MAX = 100

/**
 * One ETag of a list and what follows it (RFC 9110, 8.8.3), or the end of the list. A comma may
 * stand in a tag. Empty elements come before it (RFC 9110, 5.6.1.2).
 */
const LISTED_TAG = /[ \t,]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*(?:,|$)|$)/y

/**
 * The strong ETags in the list of an `If-Match`, without their quotes (RFC 9110, 13.1.1): a weak one
 * never matches there. None when the list is malformed or has more than 100 tags.
 */
export function strongTags(list: string): string[] {
  const tags: string[] = []
  let count = 0
  LISTED_TAG.lastIndex = 0
  while (LISTED_TAG.lastIndex < list.length) {
    const match = LISTED_TAG.exec(list)
    if (match === null) return []
    const [, weak, tag] = match
    // Only commas and spaces were left.
    if (tag === undefined) break
    count += 1
    if (count > TAGS_MAX) return []
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
