import { finished } from 'node:stream/promises'
import type { PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import {
  type CatalogueChange,
  forgetOldDeletions,
  raiseRevision,
} from '../catalogue-change-service.ts'
import { STAGED_COLUMNS } from './copy-text.ts'
import { type ImportReport, noteErrors, REPORTED_MAX } from './import-record.ts'
import { importDied } from './import-record-service.ts'
import type { StagedRows } from './staging-service.ts'

/** The time limit of a statement over all rows of a large import, in milliseconds. */
export const MERGE_STATEMENT_MS = 900_000

/** How long an import waits until another server has changed the same products. */
const LOCK_TIMEOUT_MS = 60_000

/**
 * Copies the rows of an import into a table of the caller's transaction. Of rows with the same
 * brand and part number the first is kept; the others are reported.
 *
 * @throws AppError unavailable when the database has lost staged rows in a crash
 */
export async function gatherRows(
  client: PoolClient,
  importId: string,
  { chunks, rest }: StagedRows,
  report: ImportReport,
): Promise<void> {
  await client.query(`SET LOCAL statement_timeout = ${MERGE_STATEMENT_MS}`)
  await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`)
  await client.query("SET LOCAL work_mem = '64MB'")
  await client.query(`CREATE TEMPORARY TABLE staged (${STAGED_COLUMNS}) ON COMMIT DROP`)
  for (let number = 0; number < chunks; number++) {
    const { rows } = await client.query<{ lines: string }>(
      'SELECT lines FROM import_chunks WHERE import_id = $1 AND number = $2',
      [importId, number],
    )
    if (rows[0] === undefined) throw importDied()
    await copyRows(client, rows[0].lines)
  }
  if (rest !== '') await copyRows(client, rest)
  await takeOutDuplicates(client, report)
  await client.query('ANALYZE staged')
}

async function copyRows(client: PoolClient, lines: string): Promise<void> {
  const copy = client.query(copyFrom('COPY staged FROM STDIN'))
  copy.end(lines)
  await finished(copy)
}

async function takeOutDuplicates(client: PoolClient, report: ImportReport): Promise<void> {
  const { rows } = await client.query<{ total: number; line: number; first: number }>(
    `WITH firsts AS (
         SELECT brand, part_number, min(line) AS line FROM staged
         GROUP BY brand, part_number HAVING count(*) > 1
       ), gone AS (
         DELETE FROM staged s USING firsts f
         WHERE s.brand = f.brand AND s.part_number = f.part_number AND s.line > f.line
         RETURNING s.line, f.line AS first
       )
       SELECT count(*) OVER ()::float8 AS total, line::float8, first::float8 FROM gone
       ORDER BY line LIMIT ${REPORTED_MAX}`,
  )
  const total = rows[0]?.total ?? 0
  for (const { line, first } of rows) {
    noteErrors(report, line, [
      { pointer: '', detail: `repeats the brand and part number of line ${first}` },
    ])
  }
  report.errorCount += total - rows.length
  report.rowsRefused += total
}

export type Merged = { rowsCreated: number; rowsUpdated: number }

/**
 * Takes out the rows whose id is not that of the party's product with this brand and part number,
 * and reports them. The party's other writers wait for the change, so ids stay as they were found.
 */
export async function takeOutForeignIds(
  { client, partyId }: CatalogueChange,
  report: ImportReport,
): Promise<void> {
  const { rows } = await client.query<{ total: number; line: number }>(
    `WITH gone AS (
       DELETE FROM staged s WHERE s.product_id IS NOT NULL AND NOT EXISTS (
         SELECT 1 FROM products p WHERE p.id = s.product_id AND p.party_id = $1
           AND p.brand = s.brand AND p.part_number = s.part_number)
       RETURNING s.line)
     SELECT count(*) OVER ()::float8 AS total, line::float8 FROM gone
     ORDER BY line LIMIT ${REPORTED_MAX}`,
    [partyId],
  )
  const total = rows[0]?.total ?? 0
  for (const { line } of rows) noteErrors(report, line, [FOREIGN_ID])
  report.errorCount += total - rows.length
  report.rowsRefused += total
}

const FOREIGN_ID = {
  pointer: '/id',
  detail: 'is not the id of the product with this brand and part number; new products have none',
}

/** Merges the staged rows into the party's products; new ones get their ids in the order of the file. */
export async function mergeRows(change: CatalogueChange): Promise<Merged> {
  const { client, partyId, revision, now } = change
  const values = [partyId, revision, now]
  const updated = await client.query(
    `UPDATE products p SET in_stock = s.in_stock, short_description = s.short_description,
         msrp = s.msrp, map_price = s.map_price, upc = s.upc, body = s.body,
         revision = $2, updated_at = $3
       FROM staged s
       WHERE p.party_id = $1 AND p.brand = s.brand AND p.part_number = s.part_number
         AND p.body <> s.body`,
    values,
  )
  const created = await client.query(
    `INSERT INTO products (party_id, brand, part_number, in_stock, short_description, msrp,
         map_price, upc, body, revision, updated_at)
       SELECT $1, brand, part_number, in_stock, short_description, msrp, map_price, upc, body, $2, $3
       FROM staged s
       WHERE NOT EXISTS (SELECT 1 FROM products p
         WHERE p.party_id = $1 AND p.brand = s.brand AND p.part_number = s.part_number)
       ORDER BY line`,
    values,
  )
  const merged = { rowsCreated: created.rowCount ?? 0, rowsUpdated: updated.rowCount ?? 0 }
  if (merged.rowsCreated + merged.rowsUpdated > 0) {
    await forgetOldDeletions(change)
    await raiseRevision(change)
  }
  return merged
}
