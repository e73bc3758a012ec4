import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import pkg from '../../../package.json' with { type: 'json' }
import { readMigrations } from '../../base/database/migration-files.ts'
import { SESSION_SETTINGS } from '../../base/database/session-settings.ts'
import { openConnection } from '../../base/database/single-connection.ts'
import { createSecretBox } from '../../base/secrets/secret-box.ts'
import { type Config, loadConfig } from '../../config.ts'
import { AppError } from '../../errors.ts'
import { BackupError } from '../../operation/backup/archive.ts'
import { writeBackup } from '../../operation/backup/backup-service.ts'
import { type BackupFacts, rowsIn, rowsOfTables } from '../../operation/backup/facts.ts'
import { restoreBackup } from '../../operation/backup/restore-service.ts'
import { type SealedFile, withSealedFile } from '../../operation/backup/sealed-file-service.ts'
import { locateCluster } from '../../operation/embedded-postgres/cluster.ts'
import { keptSecretKey } from '../start/data-dir.ts'
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
    run: ({ files: [file = ''] }) =>
      withBackup(loadConfig(), file, (backup) =>
        withScratchDatabase((url) => restore(backup, url)),
      ),
  },
  restore: {
    usage: 'restore FILE',
    does: 'Fill an empty database from a backup made with the same SECRET_KEY: all of it or nothing.',
    options: [],
    required: [],
    files: 1,
    run({ files: [file = ''] }) {
      const config = loadConfig()
      return withBackup(config, file, async (backup) => {
        const database = await joinDatabaseUrl(config)
        try {
          return await restore(backup, database.url)
        } finally {
          await database.close()
        }
      })
    },
  },
}

async function backUp(config: Config, file: string) {
  const [secretKey, previous] = await secretKeysOf(config)
  const secrets = createSecretBox(secretKey, previous)
  requireDatabase(config)
  const migrations = await readMigrations()
  const bar = progressBar()
  const database = await joinDatabaseUrl(config)
  try {
    return await withClient(database.url, async (client) => {
      const release = `${pkg.name} ${pkg.version}`
      const { bytes, ...facts } = await writeBackup(
        { client, migrations, secrets, secretKey, release, now: new Date() },
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

/** Without a database this command would make an empty one, such as in a mistyped DATA_DIR. */
function requireDatabase({ databaseUrl, dataDir }: Config): void {
  if (databaseUrl !== undefined || existsSync(join(locateCluster(dataDir), 'PG_VERSION'))) return
  throw new BackupError(
    `${dataDir} has no database. Set DATA_DIR to the directory of the server, or DATABASE_URL.`,
  )
}

type Backup = { file: string; sealed: SealedFile; secretKeys: SecretKeys }

/** Checks the seal of a backup before anything is done with it. */
async function withBackup<T>(
  config: Config,
  file: string,
  work: (backup: Backup) => Promise<T>,
): Promise<T> {
  const secretKeys = await secretKeysOf(config)
  const bar = progressBar()
  const onProgress = (done: number, total: number) => bar.show(done, total, 'checked', 'done')
  return withSealedFile({ file, secretKeys, onProgress }, (sealed) => {
    bar.end()
    return work({ file, sealed, secretKeys })
  })
}

async function restore({ file, sealed, secretKeys }: Backup, url: string) {
  const secrets = createSecretBox(secretKeys[0], secretKeys[1])
  const migrations = await readMigrations()
  const bar = progressBar()
  try {
    return await withClient(url, async (client) => {
      const { secretsDecrypted, ...facts } = await restoreBackup(
        { client, secrets, migrations },
        {
          sealed,
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
function told(facts: Omit<BackupFacts, 'format'>) {
  const { release, madeAt, migrations, keyFingerprint } = facts
  const schema = migrations.at(-1)?.name ?? ''
  const [rows, tables] = [rowsIn(facts), rowsOfTables(facts)]
  return { release, madeAt, schema, keyFingerprint, rows, tables }
}

type SecretKeys = [current: string] | [current: string, previous: string]

/** The keys of this marketplace. This function never makes a key: a new one would open nothing. */
async function secretKeysOf({
  secretKey,
  secretKeyPrevious,
  dataDir,
}: Config): Promise<SecretKeys> {
  const current = secretKey ?? (await keptSecretKey(dataDir))
  return secretKeyPrevious === undefined ? [current] : [current, secretKeyPrevious]
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
