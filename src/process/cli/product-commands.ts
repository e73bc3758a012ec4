import { randomUUID } from 'node:crypto'
import { open } from 'node:fs/promises'
import { COMMAND_LINE } from '../../base/values/actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError, type LineError } from '../../errors.ts'
import { gunzip } from '../../marketplace/products/import/gunzip.ts'
import type { ImportResult } from '../../marketplace/products/import/import-record.ts'
import type { ImportFormat } from '../../marketplace/products/import/import-rows.ts'
import { importProducts } from '../../marketplace/products/import/import-service.ts'
import type { CommandTable } from './command.ts'
import { UsageError, wholeNumber, withMarketplace } from './marketplace.ts'
import { progressBar } from './progress-bar.ts'

const CHUNK_BYTES = 65_536
const FORMATS: ReadonlyMap<string | undefined, ImportFormat> = new Map([
  ['csv', 'text/csv'],
  ['ndjson', 'application/x-ndjson'],
  ['jsonl', 'application/x-ndjson'],
])

/** Why a file cannot be opened, by the code of the system's error. */
const UNREADABLE: ReadonlyMap<string | undefined, string> = new Map([
  ['ENOENT', 'it does not exist'],
  ['ENOTDIR', 'it does not exist'],
  ['EACCES', 'you have no permission to read it'],
  ['EPERM', 'you have no permission to read it'],
  ['EMFILE', 'this process has too many files open'],
])

/** Commands that import products for a Seller. */
export const PRODUCT_COMMANDS: CommandTable = {
  'products import': {
    usage: 'products import FILE --party ID [--on-error skip]',
    does: 'Import a .csv or .ndjson file, or one of these with .gz, as the products of a Seller.',
    options: ['party', 'on-error'],
    required: ['party'],
    files: 1,
    run: ({ options: { party = '', 'on-error': onError = 'refuse' }, files: [file = ''] }) => {
      const partyId = wholeNumber(party, '--party')
      if (onError !== 'refuse' && onError !== 'skip') {
        throw new UsageError('--on-error takes refuse or skip.')
      }
      return withMarketplace((deps) => importFile(deps, file, partyId, onError))
    },
  },
}

async function importFile(
  deps: Deps,
  file: string,
  partyId: number,
  onError: 'refuse' | 'skip',
): Promise<unknown> {
  const name = file.toLowerCase()
  const isCompressed = name.endsWith('.gz')
  const format = FORMATS.get(name.replace(/\.gz$/, '').split('.').at(-1))
  if (format === undefined) {
    throw new UsageError(
      'The file must end in .csv, .ndjson or .jsonl, or in one of these and .gz.',
    )
  }
  const party = await deps.db.party.findUnique({ where: { id: partyId } })
  if (party === null) throw refused(`There is no party ${partyId}.`)
  if (party.type === 'Buyer') throw refused('A Buyer has no products of its own.')
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw refused(`The file ${file} cannot be read: ${UNREADABLE.get(error.code) ?? error.code}.`)
  })
  const info = await handle.stat()
  if (info.isDirectory()) {
    await handle.close()
    throw refused(`The file ${file} cannot be read: it is a directory.`)
  }
  const stream = handle.createReadStream({ highWaterMark: CHUNK_BYTES })
  const bar = progressBar()
  try {
    const result = await importProducts(deps, {
      importId: randomUUID(),
      partyId,
      installationId: null,
      format,
      onError,
      source: isCompressed ? gunzip(stream) : stream,
      actor: COMMAND_LINE,
      onProgress: ({ rowsRead }) =>
        bar.show(stream.bytesRead, info.size, `${rowsRead.toLocaleString('en')} rows`, 'merging'),
    })
    bar.end(wordsOf(result))
    return result
  } catch (error) {
    throw withLines(error)
  } finally {
    bar.end()
    stream.destroy()
  }
}

/** Counts what happened to the rows: "33 read, 0 created, 0 updated, 33 unchanged, 0 refused". */
function wordsOf(result: ImportResult): string {
  const { rowsRead, rowsCreated, rowsUpdated, rowsUnchanged, rowsRefused } = result
  return `${rowsRead} read, ${rowsCreated} created, ${rowsUpdated} updated, ${rowsUnchanged} unchanged, ${rowsRefused} refused`
}

/** The error when the command line is right but the command cannot be carried out. */
function refused(detail: string): AppError {
  return new AppError('unprocessable', { detail })
}

/** Puts the line number into the pointer, because the command line prints only pointers. */
function withLines(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'import_refused') return error
  const errors = (error.options.errors ?? []) as readonly LineError[]
  return new AppError(error.code, {
    ...error.options,
    errors: errors.map(({ line, pointer, detail }) => ({
      pointer: `/line ${line}${pointer.replace('/', ' ')}`,
      detail,
    })),
  })
}
