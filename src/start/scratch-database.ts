import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Config } from '../config.ts'
import { openConnection } from '../database/single-connection.ts'
import { endAbandoned } from '../embedded-postgres/abandoned.ts'
import { startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts'
import { ownOwner } from '../embedded-postgres/owner.ts'
import { OperatorError } from '../errors.ts'

const NOT_ALLOWED = '42501'
const SCRATCH = 'app-marketplace-scratch-'

/** There is no place to try something; the message is for the operator. */
class ScratchDatabaseError extends OperatorError {}

/**
 * Runs work on an empty database that is taken away afterwards: on the server of DATABASE_URL, or,
 * without one, in an embedded Postgres of its own.
 *
 * @throws ScratchDatabaseError when the role of DATABASE_URL may not make databases
 */
export function withScratchDatabase<T>(
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  work: (url: string) => Promise<T>,
): Promise<T> {
  return databaseUrl === undefined ? inOwnPostgres(work) : besideDatabase(databaseUrl, work)
}

async function inOwnPostgres<T>(work: (url: string) => Promise<T>): Promise<T> {
  await removeAbandoned()
  const parent = await mkdtemp(join(tmpdir(), SCRATCH))
  const dataDir = join(parent, 'data')
  const remove = () => removeScratch(parent, dataDir)
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } })
    // For a process that ends by a signal: Postgres has been told to end by then.
    process.on('exit', remove)
    try {
      return await work(postgres.connectionString)
    } finally {
      await postgres.stop()
    }
  } finally {
    process.off('exit', remove)
    remove()
  }
}

/** Removes what killed processes have left, with the Postgres in it. What is in use stays. */
async function removeAbandoned(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(SCRATCH))
  for (const parent of names.map((name) => join(tmpdir(), name))) {
    const dataDir = join(parent, 'data')
    try {
      // Somebody else's directory could name any other one as the place of its data.
      const isOurs = lstatSync(parent).uid === ownOwner().uid
      if (isOurs && (await endAbandoned(dataDir))) removeScratch(parent, dataDir)
    } catch {
      // A process uses it or is removing it, or it cannot be removed: this only tidies up.
    }
  }
}

function removeScratch(parent: string, dataDir: string): void {
  const elsewhere = join(dataDir, 'postgres.location')
  if (existsSync(elsewhere)) {
    rmSync(dirname(readFileSync(elsewhere, 'utf8').trim()), { recursive: true, force: true })
  }
  rmSync(parent, { recursive: true, force: true, maxRetries: 5 })
}

async function besideDatabase<T>(url: string, work: (url: string) => Promise<T>): Promise<T> {
  const name = `app_marketplace_scratch_${randomBytes(6).toString('hex')}`
  await onServer(url, `CREATE DATABASE ${name} TEMPLATE template0`)
  try {
    return await work(withDatabase(url, name))
  } finally {
    await onServer(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  }
}

/** The same server and role, another database. */
function withDatabase(url: string, database: string): string {
  const changed = new URL(url.replace('@/', '@localhost/'))
  changed.pathname = `/${database}`
  return url.includes('@/') ? changed.href.replace('@localhost/', '@/') : changed.href
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = await openConnection(url)
  try {
    await client.query(sql)
  } catch (error) {
    if ((error as { code?: string }).code !== NOT_ALLOWED) throw error
    throw new ScratchDatabaseError(
      'The role of DATABASE_URL may not make databases. Allow it with ALTER ROLE ... CREATEDB, or ' +
        'unset DATABASE_URL: then the embedded Postgres is used.',
      { cause: error },
    )
  } finally {
    await client.end()
  }
}
