import type { Pool } from 'pg'
import { type BatchLimits, createBatch } from '../concurrency/batch.ts'
import { arrayText, queryTexts } from './statement.ts'

/**
 * Makes a look-up for a hot path: calls that arrive together share one statement (see
 * `createBatch`), and calls with the same key share one row. The result is the state of the
 * database at some moment after the call.
 *
 * @param statement takes an array for each part of the key and returns one column in the order of
 *   the keys: the text that `parse` reads, or null when there is nothing
 */
export function batchedLookUp<Value>(
  statement: { name: string; text: string },
  {
    parse = JSON.parse,
    ...limits
  }: BatchLimits & {
    /** Makes the value of its text, which is JSON unless given. */
    parse?: (text: string) => Value
  } = {},
) {
  const batches = new WeakMap<Pool, (key: string) => Promise<Value | undefined>>()
  const batchOf = (pool: Pool) => {
    const load = async (keys: readonly string[]) => {
      const parts = keys.map((key): string[] => JSON.parse(key))
      const columns = (parts[0] ?? []).map((_, index) => parts.map((part) => part[index] ?? null))
      const rows = await queryTexts(pool, statement, columns.map(arrayText))
      return rows.map(([text]): Value | undefined => (text == null ? undefined : parse(text)))
    }
    const batch = createBatch(load, limits)
    batches.set(pool, batch)
    return batch
  }
  return (pool: Pool, ...key: readonly string[]): Promise<Value | undefined> =>
    (batches.get(pool) ?? batchOf(pool))(JSON.stringify(key))
}
