import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

/** A database of a test's own; `drop` takes it away, whoever is connected. */
export type TestDatabase = { url: string; drop(): Promise<void> }

/** The same server, another database. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url.replace('@/', '@localhost/'))
  changed.pathname = `/${database}`
  return url.includes('@/') ? changed.href.replace('@localhost/', '@/') : changed.href
}

/** Clones the migrated template; `empty` gives a database with nothing in it. */
export function createTestDatabase({ empty = false } = {}): Promise<TestDatabase> {
  return cloneDatabase(empty ? 'template0' : inject('templateDatabase'))
}

/** Clones the database in which the demo marketplace was made; its secrets need `secretKey`. */
export async function createDemoDatabase() {
  const { database, secretKey, demo } = inject('demoTemplate')
  return { ...(await cloneDatabase(database)), secretKey, demo: structuredClone(demo) }
}

async function cloneDatabase(template: string): Promise<TestDatabase> {
  const serverUrl = inject('serverUrl')
  // The end of the run drops what is left over: databases that end with their worker.
  const name = `${inject('templateDatabase')}_${randomBytes(6).toString('hex')}`
  // As files: through the write-ahead log it costs almost three times as much.
  const create = `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`
  await runPatiently(serverUrl, create)
  return {
    url: withDatabase(serverUrl, name),
    drop: () => runPatiently(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  }
}

/** Runs a statement without the time limits that the connections of a server have. */
export async function runPatiently(
  url: string,
  sql: string,
  values: unknown[] = [],
): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql, values)
  } finally {
    await client.end()
  }
}
