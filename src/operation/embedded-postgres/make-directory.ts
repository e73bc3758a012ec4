import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const OWNER_ONLY = 0o700

/**
 * Makes a directory and those above it, for its owner only. Node's own `recursive` tries for ever
 * where the system takes no directory, as in /proc (ENOENT, although the parent is there).
 *
 * @returns whether it was made now
 * @throws the error of the system
 */
export function makeDirectory(path: string): boolean {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return false
  const parent = dirname(path)
  if (parent !== path) makeDirectory(parent)
  try {
    mkdirSync(path, { mode: OWNER_ONLY })
    return true
  } catch (error) {
    // Another process has made it meanwhile.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
