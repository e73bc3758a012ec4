import type { Page, Position } from '../page.ts'

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

/** Condition of the rows after a position in the order of creation. */
export function createdAfter(after: Position | undefined) {
  if (after === undefined) return {}
  const createdAt = new Date(String(after[0]))
  return { OR: [{ createdAt: { gt: createdAt } }, { createdAt, id: { gt: String(after[1]) } }] }
}

/** Position of a row in the order of creation. */
export function creationPosition(row: { createdAt: Date; id: string }): Position {
  return [row.createdAt.toISOString(), row.id]
}

/** Condition of what is suspended, or of the others. */
export function suspendedIs(suspended: boolean | undefined) {
  return suspended === undefined ? {} : { suspendedAt: suspended ? { not: null } : null }
}

/** A text for `contains`: `%` and `_` stand for themselves; Prisma passes them on to LIKE. */
export function containing(text: string) {
  return { contains: text.replace(/[\\%_]/g, '\\$&'), mode: 'insensitive' as const }
}
