import type { PoolClient } from 'pg'
import { passingFailure } from '../../../base/database/failures.ts'
import { inSqlTransaction } from '../../../base/database/transaction.ts'
import { deadlineIn, withDeadline, withoutDeadline } from '../../../base/fair-share/deadline.ts'
import type { Actor } from '../../../base/values/actor.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, type ErrorCode } from '../../../errors.ts'
import { recordAuditSql } from '../../../identity/audit/record-audit-service.ts'
import { beginLongChange, developerOfInstallation } from '../catalogue-change-service.ts'
import { type ImportReport, type ImportResult, newReport, unchangedOf } from './import-record.ts'
import {
  createImport,
  importDied,
  markUnfinished,
  showProgress,
  whatCompleted,
} from './import-record-service.ts'
import { type ImportShares, importSharesOf, tooManyImports } from './import-shares.ts'
import { noteImport } from './interrupted-imports-service.ts'
import {
  gatherRows,
  MERGE_STATEMENT_MS,
  type Merged,
  mergeRows,
  takeOutForeignIds,
} from './merge-service.ts'
import { type RowSource, type StagedRows, stageRows } from './staging-service.ts'

/**
 * How long the transaction of an import may take: twice as long as it waits for another server's
 * change of the same products, and for each row some thirty times what a row takes.
 */
const MERGE_MS = 120_000
const MERGE_ROW_MS = 1

/** Errors that concern the content of the file. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set(['import_refused', 'payload_too_large'])

export type ImportRequest = RowSource & {
  importId: string
  partyId: number
  installationId: string | null
  /** `refuse`: all or nothing; `skip`: take the good rows. */
  onError: 'refuse' | 'skip'
  actor: Actor
  /**
   * Called when the whole file has arrived and when its rows are written, both of which may have
   * taken long; throws when the caller may no longer write.
   */
  checkAgain?: () => Promise<unknown>
}

/** `developerId`: whose app imports, which may read the audit entry; those of the command line have none. */
type RunningImport = ImportRequest & { developerId: string | undefined; shares: ImportShares }

type ImportDeps = Pick<Deps, 'db' | 'pool' | 'config' | 'now' | 'log' | 'measures'>

/**
 * Reads a file of records and merges it into the party's products in one transaction, in bounded
 * memory. A party has one import at a time. While the file comes, no connection and no transaction
 * is held, and others may write the party's products until the merge begins.
 *
 * @throws AppError import_refused when the file has problems and these are not to be skipped, or
 *   cannot be read on; payload_too_large; import_running; already_exists when the id was used;
 *   unavailable when too many imports are under way, of all or of the app's developer; what the
 *   check throws
 */
export async function importProducts(
  deps: ImportDeps,
  request: ImportRequest,
): Promise<ImportResult> {
  const developerId = await developerOfInstallation(deps.pool, request.installationId)
  const shares = importSharesOf(deps.pool, deps.config.databasePoolSize)
  const giveBack = shares.running.take(developerId ?? request.importId)
  if (giveBack === undefined) throw tooManyImports()
  const { imports } = deps.measures
  imports.running += 1
  try {
    await createImport(deps, request)
    const noteEnd = noteImport(deps.pool, request.importId)
    try {
      return await withoutDeadline(() => runImport(deps, { ...request, developerId, shares }))
    } finally {
      noteEnd()
    }
  } finally {
    imports.running -= 1
    giveBack()
  }
}

async function runImport(deps: ImportDeps, request: RunningImport): Promise<ImportResult> {
  const report = newReport()
  const { importId, developerId, shares } = request
  const endProgress = showProgress(deps, importId, report)
  try {
    const staged = await stageRows(deps, importId, request, report)
    const done = await shares.merges.run(developerId ?? importId, () => {
      const mergeMs = MERGE_MS + report.rowsRead * MERGE_ROW_MS
      return withDeadline(deadlineIn(mergeMs, { statementMs: MERGE_STATEMENT_MS }), () =>
        takeEffect(deps, request, staged, report, endProgress),
      )
    })
    return completed(deps, importId, report, done)
  } catch (error) {
    await endProgress()
    const failure = report.fatal === undefined ? error : refusal(report)
    const { code, message } = toldOf(failure)
    const status = REFUSALS.has(code) ? 'refused' : 'failed'
    const wasLive = await markUnfinished(deps, request, status, report, { code, detail: message })
    // Where the answer to the commit was lost, the record says whether it took place.
    const done = wasLive ? undefined : await whatCompleted(deps, importId)
    if (done !== undefined) return completed(deps, importId, report, done)
    deps.measures.imports[status] += 1
    throw wasLive ? failure : importDied()
  }
}

function completed(
  { measures }: ImportDeps,
  importId: string,
  { rowsRead, rowsRefused, errorCount, errors, warnings }: ImportReport,
  done: Merged,
): ImportResult {
  measures.imports.completed += 1
  measures.imports.rows += rowsRead
  return {
    importId,
    status: 'completed',
    rowsRead,
    ...done,
    rowsUnchanged: unchangedOf({ ...done, rowsRead, rowsRefused }),
    rowsRefused,
    errorCount,
    errors,
    ...(warnings.length > 0 && { warnings }),
  }
}

/** Everything that an import does to the products, and its end. */
function takeEffect(
  { pool, now }: ImportDeps,
  request: RunningImport,
  staged: StagedRows,
  report: ImportReport,
  endProgress: () => Promise<void>,
): Promise<Merged> {
  return inSqlTransaction(pool, async (client) => {
    const refuseProblems = () => {
      if (report.errorCount > 0 && request.onError === 'refuse') throw refusal(report)
    }
    await gatherRows(client, request.importId, staged, report)
    refuseProblems()
    await request.checkAgain?.()
    const change = await beginLongChange(client, request.partyId, now())
    await takeOutForeignIds(change, report)
    refuseProblems()
    const merged = await mergeRows(change)
    // The merge may have taken minutes, in which the party can be suspended. It can not any more:
    // its row is held.
    await request.checkAgain?.()
    await endProgress()
    await complete(client, request, report, merged, now())
    return merged
  })
}

/** The error that the client gets. */
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

/**
 * The record ends in the import's own transaction, so that an import is completed exactly when its
 * rows are committed. An import that was taken for dead commits nothing.
 */
async function complete(
  client: PoolClient,
  { importId, partyId, developerId, actor, onError }: RunningImport,
  { bytesRead, rowsRead, rowsRefused, errorCount, errors, warnings }: ImportReport,
  { rowsCreated, rowsUpdated }: Merged,
  now: Date,
): Promise<void> {
  const { rowCount } = await client.query(
    `UPDATE product_imports SET status = 'completed', live = NULL, bytes_read = $2, rows_read = $3,
       rows_refused = $4, rows_created = $5, rows_updated = $6, error_count = $7, errors = $8,
       warnings = $9, updated_at = $10, finished_at = $10
     WHERE id = $1 AND live`,
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
  if (rowCount === 0) throw importDied()
  await client.query('DELETE FROM import_chunks WHERE import_id = $1', [importId])
  const rowsUnchanged = unchangedOf({ rowsRead, rowsRefused, rowsCreated, rowsUpdated })
  await recordAuditSql(client, {
    actor,
    action: 'products.imported',
    subject: { kind: 'product_import', id: importId },
    developerId,
    partyId,
    after: { onError, rowsRead, rowsCreated, rowsUpdated, rowsUnchanged, rowsRefused },
  })
}
