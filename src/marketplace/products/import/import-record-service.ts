import { violatedConstraint } from '../../../base/database/failures.ts'
import { Prisma, type ProductImport } from '../../../base/database/generated/client.ts'
import { countThatFit, PLACE } from '../../../base/database/page-bytes.ts'
import { type Db, inSnapshot, inTransaction } from '../../../base/database/transaction.ts'
import type { Actor } from '../../../base/values/actor.ts'
import type { Page, PageRequest } from '../../../base/values/page-of-list.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, type LineError } from '../../../errors.ts'
import { tell } from '../../../identity/notifications/tell-service.ts'
import {
  DIED,
  IMPORT_RECORD_DAYS,
  type ImportProblem,
  type ImportRecord,
  type ImportReport,
  unchangedOf,
} from './import-record.ts'

const PROGRESS_MS = 1_000
/** A server touches the record of its import every second: after so long it has died. */
const SILENT_MS = 60_000
const RETRY_AFTER_SECONDS = 15
const DAY_MS = 86_400_000

type ImportKey = { importId: string; partyId: number; installationId: string | null }

/**
 * Makes the record of an import that begins, and removes the party's old records. While the import
 * is live the party has no other one, on any replica; imports that have died are ended first.
 *
 * @throws AppError import_running; already_exists when the id was used
 */
export async function createImport(
  deps: Pick<Deps, 'db' | 'pool' | 'now'>,
  { importId: id, partyId, installationId }: ImportKey,
): Promise<void> {
  const { db, now } = deps
  const until = new Date(now().getTime() - IMPORT_RECORD_DAYS * DAY_MS)
  await endDeadImports(deps)
  await db.productImport.deleteMany({ where: { partyId, updatedAt: { lt: until } } })
  try {
    await db.productImport.create({
      data: { id, partyId, installationId, live: true, startedAt: now(), updatedAt: now() },
    })
  } catch (error) {
    const constraint = violatedConstraint(error)
    if (constraint === undefined) throw error
    if (/live/.test(constraint)) throw await importRunning(deps, partyId, error)
    throw new AppError('already_exists', {
      detail: 'An import with this id exists already. Choose another id.',
      cause: error,
    })
  }
}

/** Ends the imports of servers that died, and removes the rows that they left behind. */
async function endDeadImports({ pool, now }: Pick<Deps, 'pool' | 'now'>): Promise<void> {
  const silentSince = new Date(now().getTime() - SILENT_MS)
  await pool.query(
    `UPDATE product_imports SET live = NULL, status = 'failed', problem = $1, finished_at = updated_at
     WHERE live AND updated_at < $2`,
    [JSON.stringify(DIED), silentSince],
  )
  await pool.query(
    'DELETE FROM import_chunks c USING product_imports i WHERE i.id = c.import_id AND i.live IS NULL',
  )
}

async function importRunning(
  { db }: Pick<Deps, 'db'>,
  partyId: number,
  cause: unknown,
): Promise<AppError> {
  const running = await db.productImport.findFirst({ where: { partyId, live: true } })
  return new AppError('import_running', {
    detail:
      'An account has one import at a time. Send the file again when the other one has ended.',
    members: running === null ? {} : { importId: running.id },
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  })
}

