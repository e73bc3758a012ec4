import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Owner } from './as-ordinary-user.ts'
import { chownTo } from './as-root.ts'
import { EmbeddedPostgresError } from './data-directory.ts'

/** The path of a socket has at most 104 bytes on macOS, of which what we add takes 70. */
const PARENT_MAX_BYTES = 33

/**
 * Makes the private directory of the Unix socket. It is in the temporary directory, because the
 * paths of sockets are short. Ours because anybody can guess its name and write there: what is not
 * ours is left alone, and another name is used.
 *
 * @throws EmbeddedPostgresError when the temporary directory cannot be used
 */
export function makeSocketDir(dataDir: string, owner: Owner): string {
  const parent = Buffer.byteLength(tmpdir()) <= PARENT_MAX_BYTES ? tmpdir() : '/tmp'
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
  try {
    // The owner is part of the name: the next start may serve the same data as another user.
    return makePrivateDir(join(parent, `app-marketplace-${hash}-${owner.uid}`), owner)
  } catch (error) {
    throw new EmbeddedPostgresError(
      `Cannot make a directory for the socket of the database in ${parent}: ` +
        `${(error as NodeJS.ErrnoException).code}. ` +
        'Set TMPDIR to a directory that the server may write.',
    )
  }
}

function makePrivateDir(dir: string, owner: Owner): string {
  const stat = lstatSync(dir, { throwIfNoEntry: false })
  // A killed server left it; the caller holds the lock of the data directory.
  if (stat?.isDirectory() && stat.uid === owner.uid && (stat.mode & 0o777) === 0o700) return dir
  if (stat === undefined) mkdirSync(dir, { mode: 0o700 })
  const made = stat === undefined ? dir : mkdtempSync(`${dir}-`)
  chownTo(made, owner)
  return made
}

/** Removes the socket of a Postgres that crashed. */
export function clearSocketDir(dir: string): void {
  for (const end of ['', '.lock']) rmSync(join(dir, `.s.PGSQL.5432${end}`), { force: true })
}

/** Removes the directory of a Postgres that has stopped. */
export function removeSocketDir(dir: string): void {
  try {
    rmSync(dir, { recursive: true, force: true })
  } catch {
    // This only tidies up: the next start uses the directory again.
  }
}
