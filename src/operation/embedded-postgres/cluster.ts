import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { replaceFile, syncDirectory } from '../../base/files/durable-file.ts'
import { NOBODY, ownOwner } from './as-ordinary-user.ts'
import { chownTo, ensureOwner, isRoot } from './as-root.ts'
import { EmbeddedPostgresError } from './data-directory.ts'
import { type Runner, run } from './runner.ts'

const REMOVE = { recursive: true, force: true, maxRetries: 3 }

/**
 * Finds the directory with the database files ("cluster") of `dataDir`: inside, where it need not
 * exist yet; or where the file `postgres.location` says, as that of release 0.1.0 may.
 *
 * @throws EmbeddedPostgresError when it is another user's, or the recorded one is gone
 */
export function locateCluster(dataDir: string): string {
  const record = join(dataDir, 'postgres.location')
  const recorded = existsSync(record) ? readFileSync(record, 'utf8').trim() : undefined
  const cluster = recorded ?? join(dataDir, 'postgres')
  if (existsSync(cluster)) requireOwner(cluster)
  if (recorded !== undefined && !existsSync(join(cluster, 'PG_VERSION'))) {
    throw new EmbeddedPostgresError(
      `The database of ${dataDir} lies in ${cluster}, says ${record}, but is not there. ` +
        'Restore that directory; or delete the file to begin with an empty database.',
    )
  }
  return cluster
}

/** Root would take the data of an ordinary user along to where that user cannot read it. */
function requireOwner(cluster: string): void {
  const { uid } = statSync(cluster)
  const own = ownOwner().uid
  if (uid === own || (isRoot() && uid === NOBODY.uid)) return
  const maker = uid === NOBODY.uid ? 'root' : `that user (sudo -u '#${uid}' ...)`
  throw new EmbeddedPostgresError(
    `The database in ${cluster} belongs to the user with id ${uid}, and this runs as ${own}. ` +
      `Run it as ${maker}, or give the directory to this user (chown -R ${own}).`,
  )
}

type Preparation = { dataDir: string; cluster: string; runner: Runner; durable: boolean }

/**
 * Makes `cluster` a complete database cluster where Postgres can use it, owned by the user that
 * Postgres runs as. Keeps an existing one.
 *
 * @param options `durable: false` skips the flush to the disk
 * @returns the superuser's password
 * @throws EmbeddedPostgresError when the cluster is of another major version of Postgres
 */
export async function prepareCluster(options: Preparation): Promise<string> {
  const { dataDir, cluster, runner } = options
  const isNew = isMissingOrEmpty(cluster)
  // What a killed initdb left; the caller holds the lock.
  const unfinished = readdirSync(dataDir).filter((name) => name.startsWith('postgres.init-'))
  for (const name of unfinished) rmSync(join(dataDir, name), REMOVE)
  const file = join(dataDir, 'postgres.password')
  const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  const password = kept || newPassword()
  const save = () => replaceFile(file, `${password}\n`)
  if (isNew) {
    // Saved before the cluster exists, so that a crash leaves no cluster with an unknown password.
    await save()
    await initCluster(options, password)
    return password
  }
  checkMajorVersion(cluster, runner)
  ensureOwner(cluster, runner.owner)
  if (kept === '') {
    const sql = `ALTER ROLE postgres PASSWORD '${password}'\n`
    await run(runner, [runner.postgres, '--single', '-D', cluster, 'postgres'], sql)
    await save()
  }
  return password
}

/** Random hexadecimal digits: safe in SQL and in addresses. */
export function newPassword(): string {
  return randomBytes(24).toString('hex')
}

/** Whether there is no cluster yet. Something else in its place is an error. */
function isMissingOrEmpty(cluster: string): boolean {
  if (!existsSync(cluster)) return true
  if (existsSync(join(cluster, 'PG_VERSION'))) return false
  if (readdirSync(cluster).length === 0) return true
  throw new EmbeddedPostgresError(
    `${cluster} holds files but no database. Move it away, or set DATA_DIR to another directory.`,
  )
}

function checkMajorVersion(cluster: string, runner: Runner): void {
  const found = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  const ours = runner.version.split('.')[0]
  if (found === ours) return
  throw new EmbeddedPostgresError(
    `The database in ${cluster} was made by Postgres ${found}, and this release brings ` +
      `Postgres ${ours}, which cannot read it. Start it with the release that made it, export it ` +
      'with pg_dump, and import that into a new one; or set DATA_DIR to another directory, or ' +
      `DATABASE_URL to a Postgres ${found} server.`,
  )
}

/**
 * Builds the cluster under a temporary name and renames it. Ours because an initdb that is killed
 * leaves half a cluster.
 */
async function initCluster(options: Preparation, password: string): Promise<void> {
  const { cluster, runner, durable } = options
  const workspace = mkdtempSync(`${cluster}.init-`)
  const passwordFile = join(workspace, 'password')
  const data = join(workspace, 'data')
  try {
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 })
    for (const path of [workspace, passwordFile]) chownTo(path, runner.owner)
    await run(runner, [
      runner.initdb,
      `--pgdata=${data}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // The sort order of Postgres itself does not change with the operating system's libraries.
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
      ...(durable ? [] : ['--no-sync']),
    ])
    renameSync(data, cluster)
    await syncDirectory(dirname(cluster))
  } finally {
    rmSync(workspace, REMOVE)
  }
}