/** The problem of an import that was taken for dead, which may have been wrong. */
export function importDied(): AppError {
  return new AppError('unavailable', {
    detail: DIED.detail,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}

/**
 * Records the progress of an import about every second, outside its transaction, so that others see
 * it.
 *
 * @returns a function that ends this; it resolves when nothing more will be written
 */
export function showProgress(
  { db, now, log }: Pick<Deps, 'db' | 'now' | 'log'>,
  id: string,
  report: ImportReport,
): () => Promise<void> {
  let writing: Promise<void> | undefined
  const write = async () => {
    try {
      await db.productImport.updateMany({
        where: { id, live: true },
        data: { ...countsOf(report), updatedAt: now() },
      })
    } catch (error) {
      log.warn({ err: error, importId: id }, 'the progress of an import was not written')
    }
    writing = undefined
  }
  const timer = setInterval(() => {
    writing ??= write()
  }, PROGRESS_MS)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await writing
  }
}

/** The columns of the record that come from the report. */
function countsOf({
  bytesRead,
  rowsRead,
  rowsRefused,
  errorCount,
  errors,
  warnings,
}: ImportReport) {
  return { bytesRead, rowsRead, rowsRefused, errorCount, errors, warnings }
}

/**
 * Records that an import has failed, and why, and tells the admins of the account.
 *
 * @returns whether the import was live until now; false when it had been taken for dead
 */
export async function markUnfinished(
  { db, now, log }: Pick<Deps, 'db' | 'now' | 'log'>,
  { importId: id, partyId, actor }: { importId: string; partyId: number; actor: Actor },
  status: 'refused' | 'failed',
  report: ImportReport,
  problem: ImportProblem,
): Promise<boolean> {
  const time = now()
  try {
    // The record first, by itself: a server that is being stopped may have time for no more.
    const { count } = await db.productImport.updateMany({
      where: { id, live: true },
      data: {
        ...countsOf(report),
        live: null,
        status,
        problem,
        updatedAt: time,
        finishedAt: time,
      },
    })
    await inTransaction(db, async (tx) => {
      await tx.importChunk.deleteMany({ where: { importId: id } })
      const subject = { kind: 'product_import', id }
      if (count > 0) await tell(tx, { actor, action: 'import.refused', subject, partyId })
    })
    return count > 0
  } catch (error) {
    log.warn({ err: error, importId: id, status }, 'the end of an import was not written')
    return true
  }
}

/** What an import did to the products; undefined when it is not completed. */
export async function whatCompleted(
  { db }: Pick<Deps, 'db'>,
  id: string,
): Promise<{ rowsCreated: number; rowsUpdated: number } | undefined> {
  const row = await db.productImport.findFirst({ where: { id, status: 'completed' } })
  if (row === null) return undefined
  return { rowsCreated: Number(row.rowsCreated), rowsUpdated: Number(row.rowsUpdated) }
}

/**
 * How far an import of the party is, or how it ended.
 *
 * @throws AppError not_found
 */
export async function readImport(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  partyId: number,
  id: string,
): Promise<ImportRecord> {
  const row = await db.productImport.findFirst({ where: { id, partyId } })
  if (row === null) throw new AppError('not_found')
  return recordOf(row, now())
}

/** The imports of the party, newest first. */
export async function listImports(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  partyId: number,
  { after, limit }: PageRequest,
): Promise<Page<ImportRecord>> {
  const [startedAt, id] = [new Date(Number(after?.[0])), String(after?.[1])]
  return inSnapshot(db, async (tx) => {
    const found = await tx.productImport.findMany({
      where: {
        partyId,
        ...(after && { OR: [{ startedAt: { lt: startedAt } }, { startedAt, id: { lt: id } }] }),
      },
      select: { id: true },
      orderBy: NEWEST_FIRST,
      take: limit + 1,
    })
    const ids = found.map((row) => row.id)
    const fitting = Math.min(limit, await countImportsThatFit(tx, ids))
    const rows = await tx.productImport.findMany({
      where: { id: { in: ids.slice(0, fitting) } },
      orderBy: NEWEST_FIRST,
    })
    const last = found.length > fitting ? rows.at(-1) : undefined
    return {
      entries: rows.map((row) => recordOf(row, now())),
      next: last && [last.startedAt.getTime(), last.id],
    }
  })
}

const NEWEST_FIRST = [
  { startedAt: 'desc' },
  { id: 'desc' },
] satisfies Prisma.ProductImportOrderByWithRelationInput[]

/** How many imports, from the first on, a page may show. */
function countImportsThatFit(db: Db, ids: readonly string[]): Promise<number> {
  return countThatFit(
    db,
    Prisma.sql`
      SELECT octet_length(i.errors::text) + octet_length(i.warnings::text) AS bytes
      FROM product_imports i WHERE i.id = (${ids}::uuid[])[${PLACE}]`,
  )
}

function recordOf(row: ProductImport, now: Date): ImportRecord {
  const hasDied = row.status === 'running' && now.getTime() - row.updatedAt.getTime() > SILENT_MS
  const warnings = row.warnings as LineError[]
  const counts = {
    rowsRead: Number(row.rowsRead),
    rowsCreated: Number(row.rowsCreated),
    rowsUpdated: Number(row.rowsUpdated),
    rowsRefused: Number(row.rowsRefused),
  }
  return {
    importId: row.id,
    status: hasDied ? 'failed' : (row.status as ImportRecord['status']),
    bytesRead: Number(row.bytesRead),
    ...counts,
    rowsUnchanged: row.status === 'completed' ? unchangedOf(counts) : 0,
    errorCount: Number(row.errorCount),
    errors: row.errors as LineError[],
    ...(warnings.length > 0 && { warnings }),
    problem: hasDied ? DIED : (row.problem as ImportProblem | null),
    startedAt: row.startedAt,
    updatedAt: row.updatedAt,
    finishedAt: hasDied ? row.updatedAt : row.finishedAt,
  }
}
