import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect } from 'vitest'
import { startEmbeddedPostgres } from '../../src/operation/embedded-postgres/embedded-postgres.ts'
import { COMPILE_CACHE } from './compile-cache.ts'

export const NOBODY = 65534
export const isRoot = process.geteuid?.() === 0
const here = new URL('.', import.meta.url).pathname
export const repositoryIsOpen = isRoot && succeeds(() => asNobody('test', ['-r', join(here, '..')]))
export const canUnshare = succeeds(() =>
  execFileSync('unshare', ['--user', `--map-user=${NOBODY}`, 'true'], { stdio: 'ignore' }),
)
/** A command that runs another one with a mount of its own at /dev/shm. */
export const withShm = (options: string) => [
  ...['unshare', '--mount', 'sh', '-c'],
  `mount -t tmpfs -o ${options} tmpfs /dev/shm && exec "$0" "$@"`,
]
export const canMount = succeeds(() => {
  const [file = '', ...args] = [...withShm('ro'), 'true']
  execFileSync(file, args, { stdio: 'ignore' })
})
export const settings = { fsync: 'off' }
/** What a test leaves to be done after it, the last first. */
export const cleanups: (() => unknown)[] = []

/** For `afterEach` of every file that uses these helpers. */
export async function cleanUp() {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
}

type Options = Parameters<typeof startEmbeddedPostgres>[0]
type Running = { connectionString: string; pid: number }
type Outcome = { running?: Running; error?: string }

export async function start(options: Options) {
  const server = await startEmbeddedPostgres({ settings, ...options })
  cleanups.push(server.stop)
  return server
}

export async function expectProblem(options: Options, message: RegExp) {
  const attempt = start(options)
  await expect(attempt).rejects.toThrow(message)
  await expect(attempt).rejects.toMatchObject({ name: 'EmbeddedPostgresError' })
}

export async function query({ connectionString }: { connectionString: string }, sql: string) {
  const pool = new pg.Pool({ connectionString, max: 1 })
  pool.on('error', () => {})
  try {
    return (await pool.query(sql)).rows
  } finally {
    await pool.end()
  }
}

export const asSuperuser = (server: { superuserConnectionString: string }, sql: string) =>
  query({ connectionString: server.superuserConnectionString }, sql)

export const ROLE_AND_OWNER = `
  SELECT rolsuper AS super, rolcreaterole AS roles, rolcreatedb AS databases,
    rolreplication AS replication, pg_get_userbyid(datdba) AS owner
  FROM pg_roles, pg_database WHERE rolname = current_user AND datname = current_database()`

/**
 * A server in a process of its own, which can be killed. It ignores SIGINT and stops on SIGTERM. At
 * the directory `gate` it waits until that is open.
 */
const SCRIPT = `
  import fs from 'node:fs'
  import { startEmbeddedPostgres } from '${new URL('../../src/operation/embedded-postgres/embedded-postgres.ts', import.meta.url)}'
  process.on('SIGINT', () => {})
  // No stop(): the end of the process alone has to end Postgres.
  process.on('SIGTERM', () => process.exit())
  const { gate, ...options } = JSON.parse(process.argv[1])
  if (gate) fs.writeFileSync(gate + '/' + process.pid, '')
  while (gate && !fs.existsSync(gate + '/open')) await new Promise((done) => setTimeout(done, 1))
  const report = (outcome) => process.stdout.write(JSON.stringify(outcome) + '\\n')
  try {
    const { connectionString, pid } = await startEmbeddedPostgres(options)
    report({ running: { connectionString, pid } })
    setInterval(() => {}, 1000)
  } catch (error) {
    report({ error: error.name + ': ' + error.message })
  }
`

export async function fork(
  options: Options,
  extra: { env?: Record<string, string>; uid?: number; gate?: string; within?: string[] } = {},
) {
  const argument = JSON.stringify({ settings, ...options, gate: extra.gate })
  const ids = extra.uid === undefined ? {} : { uid: extra.uid, gid: extra.uid }
  const words = [process.execPath, '--input-type=module', '-e', SCRIPT, argument]
  const [file = '', ...args] = [...(extra.within ?? []), ...words]
  const child = spawn(file, args, {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: COMPILE_CACHE, ...extra.env },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
    ...ids,
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  const outcome = firstLine(child).then((line): Outcome => (line ? JSON.parse(line) : {}))
  const kill = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await ended
  }
  cleanups.push(async () => {
    await kill('SIGTERM')
    const { running } = await outcome
    if (!running) return
    await expect.poll(() => isAlive(running.pid)).toBe(false)
    fs.rmSync(socketDirOf(running), { recursive: true, force: true })
  })
  const ready = async (): Promise<Running> => {
    const { running, error } = await outcome
    if (!running) throw new Error(`The server did not start: ${error}`)
    return running
  }
  return { child, outcome, ready, kill, error: async () => (await outcome).error }
}

