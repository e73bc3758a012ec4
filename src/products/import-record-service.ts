import { violatedConstraint } from '../database/failures.ts'
import type { ProductImport } from '../database/generated/client.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import type { Page, PageRequest } from '../page.ts'
import {
  IMPORT_RECORD_DAYS,
  type ImportProblem,
  type ImportRecord,
  type ImportReport,
  type LineError,
} from './import.ts'

const PROGRESS_MS = 1_000
/** An import that says nothing for so long has died with its server. */
const SILENT_MS = 60_000
const DAY_MS = 86_400_000

const DIED: ImportProblem = {
  code: 'unavailable',
  detail:
    'The server stopped during the import, or lost its database. Nothing was imported: send the file again.',
}

type ImportKey = { importId: string; partyId: number; installationId: string | null }

/**
 * Makes the record of an import that begins, and removes those of the party that are too old.
 *
 * @throws AppError already_exists when the id was used
 */
export async function createImport(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { importId: id, partyId, installationId }: ImportKey,
): Promise<void> {
  const until = new Date(now().getTime() - IMPORT_RECORD_DAYS * DAY_MS)
  await db.productImport.deleteMany({ where: { partyId, updatedAt: { lt: until } } })
  try {
    await db.productImport.create({
      data: { id, partyId, installationId, startedAt: now(), updatedAt: now() },
    })
  } catch (error) {
    if (violatedConstraint(error) === undefined) throw error
    throw new AppError('already_exists', {
      detail: 'There was an import of this id; choose another.',
      cause: error,
    })
  }
}

/**
 * Writes down about every second how far an import is, outside its transaction, so that others
 * see it.
 *
 * @returns ends that; resolves when nothing more will be written
 */
export function showProgress(
  { db, now, log }: Pick<Deps, 'db' | 'now' | 'log'>,
  id: string,
  report: ImportReport,
): () => Promise<void> {
  let writing = Promise.resolve()
  const timer = setInterval(() => {
    writing = writing.then(async () => {
      try {
        await db.productImport.update({
          where: { id },
          data: { ...countsOf(report), updatedAt: now() },
        })
      } catch (error) {
        log.warn({ err: error, importId: id }, 'the progress of an import was not written')
      }
    })
  }, PROGRESS_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    return writing
  }
}

/** What the record has of the report. */
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

/** Writes down that an import left nothing behind, and why. */
export async function markUnfinished(
  { db, now, log }: Pick<Deps, 'db' | 'now' | 'log'>,
  id: string,
  status: 'refused' | 'failed',
  report: ImportReport,
  problem: ImportProblem,
): Promise<void> {
  const time = now()
  try {
    await db.productImport.update({
      where: { id },
      data: { ...countsOf(report), status, problem, updatedAt: time, finishedAt: time },
    })
  } catch (error) {
    log.warn({ err: error, importId: id, status }, 'the end of an import was not written')
  }
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
  const rows = await db.productImport.findMany({
    where: {
      partyId,
      ...(after && { OR: [{ startedAt: { lt: startedAt } }, { startedAt, id: { lt: id } }] }),
    },
    orderBy: [{ startedAt: 'desc' }, { id: 'desc' }],
    take: limit + 1,
  })
  const kept = rows.slice(0, limit)
  const last = kept.at(-1)
  return {
    entries: kept.map((row) => recordOf(row, now())),
    next: rows.length > limit && last ? [last.startedAt.getTime(), last.id] : undefined,
  }
}

function recordOf(row: ProductImport, now: Date): ImportRecord {
  const hasDied = row.status === 'running' && now.getTime() - row.updatedAt.getTime() > SILENT_MS
  const warnings = row.warnings as LineError[]
  return {
    importId: row.id,
    status: hasDied ? 'failed' : (row.status as ImportRecord['status']),
    bytesRead: Number(row.bytesRead),
    rowsRead: Number(row.rowsRead),
    rowsCreated: Number(row.rowsCreated),
    rowsUpdated: Number(row.rowsUpdated),
    rowsRefused: Number(row.rowsRefused),
    errorCount: Number(row.errorCount),
    errors: row.errors as LineError[],
    ...(warnings.length > 0 && { warnings }),
    problem: hasDied ? DIED : (row.problem as ImportProblem | null),
    startedAt: row.startedAt,
    updatedAt: row.updatedAt,
    finishedAt: hasDied ? row.updatedAt : row.finishedAt,
  }
}
