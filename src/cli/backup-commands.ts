import type pg from 'pg'
import pkg from '../../package.json' with { type: 'json' }
import { BackupError } from '../backup/backup-error.ts'
import { writeBackup } from '../backup/backup-service.ts'
import { type BackupFacts, rowsIn } from '../backup/facts.ts'
import { restoreBackup } from '../backup/restore-service.ts'
import { type Config, loadConfig } from '../config.ts'
import { readMigrations } from '../database/migration-files.ts'
import { SESSION_SETTINGS } from '../database/session-settings.ts'
import { openConnection } from '../database/single-connection.ts'
import { AppError } from '../errors.ts'
import { createSecretBox, keyFingerprint } from '../secrets/secret-box.ts'
import { generatedSecretKey } from '../start/data-dir.ts'
import { joinDatabaseUrl } from '../start/runtime.ts'
import { withScratchDatabase } from '../start/scratch-database.ts'
import type { CommandTable } from './command.ts'
import { progressBar } from './progress-bar.ts'

/** Commands for backups of the whole database. */
export const BACKUP_COMMANDS: CommandTable = {
  backup: {
    usage: 'backup FILE',
    does: 'Write the whole database to a new file, as it is at one moment. Servers may run.',
    options: [],
    required: [],
    files: 1,
    run: ({ files: [file = ''] }) => backUp(loadConfig(), file),
  },
  'backup verify': {
    usage: 'backup verify FILE',
    does: 'Restore a backup into a scratch database, count its rows and decrypt secrets of it.',
    options: [],
    required: [],
    files: 1,
    run: ({ files: [file = ''] }) => {
      const config = loadConfig()
      return withScratchDatabase(config, (url) => restore(config, url, file))
    },
  },
  restore: {
    usage: 'restore FILE',
    does: 'Fill an empty database from a backup made with the same SECRET_KEY: all of it or nothing.',
    options: [],
    required: [],
    files: 1,
    async run({ files: [file = ''] }) {
      const config = loadConfig()
      const database = await joinDatabaseUrl(config)
      try {
        return await restore(config, database.url, file)
      } finally {
        await database.close()
      }
    },
  },
}

async function backUp(config: Config, file: string) {
  const { secrets, keyFingerprints } = await keysOf(config)
  const [fingerprint = ''] = keyFingerprints
  const migrations = await readMigrations()
  const bar = progressBar()
  const database = await joinDatabaseUrl(config)
  try {
    return await withClient(database.url, async (client) => {
      const release = `${pkg.name} ${pkg.version}`
      const deps = { client, migrations, secrets, keyFingerprint: fingerprint, release }
      const { bytes, ...facts } = await writeBackup(
        { ...deps, now: new Date() },
        {
          file,
          onProgress: (done, total) =>
            bar.show(done, total, `${total.toLocaleString('en')} rows`, 'done'),
        },
      )
      return { file, bytes, ...told(facts) }
    })
  } finally {
    bar.end()
    await database.close()
  }
}

async function restore(config: Config, url: string, file: string) {
  const { secrets, keyFingerprints } = await keysOf(config)
  const bar = progressBar()
  try {
    return await withClient(url, async (client) => {
      const { secretsDecrypted, ...facts } = await restoreBackup(
        { client, secrets, keyFingerprints },
        {
          file,
          onProgress: (done, total) => bar.show(done, total, 'read', 'making indexes'),
        },
      )
      return { file, ...told(facts), secretsDecrypted }
    })
  } finally {
    bar.end()
  }
}

/** The facts about a backup as the command prints them. */
function told({ format: _, tables, ...facts }: BackupFacts) {
  return { ...facts, rows: rowsIn({ tables }), tables }
}

/** The keys of this marketplace. This function never makes a key: a new one would open nothing. */
async function keysOf(config: Config) {
  const current = config.secretKey ?? (await generatedSecretKey(config.dataDir, async () => true))
  const keys = [current, ...(config.secretKeyPrevious ? [config.secretKeyPrevious] : [])]
  return {
    secrets: createSecretBox(current, config.secretKeyPrevious),
    keyFingerprints: keys.map(keyFingerprint),
  }
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await openConnection(url, 'app-marketplace backup')
  try {
    await client.query(SESSION_SETTINGS)
    return await work(client)
  } catch (error) {
    throw failureOfSystem(error)
  } finally {
    await client.end()
  }
}

/** Turns failures of Postgres, the network or the disk into messages for the operator. */
function failureOfSystem(error: unknown): unknown {
  const [cause] = error instanceof AggregateError ? error.errors : [error]
  const isOurs = !(cause instanceof Error) || !('code' in cause) || cause instanceof AppError
  return isOurs ? error : new BackupError(`It failed: ${cause.message}.`, { cause })
}
