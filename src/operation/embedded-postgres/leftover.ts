import { spawnSync } from 'node:child_process'
import { readFileSync, readlinkSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedPostgresError } from './error.ts'

/** How long Postgres gets to stop after each signal: fast shutdown, immediate shutdown, kill. */
export const STOP_STEPS: [NodeJS.Signals, number][] = [
  ['SIGINT', 60_000],
  ['SIGQUIT', 10_000],
  ['SIGKILL', 10_000],
]

/**
 * Stops the Postgres that a killed server left running in `cluster`, and makes sure that a stale
 * `postmaster.pid` does not prevent the next start. The caller holds the lock of the data
 * directory, so no server uses that Postgres. An unrelated process with the same pid is left alone.
 *
 * @throws EmbeddedPostgresError when the old Postgres does not stop
 */
export async function stopLeftover(cluster: string): Promise<void> {
  const file = join(cluster, 'postmaster.pid')
  const text = readPidFile(file)
  if (text === undefined) return
  const pid = Number.parseInt(text, 10)
  if (!(pid > 1)) return rmSync(file)
  if (isPostgresOf(pid, cluster)) {
    await stopByPid(pid, cluster)
  } else {
    // Postgres takes any living process with this pid for a Postgres. We do not delete the file,
    // because that would also skip the check of the shared memory, which finds backends that
    // outlived their server. With our pid, which is the pid of its parent, Postgres makes that
    // check and goes on.
    writeFileSync(file, text.replace(/^\d+/, String(process.pid)))
  }
}

async function stopByPid(pid: number, cluster: string): Promise<void> {
  for (const [signal, timeoutMs] of STOP_STEPS) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return
      break
    }
    const deadline = Date.now() + timeoutMs
    while (Date.now() < deadline) {
      if (!isPostgresOf(pid, cluster)) return
      await sleep(20)
    }
  }
  throw new EmbeddedPostgresError(
    `A Postgres (pid ${pid}) left over by an earlier server is using ${cluster} and does not stop. ` +
      'Stop that process, then start again.',
  )
}

/** Postgres works inside its data directory, which tells the servers of two clusters apart. */
function isPostgresOf(pid: number, cluster: string): boolean {
  if (process.platform === 'linux') {
    try {
      if (readFileSync(`/proc/${pid}/comm`, 'utf8') !== 'postgres\n') return false
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
      // The root of a container may not ask where a process of another user works.
      return words.includes(cluster) || readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster)
    } catch {
      return false
    }
  }
  const { stdout } = spawnSync('/bin/ps', ['-ww', '-o', 'command=', '-p', String(pid)], {
    encoding: 'utf8',
  })
  return stdout.includes(`/postgres -D ${cluster} `)
}

function readPidFile(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined
    throw error
  }
}
