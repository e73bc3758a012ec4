import type { PoolClient } from 'pg'
import { type Actor, recordAuditSql } from '../audit/audit-service.ts'
import { passingFailure } from '../database/failures.ts'
import { inSqlTransaction } from '../database/transaction.ts'
import { NO_DEADLINE, withDeadline } from '../deadline.ts'
import type { Deps } from '../deps.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import {
  beginChange,
  developerOfInstallation,
  forgetOldDeletions,
  giveBackRevision,
} from './catalogue-service.ts'
import { STAGED_COLUMNS } from './copy-text.ts'
import {
  type ImportReport,
  type ImportResult,
  newReport,
  noteErrors,
  REPORTED_MAX,
} from './import.ts'
import { createImport, markUnfinished, showProgress } from './import-record-service.ts'
import { type RowSource, stageRows } from './staging-service.ts'

/** Of the connections to the database imports hold at most one in so many. */
const POOL_SHARE = 3
const RETRY_AFTER_SECONDS = 15
/** How long an import waits for another server's changes of the same products. */
const LOCK_TIMEOUT_MS = 60_000

/** Errors that are about what is in the file. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set(['import_refused', 'payload_too_large'])

export type ImportRequest = RowSource & {
  importId: string
  partyId: number
  installationId: string | null
  /** `refuse`: all or nothing; `skip`: take the good rows. */
  onError: 'refuse' | 'skip'
  actor: Actor
  /** Asked when the file is there, which may have taken long; throws when nothing may be written. */
  checkAgain?: () => Promise<unknown>
}

type ImportDeps = Pick<Deps, 'db' | 'pool' | 'config' | 'now' | 'log'>

/** Imports under way in this process, by the pool they take connections from. */
const running = new WeakMap<object, number>()

/**
 * Reads a file of records into a staging table and merges it into the party's products in one
 * transaction, in constant memory. Others may write the party's products until the merge begins.
 *
 * @throws AppError import_refused when the file has problems and these are not to be skipped, or
 *   cannot be read on; payload_too_large; already_exists when the id was used; unavailable when
 *   too many imports are under way; what the check throws
 */
export async function importProducts(
  deps: ImportDeps,
  request: ImportRequest,
): Promise<ImportResult> {
  const count = running.get(deps.pool) ?? 0
  if (count >= Math.max(1, Math.floor(deps.config.databasePoolSize / POOL_SHARE))) {
    throw new AppError('unavailable', {
      detail: 'Too many imports are under way.',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  }
  running.set(deps.pool, count + 1)
  try {
    await createImport(deps, request)
    return await withDeadline(NO_DEADLINE, () => runImport(deps, request))
  } finally {
    running.set(deps.pool, (running.get(deps.pool) ?? 1) - 1)
  }
}

async function runImport(deps: ImportDeps, request: ImportRequest): Promise<ImportResult> {
  const report = newReport()
  const { importId } = request
  const endProgress = showProgress(deps, importId, report)
  try {
    const done = await inSqlTransaction(deps.pool, async (client) => {
      // The client's pace is no fault of the statement.
      await client.query('SET LOCAL statement_timeout = 0')
      await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`)
      await client.query("SET LOCAL work_mem = '64MB'")
      await client.query(`CREATE TEMPORARY TABLE staged (${STAGED_COLUMNS}) ON COMMIT DROP`)
      await stageRows(client, request, report, deps.config.importMaxBytes)
      await takeOutDuplicates(client, report)
      if (report.errorCount > 0 && request.onError === 'refuse') throw refusal(report)
      await request.checkAgain?.()
      const merged = await merge(client, request, deps.now())
      await endProgress()
      await complete(client, request, report, merged, deps.now())
      return merged
    })
    const { rowsRead, rowsRefused, errorCount, errors, warnings } = report
    return {
      importId,
      status: 'completed',
      rowsRead,
      ...done,
      rowsRefused,
      errorCount,
      errors,
      ...(warnings.length > 0 && { warnings }),
    }
  } catch (error) {
    await endProgress()
    const failure = report.fatal === undefined ? error : refusal(report)
    const { code, message } = toldOf(failure)
    await markUnfinished(deps, importId, REFUSALS.has(code) ? 'refused' : 'failed', report, {
      code,
      detail: message,
    })
    throw failure
  }
}

/** What the client is answered. */
function toldOf(failure: unknown): AppError {
  if (failure instanceof AppError) return failure
  return passingFailure(failure) ?? new AppError('internal_error')
}

function refusal({ errors, errorCount, rowsRead, rowsRefused, fatal }: ImportReport): AppError {
  const problems = errorCount === 1 ? 'a problem' : `${errorCount} problems`
  const end = fatal === undefined ? '' : ` and cannot be read beyond line ${fatal.line}`
  return new AppError('import_refused', {
    detail: `The file has ${problems}${end}; nothing was imported.`,
    errors,
    members: { errorCount, rowsRead, rowsRefused },
  })
}

/** Of rows with the same brand and part number keeps the first and reports the others. */
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
      { pointer: '', detail: `has the brand and part number of line ${first}` },
    ])
  }
  report.errorCount += total - rows.length
  report.rowsRefused += total
}

type Merged = { rowsCreated: number; rowsUpdated: number }

async function merge(client: PoolClient, { partyId }: ImportRequest, now: Date): Promise<Merged> {
  await client.query('ANALYZE staged')
  const change = await beginChange(client, partyId, now)
  const values = [partyId, change.revision, now]
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
       WHERE p.party_id = $1 AND p.brand = s.brand AND p.part_number = s.part_number)`,
    values,
  )
  const merged = { rowsCreated: created.rowCount ?? 0, rowsUpdated: updated.rowCount ?? 0 }
  if (merged.rowsCreated + merged.rowsUpdated === 0) await giveBackRevision(change)
  else await forgetOldDeletions(change)
  return merged
}

/** The end of the import belongs to its transaction: it is completed exactly when it took effect. */
async function complete(
  client: PoolClient,
  { importId, partyId, installationId, actor, onError }: ImportRequest,
  { bytesRead, rowsRead, rowsRefused, errorCount, errors, warnings }: ImportReport,
  { rowsCreated, rowsUpdated }: Merged,
  now: Date,
): Promise<void> {
  await client.query(
    `UPDATE product_imports SET status = 'completed', bytes_read = $2, rows_read = $3,
       rows_refused = $4, rows_created = $5, rows_updated = $6, error_count = $7, errors = $8,
       warnings = $9, updated_at = $10, finished_at = $10
     WHERE id = $1`,
    [
      importId,
      bytesRead,
      rowsRead,
      rowsRefused,
      rowsCreated,
      rowsUpdated,
      errorCount,
      JSON.stringify(errors),
      JSON.stringify(warnings),
      now,
    ],
  )
  await recordAuditSql(client, {
    actor,
    action: 'products.imported',
    subject: { kind: 'product_import', id: importId },
    developerId: await developerOfInstallation(client, installationId),
    partyId,
    after: { onError, rowsRead, rowsRefused, rowsCreated, rowsUpdated },
  })
}
