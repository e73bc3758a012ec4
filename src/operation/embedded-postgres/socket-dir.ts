import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EmbeddedPostgresError } from './error.ts'
import { chownTo, type Owner } from './owner.ts'

/**
 * A socket address has at most 104 bytes on macOS, 108 on Linux; `/.s.PGSQL.5432.lock` takes 19.
 */
const SOCKET_DIR_MAX_BYTES = 84

/**
 * Makes the private directory of the Unix socket and empties it. It is in the temporary directory,
 * because the path of a socket has at most about 100 bytes. Anybody can guess its name and write
 * there, so a directory or symbolic link that is not ours is left alone and another name is used.
 *
 * @throws EmbeddedPostgresError when the temporary directory cannot be used
 */
export function makeSocketDir(dataDir: string, owner: Owner): string {
  const base = chooseSocketBase()
  try {
    // The owner is part of the name: the next start may serve the same data as another user.
    return makePrivateDir(join(base, `app-marketplace-${hashPath(dataDir)}-${owner.uid}`), owner)
  } catch (error) {
    throw new EmbeddedPostgresError(
      `Cannot make a directory for the socket of the database in ${base}: ` +
        `${(error as NodeJS.ErrnoException).code}. ` +
        'Set TMPDIR to a directory that the server may write.',
    )
  }
}

function makePrivateDir(dir: string, owner: Owner): string {
  try {
    mkdirSync(dir, { mode: 0o700 })
    chownTo(dir, owner)
    return dir
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const stat = lstatSync(dir)
  if (stat.isDirectory() && stat.uid === owner.uid && (stat.mode & 0o777) === 0o700) {
    // A killed server left it; the caller holds the lock of the data directory.
    clearSocketDir(dir)
    return dir
  }
  const other = mkdtempSync(`${dir}-`)
  chownTo(other, owner)
  return other
}

/** Removes the socket of a Postgres that crashed. */
export function clearSocketDir(dir: string): void {
  for (const name of ['.s.PGSQL.5432', '.s.PGSQL.5432.lock'])
    rmSync(join(dir, name), { force: true })
}

function chooseSocketBase(): string {
  const longest = `/app-marketplace-${'0'.repeat(16)}-4294967294-XXXXXX`.length
  return Buffer.byteLength(tmpdir()) + longest <= SOCKET_DIR_MAX_BYTES ? tmpdir() : '/tmp'
}

function hashPath(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 16)
}
