/** A place in a list: the values it is sorted by. */
export type Position = readonly (string | number)[]

/**
 * Where a page begins (after this position), how many entries it may have, and the order of its list:
 * `name`, or `-name` for the opposite direction; the usual one unless given.
 */
export type PageRequest = { after: Position | undefined; limit: number; sort?: string }

/** One page of a list: its entries, and where the next page begins if there is one. */
export type Page<Entry> = { entries: Entry[]; next: Position | undefined }

/** An overview counts no further: this number means that or more. */
export const COUNTED_MAX = 10_001

/** A list that counts for each of many entries counts no further: this number means that or more. */
export const COUNTED_IN_LIST_MAX = 1_001

/** A row of a list counts no further: this number means that or more. */
export const COUNTED_IN_ROW_MAX = 101

/**
 * The `Link` header that leads to the next page (RFC 8288): the address of the request with some of
 * its parameters changed.
 *
 * @param url path and query of the request; the path is that of a route, so that it holds no `>`
 * @param changes undefined removes a parameter
 */
export function nextLink(
  publicUrl: string,
  url: string,
  changes: Readonly<Record<string, string | undefined>>,
): string {
  // Making a URL of it, and changing that, takes three times as long.
  const [, path, query] = /^([^?#]*)(?:\?([^#]*))?/.exec(url) ?? []
  const parameters = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) parameters.delete(name)
    else parameters.set(name, value)
  }
  return `<${publicUrl}${path}?${parameters}>; rel="next"`
}
