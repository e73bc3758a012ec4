import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { replaceFile, syncDirectory } from '../../base/files/durable-file.ts'
import { EmbeddedPostgresError } from './error.ts'
import { chownTo, ensureOwner, isRoot, ownOwner, UNPRIVILEGED_OWNER } from './owner.ts'
import type { Program, Runner } from './runner.ts'

const run = promisify(execFile)

/**
 * Finds the directory with the database files ("cluster") of `dataDir`: inside it, or elsewhere when
 * the file `postgres.location` says so, as that of release 0.1.0 may. A cluster inside need not exist
 * yet.
 *
 * @throws EmbeddedPostgresError when the recorded cluster is gone or cannot be reached
 */
export function locateCluster(dataDir: string): string {
  const inside = join(dataDir, 'postgres')
  const record = join(dataDir, 'postgres.location')
  if (!existsSync(record)) {
    if (existsSync(inside)) requireOwnCluster(inside)
    return inside
  }
  const cluster = readFileSync(record, 'utf8').trim()
  if (!isRoot()) {
    throw new EmbeddedPostgresError(
      `The database of ${dataDir} was made by root and lies in ${cluster}. Start the server as ` +
        'root, or set DATA_DIR to another directory.',
    )
  }
  if (!existsSync(join(cluster, 'PG_VERSION'))) {
    throw new EmbeddedPostgresError(
      `The database of ${dataDir} lies in ${cluster}, says ${record}, but is not there. ` +
        'Restore that directory; or delete the file to begin with an empty database.',
    )
  }
  return cluster
}

/**
 * Root would take the data of an ordinary user along to where that user cannot read it.
 *
 * @throws EmbeddedPostgresError when the cluster is not of the user that Postgres runs as
 */
function requireOwnCluster(cluster: string): void {
  if (!isRoot()) {
    ensureOwner(cluster, ownOwner())
    return
  }
  const { uid } = statSync(cluster)
  if (uid === 0 || uid === UNPRIVILEGED_OWNER.uid) return
  throw new EmbeddedPostgresError(
    `The database in ${cluster} belongs to the user with id ${uid}, and this is root. Run this as ` +
      `that user (sudo -u '#${uid}' ...), or give the directory to root (chown -R root).`,
  )
}

/**
 * Makes `cluster` a complete database cluster where Postgres can use it, owned by the user that
 * Postgres runs as. Keeps an existing one.
 *
 * @param options `durable: false` skips the flush to the disk
 * @returns the superuser's password
 * @throws EmbeddedPostgresError when the cluster is of another major version of Postgres
 */
export async function prepareCluster(options: {
  dataDir: string
  cluster: string
  runner: Runner
  durable: boolean
}): Promise<string> {
  const { dataDir, cluster, runner } = options
  const isNew = isMissingOrEmpty(cluster)
  removeLeftovers(dirname(cluster))
  let password = readPassword(dataDir)
  if (isNew) {
    // Saved before the cluster exists, so that a crash leaves no cluster with an unknown password.
    password ??= await keepPassword(dataDir, newPassword())
    await initCluster({ ...options, password })
  } else {
    checkMajorVersion(cluster, runner)
    ensureOwner(cluster, runner.owner)
  }
  return password ?? (await resetPassword(dataDir, cluster, runner))
}

/** The file with the superuser's password, which only our own user can read. */
function passwordFileOf(dataDir: string): string {
  return join(dataDir, 'postgres.password')
}

function readPassword(dataDir: string): string | undefined {
  const file = passwordFileOf(dataDir)
  return (existsSync(file) && readFileSync(file, 'utf8').trim()) || undefined
}

/** Random hexadecimal digits: safe in SQL and in addresses. */
export function newPassword(): string {
  return randomBytes(24).toString('hex')
}

async function keepPassword(dataDir: string, password: string): Promise<string> {
  await replaceFile(passwordFileOf(dataDir), `${password}\n`)
  return password
}

/** Sets and saves a new password because the password file was lost. */
async function resetPassword(dataDir: string, cluster: string, runner: Runner): Promise<string> {
  const password = newPassword()
  const sql = `ALTER ROLE postgres PASSWORD '${password}'\n`
  await runProgram(runner, 'postgres', ['--single', '-D', cluster, 'postgres'], sql)
  return keepPassword(dataDir, password)
}

/**
 * Whether there is no cluster yet.
 *
 * @throws EmbeddedPostgresError when something else is in its place
 */
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
      `Postgres ${ours}, which cannot read it. Start it with the release that made it and export it ` +
      'with pg_dump, then import that into a new one; or set DATA_DIR to another directory, or ' +
      `DATABASE_URL to a Postgres ${found} server.`,
  )
}

/**
 * Builds the cluster under a temporary name and renames it, so that a crash never leaves half a
 * cluster.
 */
async function initCluster(options: {
  cluster: string
  runner: Runner
  password: string
  durable: boolean
}): Promise<void> {
  const { cluster, runner } = options
  const workspace = mkdtempSync(`${cluster}.init-`)
  const passwordFile = join(workspace, 'password')
  const data = join(workspace, 'data')
  try {
    writeFileSync(passwordFile, `${options.password}\n`, { mode: 0o600 })
    mkdirSync(data, { mode: 0o700 })
    for (const path of [workspace, passwordFile, data]) chownTo(path, runner.owner)
    await runProgram(runner, 'initdb', [
      `--pgdata=${data}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // Postgres' own locale provider: the sort order does not change with the libraries of the
      // operating system.
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
      ...(options.durable ? [] : ['--no-sync']),
    ])
    rmSync(cluster, { recursive: true, force: true })
    renameSync(data, cluster)
    await syncDirectory(dirname(cluster))
  } finally {
    rmSync(workspace, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Removes what a killed initdb left; the caller holds the lock. */
function removeLeftovers(parent: string): void {
  for (const name of readdirSync(parent)) {
    if (/^postgres.*\.init-/.test(name)) {
      rmSync(join(parent, name), { recursive: true, force: true, maxRetries: 3 })
    }
  }
}

async function runProgram(runner: Runner, program: Program, programArgs: string[], input = '') {
  const { file, args, options } = runner.command(program, programArgs)
  const running = run(file, args, options)
  running.child.stdin?.on('error', () => {})
  running.child.stdin?.end(input)
  try {
    await running
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string }
    throw new EmbeddedPostgresError(`Postgres: ${program} failed.\n${stderr?.trim() || message}`)
  }
}
