import { randomBytes } from 'node:crypto'
import { link, lstat, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { ClientBase } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Migration } from '../../base/database/migration-files.ts'
import { syncDirectory } from '../../base/files/durable-file.ts'
import { keyFingerprint, type SecretBox } from '../../base/secrets/secret-box.ts'
import { BackupError } from './archive.ts'
import { appliedMigrations, archiveEntries } from './contents-service.ts'
import { type BackupFacts, factsEntry, rowsIn } from './facts.ts'
import { fillSteps } from './fill-steps-service.ts'
import { createSealer } from './seal.ts'
import { openSomeSecrets } from './secrets-check-service.ts'
import { copyOut, sequencesOf, type Table, tablesOf } from './tables-service.ts'
import { archiveHead, dataBlock, idOf } from './write-archive.ts'

/** Only its owner may read it: it holds every secret of the marketplace, encrypted and hashed. */
const OWNER_ONLY = 0o600
const NEWLINE = 10
/** What the name of a draft has after that of its file and a dot. */
const DRAFT_END = /^[0-9a-f]{12}\.tmp$/
/** A draft that nobody has written to for this long was left by a backup that was killed. */
const DRAFT_LEFT_MS = 3_600_000

type BackupDeps = {
  /** A connection of the backup's own. */
  client: ClientBase
  migrations: readonly Migration[]
  secrets: SecretBox
  /** Seals the backup. */
  secretKey: string
  /** Such as `app-marketplace 0.1.0`. */
  release: string
  now: Date
}
type WrittenFacts = Omit<BackupFacts, 'format'>
type BackupInput = { file: string; onProgress(done: number, total: number): void }

/**
 * Writes everything in the database, as it is at one moment, to a new file. Servers may go on.
 * Nothing but a complete backup ever has the file's name. What killed backups of this name have left
 * is removed.
 *
 * @throws BackupError when the file is there already, its directory is not, or SECRET_KEY is not
 *   that of the database
 */
export async function writeBackup(
  deps: BackupDeps,
  { file, onProgress }: BackupInput,
): Promise<WrittenFacts & { bytes: number }> {
  // In a container every attempt has the same process id: what a killed one has left would be in the way.
  const draft = `${file}.${randomBytes(6).toString('hex')}.tmp`
  await requireDirectory(dirname(file))
  await removeLeftDrafts(file, deps.now)
  await refuseExisting(file)
  const handle = await open(draft, 'wx', OWNER_ONLY).catch(cannotWrite)
  try {
    let bytes = 0
    const sealer = createSealer(deps.secretKey)
    const write = async (chunk: Buffer) => {
      bytes += chunk.length
      await handle.writeFile(chunk)
    }
    const writeSealed = (chunk: Buffer) => {
      sealer.update(chunk)
      return write(chunk)
    }
    const facts = await inSnapshot(deps.client, () => writeArchive(deps, writeSealed, onProgress))
    await write(sealer.seal())
    await handle.sync()
    await handle.close()
    await giveName(draft, file)
    // Not all network drives can, and the directory need not be readable.
    await syncDirectory(dirname(file)).catch(() => {})
    return { ...facts, bytes }
  } catch (error) {
    await handle.close().catch(() => {})
    await rm(draft, { force: true })
    throw error
  }
}

/** A backup makes no directory: a mistyped one, or a disk that is not mounted, would get the file. */
async function requireDirectory(path: string): Promise<void> {
  const info = await stat(path).catch(() => undefined)
  if (info?.isDirectory() === true) return
  throw new BackupError(`The directory ${path} is not there. Make it, or name another one.`)
}

async function refuseExisting(file: string): Promise<void> {
  // Also one that may not be read, and a link that leads nowhere.
  const isThere = await lstat(file).then(
    () => true,
    () => false,
  )
  if (isThere) throw alreadyThere(file)
}

