import type { Pool } from 'pg'
import { type BatchLimits, createBatch } from '../concurrency/batch.ts'
import { arrayText, queryTexts, type Statement, type TextRow } from './statement.ts'

/**
 * Makes a look-up for a hot path: calls that arrive together share one statement (see
 * `createBatch`), and calls with the same key share one row. The result is the state of the
 * database at some moment after the call.
 *
 * @param statement takes an array for each part of the key and returns one row in the order of the
 *   keys
 */
export function batchedLookUp<Value>(
  statement: Statement,
  {
    read = readJson,
    ...limits
  }: BatchLimits & {
    /** Makes the value of its row, which is one column of JSON, or null for nothing, unless given. */
    read?: (row: TextRow) => Value | undefined
  } = {},
) {
  const batches = new WeakMap<Pool, (key: string) => Promise<Value | undefined>>()
  const batchOf = (pool: Pool) => {
    const load = async (keys: readonly string[]) => {
      const parts = keys.map((key): string[] => JSON.parse(key))
      const columns = (parts[0] ?? []).map((_, index) => parts.map((part) => part[index] ?? null))
      const rows = await queryTexts(pool, statement, columns.map(arrayText))
      return rows.map(read)
    }
    const batch = createBatch(load, limits)
    batches.set(pool, batch)
    return batch
  }
  return (pool: Pool, ...key: readonly string[]): Promise<Value | undefined> =>
    (batches.get(pool) ?? batchOf(pool))(JSON.stringify(key))
}

function readJson([text]: TextRow) {
  return text == null ? undefined : JSON.parse(text)
}
