import { lchownSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { inUserNamespace, NOBODY, type Owner, type Way } from './as-ordinary-user.ts'

/** Whether this process may change the owner of files and become another user. */
export function isRoot(): boolean {
  return process.geteuid?.() === 0
}

/**
 * The ways of root, as which Postgres refuses to run: in a user namespace; or, where the machine
 * forbids those, as most containers do, as `nobody`. Where `nobody` cannot enter a directory of
 * root, it keeps the one right to do so. Ours because the package would add a user to the machine.
 */
export function waysOfRoot(): Way[] {
  const asNobody: Way = { runAs: 'unprivileged-user', owner: NOBODY, before: [], become: NOBODY }
  // Containers have `dac_override`, and not the lesser one.
  return [inUserNamespace(), asNobody, nobodyWith('dac_read_search'), nobodyWith('dac_override')]
}

/** @param right one of capabilities(7) */
function nobodyWith(right: string): Way {
  const ids = [`--reuid=${NOBODY.uid}`, `--regid=${NOBODY.gid}`, '--clear-groups', '--no-new-privs']
  const rights = [`--inh-caps=-all,+${right}`, `--ambient-caps=-all,+${right}`]
  // Without this bit, access(2) would leave the right out, and Postgres would not find itself.
  const before = ['setpriv', ...ids, '--securebits=+no_setuid_fixup', ...rights, '--']
  return { runAs: 'unprivileged-user', owner: NOBODY, before }
}

/** Gives a file or directory to `owner`; ordinary users own what they make. */
export function chownTo(path: string, owner: Owner): void {
  if (isRoot()) lchownSync(path, owner.uid, owner.gid)
}

/**
 * Makes `owner` the owner of everything in `dir`: Postgres insists on owning its data, and root may
 * have run it in another way before. The directory itself comes last, so that an interrupted change
 * is repeated.
 */
export function ensureOwner(dir: string, owner: Owner): void {
  if (lstatSync(dir).uid === owner.uid) return
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    chownTo(join(entry.parentPath, entry.name), owner)
  }
  chownTo(dir, owner)
}