/** Gives a draft the name of its file. Of two backups that end at once, one gets it. */
async function giveName(draft: string, file: string): Promise<void> {
  try {
    await link(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw alreadyThere(file)
    // Some file systems have no hard links, such as FAT and those of some network drives.
    await refuseExisting(file)
    await rename(draft, file).catch(cannotWrite)
    return
  }
  await rm(draft)
}

/** Removes what killed backups of this name have left. What cannot be removed stays. */
async function removeLeftDrafts(file: string, now: Date): Promise<void> {
  const before = now.getTime() - DRAFT_LEFT_MS
  const [directory, beginning] = [dirname(file), `${basename(file)}.`]
  const names = await readdir(directory).catch(() => [])
  for (const name of names) {
    if (!name.startsWith(beginning) || !DRAFT_END.test(name.slice(beginning.length))) continue
    const draft = join(directory, name)
    const { mtimeMs = before } = (await lstat(draft).catch(() => undefined)) ?? {}
    if (mtimeMs < before) await rm(draft, { force: true }).catch(() => {})
  }
}

function alreadyThere(file: string): BackupError {
  return new BackupError(`${file} is there already. Give the backup another name.`)
}

function cannotWrite(error: Error): never {
  throw new BackupError(`The backup cannot be written: ${error.message}.`, { cause: error })
}

async function inSnapshot<T>(client: ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query(`
    SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0;
    SET client_encoding = 'UTF8'; SET search_path = '';
    BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`)
  const result = await work()
  await client.query('COMMIT')
  return result
}

async function writeArchive(
  deps: BackupDeps,
  write: (chunk: Buffer) => Promise<void>,
  onProgress: BackupInput['onProgress'],
): Promise<WrittenFacts> {
  const { client, migrations, secretKey, release, now } = deps
  const tables = await tablesOf(client)
  const applied = await appliedMigrations(client, tables, migrations)
  const sequences = await sequencesOf(client)
  const contents = archiveEntries(tables, applied, await fillSteps(client, tables, sequences))
  await openSomeSecrets(client, deps.secrets)
  const rowCounts = await countRows(client, tables)
  const facts: WrittenFacts = {
    release,
    madeAt: now.toISOString(),
    migrations: applied.map(({ name, checksum }) => ({ name, checksum })),
    keyFingerprint: keyFingerprint(secretKey),
    tables: Object.fromEntries(
      tables.map(({ tag, columns }) => [tag, { rows: rowCounts[tag] ?? 0, columns }]),
    ),
    sequences: Object.fromEntries(
      sequences.flatMap(({ tag, last }) => (last === null ? [] : [[tag, last]])),
    ),
  }
  const entries = [factsEntry(facts), ...contents]
  const { database, server } = await serverOf(client)
  const head = { database, serverVersion: server, madeBy: release, madeAt: now, entries }
  await write(archiveHead(head))
  const total = rowsIn(facts)
  let done = 0
  for (const table of tables) {
    const id = idOf(entries.findIndex(({ copy, tag }) => copy !== '' && tag === table.tag))
    const rows = counted(client.query(copyTo(copyOut(table))), (count) => {
      done += count
    })
    for await (const chunk of dataBlock(id, rows)) {
      await write(chunk)
      onProgress(done, total)
    }
  }
  onProgress(total, total)
  return facts
}

/** Passes rows on and says how many there were: in COPY's text only the end of a row is a newline. */
async function* counted(
  rows: AsyncIterable<Buffer>,
  onRows: (count: number) => void,
): AsyncGenerator<Buffer> {
  for await (const chunk of rows) {
    let count = 0
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) count += 1
    onRows(count)
    yield chunk
  }
}

/** How many rows each table has. */
export async function countRows(
  client: ClientBase,
  tables: readonly Table[],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { name, tag } of tables) {
    const { rows } = await client.query<{ count: string }>(`SELECT count(*) FROM ${name}`)
    counts[tag] = Number(rows[0]?.count)
  }
  return counts
}

async function serverOf(client: ClientBase) {
  const { rows } = await client.query<{ database: string; server: string }>(
    `SELECT current_database() AS database, current_setting('server_version') AS server`,
  )
  return { database: rows[0]?.database ?? '', server: rows[0]?.server ?? '' }
}
