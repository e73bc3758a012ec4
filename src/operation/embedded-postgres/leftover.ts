import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedPostgresError } from './data-directory.ts'

/** How long Postgres gets to stop after each signal: fast shutdown, immediate shutdown, kill. */
const STOP_STEPS: [NodeJS.Signals, number][] = [
  ['SIGINT', 60_000],
  ['SIGQUIT', 10_000],
  ['SIGKILL', 10_000],
]
const POLL_MS = 10

/**
 * Stops a Postgres by stronger and stronger signals.
 *
 * @param send returns whether the process can be signalled
 * @returns whether it has ended
 */
export async function stopBySignals(
  send: (signal: NodeJS.Signals) => boolean,
  isRunning: () => boolean,
): Promise<boolean> {
  for (const [signal, timeoutMs] of STOP_STEPS) {
    if (!send(signal)) break
    const deadline = Date.now() + timeoutMs
    while (isRunning() && Date.now() < deadline) await sleep(POLL_MS)
    if (!isRunning()) break
  }
  return !isRunning()
}

/**
 * Stops the Postgres that a killed server left running in `cluster`, and makes sure that a stale
 * `postmaster.pid` does not prevent the next start. The caller holds the lock of the data
 * directory, so no server uses that Postgres. Ours because pg_ctl would stop whatever process has
 * the pid by now.
 *
 * @throws EmbeddedPostgresError when the old Postgres does not stop
 */
export async function stopLeftover(cluster: string): Promise<void> {
  const file = join(cluster, 'postmaster.pid')
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return
  const pid = Number.parseInt(text, 10)
  if (!(pid > 1)) return rmSync(file)
  if (!isPostgresOf(pid, cluster)) {
    // Postgres takes any living process with this pid for a Postgres. Without the file it would not
    // look for backends that outlived their server, in the shared memory. With our pid, which is
    // that of its parent, it looks and goes on.
    writeFileSync(file, text.replace(/^\d+/, String(process.pid)))
    return
  }
  const isRunning = () => isPostgresOf(pid, cluster)
  if (await stopBySignals((signal) => sendTo(pid, signal), isRunning)) return
  throw new EmbeddedPostgresError(
    `A Postgres (pid ${pid}) left over by an earlier server is using ${cluster} and does not ` +
      'stop. Stop that process, then start again.',
  )
}

function sendTo(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

/** The command tells two clusters apart; that of a process that has ended is empty. */
function isPostgresOf(pid: number, cluster: string): boolean {
  return commandLineOf(pid).includes(`/postgres -D ${cluster} `)
}

function commandLineOf(pid: number): string {
  if (process.platform !== 'linux') {
    const options = ['-ww', '-o', 'command=', '-p', String(pid)]
    return spawnSync('/bin/ps', options, { encoding: 'utf8' }).stdout
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}
