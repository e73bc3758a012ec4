import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

const MIGRATIONS = new URL('../../../prisma/migrations/', import.meta.url)
/** Name of a migration's directory: a timestamp and what it is about. */
const MIGRATION_NAME = /^\d{14}_\w+$/

/** The lock of Prisma's own migration engine, so that both exclude each other. */
export const MIGRATION_LOCK_ID = 72_707_369

/** A step of the schema; `checksum` is the SHA-256 of its file. */
export type Migration = { name: string; sql: string; checksum: string }

/** The table in which Prisma Migrate records what was applied. */
export const BOOKKEEPING_SQL = `
    CREATE TABLE IF NOT EXISTS _prisma_migrations (
      id                  VARCHAR(36) PRIMARY KEY NOT NULL,
      checksum            VARCHAR(64) NOT NULL,
      finished_at         TIMESTAMPTZ,
      migration_name      VARCHAR(255) NOT NULL,
      logs                TEXT,
      rolled_back_at      TIMESTAMPTZ,
      started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
      applied_steps_count INTEGER NOT NULL DEFAULT 0
    )`

/** The migrations of this release, in their order. */
export async function readMigrations(): Promise<Migration[]> {
  return Promise.all(
    (await migrationNames()).map(async (name) => {
      const sql = await readFile(new URL(`${name}/migration.sql`, MIGRATIONS), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/** What is said of a database that has such a migration. */
export const NO_RELEASE =
  'This database was made by a version before 0.1.0, which had no release. Export what you need ' +
  'with that version, and begin with an empty database.'

/** Whether a migration is from before the first release, which had all of its schema in one. */
export function isFromBefore([first]: readonly Migration[], name: string): boolean {
  return first !== undefined && name < first.name
}

/** Name of the last migration of this release. */
export async function newestMigration(): Promise<string> {
  return (await migrationNames()).at(-1) ?? ''
}

async function migrationNames(): Promise<string[]> {
  return (await readdir(MIGRATIONS)).filter((name) => MIGRATION_NAME.test(name)).sort()
}
