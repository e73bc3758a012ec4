/** A place in a list: the values it is sorted by. */
export type Position = readonly (string | number)[]

/** Where a page begins (after this position) and how many entries it may have. */
export type PageRequest = { after: Position | undefined; limit: number }

/** One page of a list: its entries, and where the next page begins if there is one. */
export type Page<Entry> = { entries: Entry[]; next: Position | undefined }

/** An overview counts no further: this number means that or more. */
export const COUNTED_MAX = 10_001

/** A list that counts for each of many entries counts no further: this number means that or more. */
export const COUNTED_IN_LIST_MAX = 1_001
