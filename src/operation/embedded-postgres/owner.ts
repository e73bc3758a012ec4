import { lchownSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { EmbeddedPostgresError } from './error.ts'

/** The owner of a file in numbers, as the kernel knows it outside of any user namespace. */
export type Owner = { uid: number; gid: number }

/** `nobody` on Linux and on macOS. A number is enough, but initdb needs a user name for it. */
export const UNPRIVILEGED_ID = process.platform === 'darwin' ? -2 : 65534
export const UNPRIVILEGED_OWNER: Owner = { uid: UNPRIVILEGED_ID >>> 0, gid: UNPRIVILEGED_ID >>> 0 }

/** Whether this process may change the owner of files and become another user. */
export function isRoot(): boolean {
  return process.geteuid?.() === 0
}

/** The user that this process runs as. */
export function ownOwner(): Owner {
  return { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 }
}

/**
 * Gives a file or directory to `owner`; does nothing for ordinary users, who own what they make.
 */
export function chownTo(path: string, owner: Owner): void {
  if (isRoot()) lchownSync(path, owner.uid, owner.gid)
}

/**
 * Makes `owner` the owner of everything in `dir`: Postgres insists on owning its data, and root may
 * have run it in another way before. The directory itself comes last, so that an interrupted change
 * is repeated.
 *
 * @throws EmbeddedPostgresError when the data is another user's
 */
export function ensureOwner(dir: string, owner: Owner): void {
  const { uid } = lstatSync(dir)
  if (uid === owner.uid) return
  if (!isRoot()) {
    throw new EmbeddedPostgresError(
      `The database in ${dir} belongs to the user with id ${uid}, and this server runs as ` +
        `${owner.uid}. Start it as that user, or give the directory to this one (chown -R).`,
    )
  }
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    lchownSync(join(entry.parentPath, entry.name), owner.uid, owner.gid)
  }
  lchownSync(dir, owner.uid, owner.gid)
}
