import { searchedInEmails } from './email.ts'
import type { Page, PageRequest, Position } from './page-of-list.ts'
import { searchForm } from './text-forms/canonical.ts'

/**
 * Makes a page of rows that were read with one more than the limit.
 *
 * @param positionOf the values that the list is sorted by
 */
export function pageOf<Row, Entry>(
  rows: readonly Row[],
  limit: number,
  entryOf: (row: Row) => Entry,
  positionOf: (row: Row) => Position,
): Page<Entry> {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    entries: shown.map(entryOf),
    next: rows.length > limit && last !== undefined ? positionOf(last) : undefined,
  }
}

/** A page of a list that never changes while the server runs; a position is a number of entries. */
export function pageOfFixed<Entry>(
  all: readonly Entry[],
  { after, limit }: PageRequest,
): Page<Entry> {
  const begin = after === undefined ? 0 : Number(after[0])
  const end = begin + limit
  return { entries: all.slice(begin, end), next: end < all.length ? [end] : undefined }
}

/** Condition of the rows after a position in the order of creation. */
export function createdAfter(after: Position | undefined) {
  if (after === undefined) return {}
  const createdAt = new Date(String(after[0]))
  return {
    // An index can begin there; in an alternative it cannot.
    createdAt: { gte: createdAt },
    OR: [{ createdAt: { gt: createdAt } }, { createdAt, id: { gt: String(after[1]) } }],
  }
}

/** Position of a row in the order of creation. */
export function creationPosition(row: { createdAt: Date; id: string }): Position {
  return [row.createdAt.toISOString(), row.id]
}

/** Condition of what is suspended, or of the others. */
export function suspendedIs(suspended: boolean | undefined) {
  return suspended === undefined ? {} : { suspendedAt: suspended ? { not: null } : null }
}

/** Condition of what is closed, or of the others. */
export function closedIs(closed: boolean | undefined) {
  return closed === undefined ? {} : { closedAt: closed ? { not: null } : null }
}

/** The indexes of searches are made of three characters each (pg_trgm). */
const SEARCHED_ANYWHERE_MIN = 3
/** Before a word of a name, an id or an email. */
const SEPARATORS = [' ', '-', '@']

/**
 * Condition of rows that have a text in one of their columns, without regard to case. A text of one
 * or two characters is looked for where words begin: elsewhere an index cannot find it.
 *
 * @param typed a text that shows nothing is in every row
 */
export function textIn<Column extends string>(columns: readonly Column[], typed: string) {
  const text = searchForm(typed)
  // `%` and `_` stand for themselves; Prisma passes them on to LIKE.
  const literal = text.replace(/[\\%_]/g, '\\$&')
  const parts =
    [...text].length >= SEARCHED_ANYWHERE_MIN
      ? [{ contains: literal }]
      : [{ startsWith: literal }, ...SEPARATORS.map((one) => ({ contains: `${one}${literal}` }))]
  return {
    OR: columns.flatMap((column) =>
      parts.map((part) => ({ [column]: { ...part, mode: 'insensitive' as const } })),
    ),
  }
}

/** Condition of users who have a text in the name or the email. */
export function nameOrEmailHas(text: string) {
  const inEmail = searchedInEmails(text)
  const { OR: written } = textIn(['name', 'email'], text)
  return { OR: inEmail === text ? written : [...written, ...textIn(['email'], inEmail).OR] }
}

/** Fewer rows than this are not worth another plan. */
const SEARCHED_ROWS_MIN = 100

/**
 * How many rows to read for a page: one more tells whether there is a next one. For a few rows that
 * match a text, Postgres would try all rows of the table in their order, where the index of the text
 * finds none at once.
 */
export function rowsToRead(limit: number, text: string | undefined): number {
  return (text === undefined ? limit : Math.max(limit, SEARCHED_ROWS_MIN)) + 1
}

export const BY_CREATION = [{ createdAt: 'asc' as const }, { id: 'asc' as const }]
