import type { Position } from '../page.ts'

/**
 * How far a reader is in the changes of one seller: all up to the revision, or of this revision
 * only the products up to an id.
 */
export type FeedPlace = { revision: bigint; id?: bigint }

/** How far a reader is, by seller; sellers that are not in it have told nothing yet. */
export type FeedPosition = ReadonlyMap<number, FeedPlace>

/** The position as the cursor keeps it. */
export function positionOf(feed: FeedPosition): Position {
  return [...feed].map(([seller, { revision, id }]) => {
    const place = `${seller.toString(36)}:${revision.toString(36)}`
    return id === undefined ? place : `${place}:${id.toString(36)}`
  })
}

/** The inverse of `positionOf`. */
export function feedOf(position: Position): FeedPosition {
  return new Map(
    position.map((text) => {
      const [seller = '', revision = '', id] = String(text).split(':')
      const place = { revision: bigOf(revision), ...(id !== undefined && { id: bigOf(id) }) }
      return [Number.parseInt(seller, 36), place]
    }),
  )
}

/** Reads digits of base 36, without the limit of floating point numbers. */
function bigOf(text: string): bigint {
  return [...text].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n)
}
