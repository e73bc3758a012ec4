import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { chmod, cp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { EmbeddedPostgresError } from './error.ts'
import { chownTo, type Owner } from './owner.ts'

/**
 * A directory that survives restarts and that every user can enter, which a data directory may not
 * allow.
 */
const OUTSIDE_PARENT = '/var/lib'

/**
 * A socket address has at most 104 bytes on macOS, 108 on Linux; `/.s.PGSQL.5432.lock` takes 19.
 */
const SOCKET_DIR_MAX_BYTES = 84

/**
 * Makes the directory outside `dataDir` (a real path) for what `nobody` cannot reach inside it.
 * Only for root.
 *
 * @throws EmbeddedPostgresError when it cannot be made or is not root's
 */
function ensureOutsideDir(dataDir: string): string {
  const dir = join(OUTSIDE_PARENT, `app-marketplace-${hashPath(dataDir)}`)
  try {
    mkdirSync(dir, { recursive: true })
    const stat = lstatSync(dir)
    if (!stat.isDirectory() || stat.uid !== 0) throw new Error('it is not a directory of root')
    chmodSync(dir, 0o711)
  } catch (error) {
    throw new EmbeddedPostgresError(
      `Postgres refuses to run as root, an unprivileged user cannot use ${dataDir}, and ${dir} ` +
        `cannot be used instead: ${(error as Error).message}. ` +
        'Start the server as an ordinary user, or set DATABASE_URL.',
    )
  }
  return dir
}

/**
 * A new place for the data of `dataDir` outside of it. It was never used before, so the data of a
 * deleted data directory does not return in a later one.
 */
export function newOutsideCluster(dataDir: string): string {
  return join(ensureOutsideDir(dataDir), `postgres-${randomBytes(6).toString('hex')}`)
}

/** Copies the Postgres programs (60 MB) once to where `nobody` can reach them. */
export async function copyNative(
  native: string,
  version: string,
  dataDir: string,
): Promise<string> {
  const outside = ensureOutsideDir(dataDir)
  const copy = join(outside, `native-${version}`)
  const leftovers = (await readdir(outside)).filter((name) => name.startsWith('native-'))
  for (const name of leftovers) {
    if (name !== basename(copy)) await rm(join(outside, name), { recursive: true, force: true })
  }
  if (leftovers.includes(basename(copy))) return copy
  const partial = `${copy}.partial`
  for (const part of ['bin', 'lib', 'share']) {
    await cp(join(native, part), join(partial, part), { recursive: true, verbatimSymlinks: true })
  }
  await makeReadable(partial)
  await rename(partial, copy)
  return copy
}

/** The programs may have been installed under a umask that hides them from other users. */
async function makeReadable(dir: string): Promise<void> {
  await chmod(dir, 0o755)
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name)
    if (entry.isDirectory()) await makeReadable(path)
    else if (entry.isFile()) await chmod(path, basename(dir) === 'bin' ? 0o755 : 0o644)
  }
}

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