/**
 * A server as root on a machine that forbids user namespaces, as containers are: itself in one, with all
 * ids and a limit of 0.
 *
 * @param rights the only ones that its root has (capabilities(7)); all unless given
 */
export async function forkConfined(options: Options, rights: readonly string[] = []) {
  const go = join(temporaryDir(), 'go')
  const sets = ['bounding-set', 'inh-caps', 'ambient-caps'].map((set) => {
    const kept = set === 'bounding-set' ? (rights.length > 0 ? rights : ['all']) : []
    return `--${set}=${['-all', ...kept.map((right) => `+${right}`)].join()}`
  })
  const forbid = 'echo 0 > /proc/sys/user/max_user_namespaces && exec setpriv "$@"'
  const become = `while ! [ -e ${go} ]; do sleep 0.01; done
    exec setpriv --reuid=0 --regid=0 --clear-groups sh -c '${forbid}' sh "$@"`
  const within = ['unshare', '--user', '--keep-caps', 'sh', '-c', become, 'sh', ...sets, '--']
  const server = await fork(options, { within })
  const space = (pid: number | string) => fs.readlinkSync(`/proc/${pid}/ns/user`)
  const { pid = 0 } = server.child
  await expect.poll(() => space(pid)).not.toBe(space('self'))
  for (const ids of ['uid_map', 'gid_map']) fs.writeFileSync(`/proc/${pid}/${ids}`, '0 0 65536')
  fs.writeFileSync(go, '')
  return server
}

async function firstLine(child: ChildProcess): Promise<string> {
  let text = ''
  for await (const chunk of child.stdout ?? []) {
    text += chunk
    if (text.includes('\n')) break
  }
  return text
}

function commandOf(pid: string): string {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

/** The processes of initdb that work on a data directory, where processes are files. */
export function initdbsOf(dataDir: string): string[] {
  if (!fs.existsSync('/proc')) return []
  return fs.readdirSync('/proc').filter((pid) => {
    const command = commandOf(pid)
    return command.includes('initdb') && command.includes(dataDir)
  })
}

let madeOnce: Promise<string> | undefined

/** A data directory whose database was made before, for rules of later starts. */
export async function madeDir(): Promise<string> {
  madeOnce ??= makeOnce()
  const dataDir = temporaryDir()
  // With owners and modes, and at once where the file system can share blocks.
  execFileSync('cp', ['-a', '--reflink=auto', `${await madeOnce}/.`, dataDir])
  return dataDir
}

async function makeOnce(): Promise<string> {
  const dataDir = fs.mkdtempSync(join(tmpdir(), 'embedded-made-'))
  await (await startEmbeddedPostgres({ settings, dataDir })).stop()
  return dataDir
}

/** For `afterAll` of every file that uses `madeDir`. */
export async function removeMadeDir() {
  if (madeOnce) fs.rmSync(await madeOnce, { recursive: true, force: true })
  madeOnce = undefined
}

/** Of mode 0700, as mkdtemp makes it, so that only its owner can enter. */
export function temporaryDir(): string {
  const dir = fs.mkdtempSync(join(tmpdir(), 'embedded-test-'))
  cleanups.push(() => fs.rmSync(dir, { recursive: true, force: true, maxRetries: 5 }))
  return dir
}

export function socketDirOf({ connectionString }: { connectionString: string }): string {
  return new URL(connectionString.replace('@/', '@host/')).searchParams.get('host') ?? ''
}

export function modeOf(path: string): number {
  return fs.statSync(path).mode & 0o777
}

function asNobody(program: string, args: string[]): string {
  return execFileSync(program, args, { uid: NOBODY, gid: NOBODY, cwd: '/', encoding: 'utf8' })
}

function succeeds(attempt: () => unknown): boolean {
  try {
    attempt()
    return true
  } catch {
    return false
  }
}

export function isAlive(pid: number): boolean {
  // A process that nobody has waited for yet is dead all the same.
  if (process.platform === 'linux') {
    return succeeds(() => {
      if (/^\d+ \(.*\) Z/.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'))) throw new Error()
    })
  }
  return succeeds(() => process.kill(pid, 0))
}
