import { accessSync, constants, existsSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { DataDirInUseError, unusableDataDir } from './data-directory.ts'

const SQLITE_BUSY = 5
/**
 * How long SQLite tries. It takes the lock in steps, so that of several servers that begin at the
 * same instant each may find another one's step in its way; without a second try, none would win.
 */
const TRY_MS = 500

/**
 * Makes this process the only server of `dir` until it calls the returned function or ends in any
 * way. Ours because Node has no locks that end with their process.
 *
 * SQLite has: this is its exclusive lock of an empty file, taken from the operating system (fcntl).
 * Never open `server.lock` otherwise: with fcntl, closing any descriptor of the file drops the lock
 * of the whole process.
 *
 * @throws DataDirInUseError, naming the holder, when another process has the lock; a system
 *   error when the file of the lock is another user's
 */
export async function lockDirectory(dir: string): Promise<() => void> {
  const file = join(dir, 'server.lock')
  const pidFile = join(dir, 'server.pid')
  // SQLite would open another user's file for reading only, and then complain about writing.
  if (existsSync(file)) accessSync(file, constants.W_OK)
  const lock = new DatabaseSync(file, { timeout: TRY_MS, open: false })
  try {
    lock.open()
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    if (lock.isOpen) lock.close()
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) {
      throw unusableDataDir(dir, `it cannot be locked (${(error as Error).message})`)
    }
    throw new DataDirInUseError(
      `Another server (pid ${await readHolder(pidFile)}) is using the data directory ${dir}. ` +
        'Stop it, or set DATA_DIR to another directory.',
    )
  }
  writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 })
  return () => {
    if (!lock.isOpen) return
    rmSync(pidFile, { force: true })
    lock.close()
  }
}

/** The pid is for the message only. Who has just taken the lock may not have written it. */
async function readHolder(pidFile: string): Promise<string> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const pid = (await readFile(pidFile, 'utf8').catch(() => '')).trim()
    if (pid !== '') return pid
    await sleep(25)
  }
  return 'unknown'
}
