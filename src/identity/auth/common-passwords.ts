import { createHash } from 'node:crypto'
import { nameKey } from '../../base/values/names.ts'

/**
 * A Bloom filter of the most common passwords: 1,920,000 bits for 100,000 passwords, 13 of them for
 * each. Every password of the list is found; of 10,000 others one is taken for common. A list would
 * be four times as long, and anybody could read it.
 */
export const FILTER_BYTES = 240_000
const BITS = FILTER_BYTES * 8
const BITS_OF_ONE = 13

/**
 * What passwords are compared by: case, width and spaces do not matter. Longer ones than a name are
 * not on any list.
 */
const keyOf = nameKey

/** Whether a password is one of the filter's, or one of the few that look like one of them. */
export function isCommon(filter: Uint8Array, password: string): boolean {
  return bitsOf(password).every((bit) => ((filter[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0)
}

/** Adds a password to a filter. */
export function addCommon(filter: Uint8Array, password: string): void {
  for (const bit of bitsOf(password)) filter[bit >> 3] = (filter[bit >> 3] ?? 0) | (1 << (bit & 7))
}

/** Kirsch and Mitzenmacher, "Less Hashing, Same Performance": two hashes do the work of many. */
function bitsOf(password: string): number[] {
  const hash = createHash('sha256').update(keyOf(password)).digest()
  const [first, step] = [hash.readUInt32LE(0), hash.readUInt32LE(4)]
  return Array.from({ length: BITS_OF_ONE }, (_, index) => (first + index * step) % BITS)
}

/** The names of the product: among the first that somebody tries here. */
const PRODUCT = ['App Marketplace', 'marketplace']

/**
 * Whether a password is one of these names and addresses, or a part of one before its `@`, whatever
 * stands between their letters and digits.
 */
export function isNameOf(password: string, names: readonly string[]): boolean {
  const letters = (text: string) => keyOf(text).replace(/[^\p{L}\p{N}]/gu, '')
  const own = [...PRODUCT, ...names].flatMap((name) => [name, name.split('@', 1)[0] ?? ''])
  const wanted = letters(password)
  return wanted !== '' && own.some((name) => letters(name) === wanted)
}
