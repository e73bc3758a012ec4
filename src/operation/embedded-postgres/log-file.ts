import { existsSync, readFileSync } from 'node:fs'
import { readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'

const MAX_BYTES = 10 * 1024 * 1024
const TAIL_BYTES = 4_000
const TAIL_LINES = 12

/**
 * Moves the end of a log of more than 10 MiB to the older one `.1` beside it. Postgres has the file
 * open and goes on at its new end; lines that it writes meanwhile may be lost. Ours because the
 * collector of Postgres bounds a file, not their number.
 */
export async function shorten(path: string): Promise<void> {
  const { size } = await stat(path).catch(() => ({ size: 0 }))
  if (size <= MAX_BYTES) return
  const older = `${path}.1`
  try {
    const end = (await readFile(path)).subarray(-MAX_BYTES)
    await writeFile(older, end, { mode: 0o600 })
  } catch {
    // On a full disk there is no older log: what counts is that this one ends.
    await rm(older, { force: true }).catch(() => {})
  }
  await truncate(path).catch(() => {})
}

/**
 * The last lines of a log; none when somebody has taken the file away.
 *
 * @param from the size that it had when the lines of interest began
 */
export function readTail(path: string, from: number): string {
  if (!existsSync(path)) return ''
  const log = readFileSync(path)
  // A file that was shortened since has no other lines.
  const own = log.subarray(log.length < from ? 0 : from)
  return own.subarray(-TAIL_BYTES).toString().trim().split('\n').slice(-TAIL_LINES).join('\n')
}
