import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../src/database/embedded.ts'
import { migrate } from '../../src/database/migrate.ts'
import { withDatabase } from './database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A Postgres server in which tests may create databases. */
    serverUrl: string
    /** A migrated database to be cloned. */
    templateDatabase: string
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

  return async () => {
    await admin.query(`DROP DATABASE IF EXISTS ${templateDatabase} WITH (FORCE)`)
    await admin.end()
    await server.close()
  }
}

async function openServer(): Promise<{ url: string; close(): Promise<void> }> {
  const url = process.env.TEST_DATABASE_URL
  if (url) return { url, close: async () => {} }
  const dataDir = await mkdtemp(join(tmpdir(), 'app-marketplace-test-'))
  const settings = { fsync: 'off', max_connections: '300' }
  const postgres = await startEmbeddedPostgres({ dataDir, settings })
  return {
    url: postgres.superuserConnectionString,
    async close() {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
