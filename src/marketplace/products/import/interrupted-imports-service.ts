import type { Pool } from 'pg'
import { DIED } from './import-record.ts'

/** The imports of this process that have a record and no end yet, by the pool that they use. */
const underWay = new WeakMap<object, Set<string>>()

/** Notes that an import has begun; returns what notes its end. */
export function noteImport(pool: object, importId: string): () => void {
  const ids = underWay.get(pool) ?? new Set()
  underWay.set(pool, ids.add(importId))
  return () => ids.delete(importId)
}

/** The imports under way with a pool, at this moment. */
export function importsUnderWay(pool: object): string[] {
  return [...(underWay.get(pool) ?? [])]
}

/**
 * Records that imports failed whose pool was interrupted at the end of the process, so that they
 * cannot do it themselves. Otherwise they would count as running for a minute, and their accounts
 * could not import. One that was completed at the last moment stays so.
 *
 * @param pool another one than theirs
 */
export async function endInterruptedImports(
  { pool, now }: { pool: Pool; now: () => Date },
  importIds: readonly string[],
): Promise<void> {
  if (importIds.length === 0) return
  await pool.query(
    `UPDATE product_imports
     SET live = NULL, status = 'failed', problem = $1, updated_at = $2, finished_at = $2
     WHERE live AND id = ANY ($3::uuid[])`,
    [JSON.stringify(DIED), now(), importIds],
  )
}
