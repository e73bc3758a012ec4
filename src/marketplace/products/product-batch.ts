import { z } from 'zod'
import { FieldError } from '../../errors.ts'
import type { ProductRecord } from './product.ts'
import { checkRecord, RecordWarnings } from './product-checks.ts'

export const BATCH_MAX_ROWS = 1000

/** What became of one record of a batch. */
export const BatchResult = z
  .object({
    index: z.int().describe('Place of the record in the batch, from 0.').meta({ example: 0 }),
    status: z
      .enum(['created', 'updated', 'unchanged', 'refused'])
      .describe('`unchanged`: the product was so already.')
      .meta({ example: 'created' }),
    id: z.int().optional().describe('Id of the product.').meta({ example: 101 }),
    errors: z.array(FieldError).optional().describe('Why the record was refused.'),
    warnings: RecordWarnings,
  })
  .meta({ id: 'BatchResult', description: 'The result for one record of a batch.' })
export type BatchResult = z.infer<typeof BatchResult>

/** The good records of a batch with their places, and the results of the bad ones. */
export type SortedBatch = {
  good: { index: number; record: ProductRecord; warnings: readonly FieldError[] }[]
  refused: BatchResult[]
}

/** Checks the rows of a batch; of rows with the same brand and part number the first is used. */
export function sortBatch(rows: readonly unknown[]): SortedBatch {
  const sorted: SortedBatch = { good: [], refused: [] }
  const firstOf = new Map<string, number>()
  for (const [index, row] of rows.entries()) {
    const checked = checkRecord(row)
    if (checked.errors !== undefined) {
      sorted.refused.push({ index, status: 'refused', errors: checked.errors })
      continue
    }
    const { record, warnings } = checked
    // Neither holds control characters.
    const key = `${record.brand}\n${record.partNumber}`
    const first = firstOf.get(key)
    if (first === undefined) {
      firstOf.set(key, index)
      sorted.good.push({ index, record, warnings })
    } else {
      const detail = `repeats the brand and part number of the record at ${first}`
      sorted.refused.push({ index, status: 'refused', errors: [{ pointer: '', detail }] })
    }
  }
  return sorted
}
