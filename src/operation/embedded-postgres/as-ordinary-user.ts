import { userInfo } from 'node:os'

/** The owner of a file in numbers, as the kernel knows it outside of any user namespace. */
export type Owner = { uid: number; gid: number }

/** A way to run the programs of Postgres. */
export type Way = {
  runAs: 'self' | 'user-namespace' | 'unprivileged-user'
  /** Owner of every file that Postgres reads or writes. */
  owner: Owner
  /** What stands before a program and its arguments. */
  before: string[]
  /** The user that Node itself makes of us, if any. */
  become?: Owner
}

/** `nobody`: a number would be enough for Postgres, but initdb needs a user name for it. */
export const NOBODY: Owner = { uid: 65534, gid: 65534 }

/**
 * The ways of an ordinary user: as itself. One that is a bare number, as in some containers, gets
 * the name that initdb needs in a user namespace.
 */
export function waysOfOrdinaryUser(): Way[] {
  const asItself: Way = { runAs: 'self', owner: ownOwner(), before: [] }
  return hasUserName() ? [asItself] : [inUserNamespace(), asItself]
}

function hasUserName(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}

/**
 * As the current user, in a user namespace in which that user is called `nobody`. Files stay ours,
 * so this works in a directory that only we can enter.
 */
export function inUserNamespace(): Way {
  const ids = [`--map-user=${NOBODY.uid}`, `--map-group=${NOBODY.gid}`]
  const before = ['unshare', '--user', ...ids, '--']
  return { runAs: 'user-namespace', owner: ownOwner(), before }
}

/** The user that this process runs as. */
export function ownOwner(): Owner {
  return { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 }
}
