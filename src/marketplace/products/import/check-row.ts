import { type CheckedRecord, checkRecord } from '../product-checks.ts'

/** A checked record of a file, with the id that the file gives the product. */
export type CheckedRow = CheckedRecord & { id?: number }

/**
 * Checks a record of a file against the rules of records. It may have the `id` that an export gave
 * it: whether that is the product's own is known only in the database.
 */
export function checkRow(input: unknown): CheckedRow {
  if (typeof input !== 'object' || input === null || !Object.hasOwn(input, 'id')) {
    return checkRecord(input)
  }
  const { id, ...rest } = input as Record<string, unknown>
  const checked = checkRecord(rest)
  if (id === null || id === undefined) return checked
  if (Number.isSafeInteger(id) && Number(id) > 0) return { ...checked, id: Number(id) }
  const problem = { pointer: '/id', detail: 'must be the id of a product: a whole number' }
  return { errors: [problem, ...(checked.errors ?? [])] }
}
