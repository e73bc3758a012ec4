import { accessSync, constants, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { DataDirInUseError, unusableDataDir } from './error.ts'

const SQLITE_BUSY = 5
/**
 * How long SQLite tries. It takes the lock in steps, so that of several servers that begin at the
 * same instant each may find another one's step in its way; without a second try, none would win.
 */
const TRY_MS = 500

/**
 * Makes this process the only server of `dir` until it calls the returned function or ends in any
 * way.
 *
 * The lock is the exclusive lock of an empty SQLite file. SQLite takes it from the operating system
 * (fcntl), which frees it with the process, so no lock is ever stale. Never open
 * `server.lock` otherwise: with fcntl, closing any descriptor of the file drops the lock of the
 * whole process.
 *
 * @throws DataDirInUseError, naming the holder, when another process has the lock; a system
 *   error when the file of the lock is another user's
 */
export async function lockDirectory(dir: string): Promise<() => void> {
  const file = join(dir, 'server.lock')
  // SQLite would open another user's file for reading only, and then complain about writing.
  if (existsSync(file)) accessSync(file, constants.W_OK)
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(file, { timeout: TRY_MS })
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock?.close()
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) {
      throw unusableDataDir(dir, `it cannot be locked (${(error as Error).message})`)
    }
    const holder = await readHolder(dir)
    throw new DataDirInUseError(
      `Another server (pid ${holder}) is using the data directory ${dir}. ` +
        'Stop it, or set DATA_DIR to another directory.',
    )
  }
  const held = lock
  const pidFile = join(dir, 'server.pid')
  writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 })
  return () => {
    if (!held.isOpen) return
    rmSync(pidFile, { force: true })
    held.close()
  }
}

/**
 * The pid is only for the message; a process that has just taken the lock may not have written it.
 */
async function readHolder(dir: string): Promise<string> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const pid = Number(readText(join(dir, 'server.pid')))
    if (pid > 0 && isAlive(pid)) return String(pid)
    await sleep(25)
  }
  return 'unknown'
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
