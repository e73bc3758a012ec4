import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/base/database/migrate.ts'
import { createLogger } from '../../src/base/log/logger.ts'
import { loadConfig } from '../../src/config.ts'
import { startEmbeddedPostgres } from '../../src/operation/embedded-postgres/embedded-postgres.ts'
import type { Demo } from '../../src/process/demo/demo-file.ts'
import { createDemo } from '../../src/process/demo/demo-service.ts'
import { openRuntime } from '../../src/process/start/runtime.ts'
import { CHEAP_HASHES } from './cheap-hashes.ts'
import { withDatabase } from './database.ts'
import { fanOutAll } from './fan-out.ts'
import { fastestDirectory } from './fastest-directory.ts'

/** The demo marketplace was made once: each test file gets a copy of its database. */
type DemoTemplate = { database: string; secretKey: string; demo: Demo }

declare module 'vitest' {
  interface ProvidedContext {
    /** A Postgres server in which tests may create databases. */
    serverUrl: string
    /** A migrated database to be cloned. */
    templateDatabase: string
    /** A database with the demo marketplace, to be cloned. */
    demoTemplate: DemoTemplate
  }
}

/** Starts a Postgres for the whole run, or uses TEST_DATABASE_URL, and migrates a template. */
export default async function setup(project: TestProject) {
  const server = await openServer()
  const templateDatabase = `template_${randomBytes(6).toString('hex')}`
  const admin = new pg.Client({ connectionString: server.url })
  await admin.connect()
  await admin.query(`CREATE DATABASE ${templateDatabase}`)
  await migrate(withDatabase(server.url, templateDatabase))
  project.provide('serverUrl', server.url)
  project.provide('templateDatabase', templateDatabase)
  const demoTemplate = await makeDemo(admin, server.url, templateDatabase)
  project.provide('demoTemplate', demoTemplate)

  return async () => {
    const { rows } = await admin.query<{ name: string }>(
      'SELECT datname AS name FROM pg_database WHERE strpos(datname, $1) > 0',
      [templateDatabase],
    )
    for (const { name } of rows) await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await admin.end()
    await server.close()
  }
}

async function makeDemo(
  admin: pg.Client,
  serverUrl: string,
  templateDatabase: string,
): Promise<DemoTemplate> {
  const database = `demo_${templateDatabase}`
  const secretKey = randomBytes(32).toString('base64')
  await admin.query(`CREATE DATABASE ${database} TEMPLATE ${templateDatabase}`)
  const url = withDatabase(serverUrl, database)
  const config = loadConfig({ DATABASE_URL: url, SECRET_KEY: secretKey, LOG_LEVEL: 'silent' })
  const runtime = await openRuntime(
    config,
    createLogger(config),
    { url, close: async () => {} },
    {
      hashCost: CHEAP_HASHES,
    },
  )
  try {
    const demo = await createDemo(runtime.deps, async () => {})
    if (demo === undefined) throw new Error('the template is not empty')
    const developers = await runtime.deps.db.developer.findMany()
    for (const { id } of developers) await fanOutAll(runtime.deps, id)
    return { database, secretKey, demo }
  } finally {
    await runtime.close()
  }
}

async function openServer(): Promise<{ url: string; close(): Promise<void> }> {
  const url = process.env.TEST_DATABASE_URL
  if (url) return { url, close: async () => {} }
  const dataDir = await mkdtemp(join(await fastestDirectory(), 'app-marketplace-test-'))
  // Nothing is analysed or cleaned up in the middle of a test: plans are the same in every run.
  const settings = { fsync: 'off', max_connections: '300', autovacuum: 'off' }
  const postgres = await startEmbeddedPostgres({ dataDir, settings })
  return {
    url: postgres.superuserConnectionString,
    async close() {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
