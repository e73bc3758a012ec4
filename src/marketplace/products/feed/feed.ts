import type { Position } from '../../../base/values/page-of-list.ts'

/**
 * How far a reader is in the changes of one Seller: all changes up to the revision, or of this
 * revision only the products up to an id.
 */
export type FeedPlace = {
  revision: bigint
  id?: bigint
  /**
   * The Seller's revision when the reader began with it; removed once the reader has all its
   * products. Deletions up to that revision were never sent to the reader.
   */
  begun?: bigint
}

/**
 * How far a reader is with each Seller, ascending; a Seller that is missing has sent nothing yet.
 */
export type FeedPosition = ReadonlyMap<number, FeedPlace>

/** Writes the position in few characters, because there may be many Sellers. */
export function positionOf(feed: FeedPosition): Position {
  let before = 0
  const places = [...feed].map(([seller, { revision, id, begun }]) => {
    const step = seller - before
    before = seller
    const numbers = [step, revision, ...(id === undefined ? [] : [id, begun ?? ''])]
    return numbers.map((number) => number.toString(36)).join(':')
  })
  return places.length === 0 ? [] : [places.join(',')]
}

/** The inverse of `positionOf`. */
export function feedOf([places]: Position): FeedPosition {
  if (places === undefined) return new Map()
  let seller = 0
  return new Map(
    String(places)
      .split(',')
      .map((place) => {
        const [step = '', revision = '', id, begun = ''] = place.split(':')
        seller += Number.parseInt(step, 36)
        return [
          seller,
          {
            revision: bigOf(revision),
            ...(id !== undefined && { id: bigOf(id) }),
            ...(begun !== '' && { begun: bigOf(begun) }),
          },
        ]
      }),
  )
}

/** The revision up to which deletions may be forgotten without the reader missing one. */
export function deletionsKnown({ revision, begun = 0n }: FeedPlace): bigint {
  return begun > revision ? begun : revision
}

/** Reads digits of base 36, without the limit of floating point numbers. */
function bigOf(text: string): bigint {
  return [...text].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n)
}
