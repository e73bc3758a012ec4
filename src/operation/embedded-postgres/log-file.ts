import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  fstatSync,
  openSync,
  readSync,
} from 'node:fs'
import { rm, stat, truncate } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

const OWNER_ONLY = 0o600
const MAX_BYTES = 10 * 1024 * 1024
const LOOK_MS = 5_000
const TAIL_BYTES = 4_000
const TAIL_LINES = 12

/** The file that a Postgres writes its log to. */
export type LogFile = {
  /** For the standard output of Postgres; closed by the caller. */
  descriptor: number
  /** The last lines since it was opened; empty when somebody has taken the file away. */
  tail(): string
  /** Ends the look at its size. */
  close(): void
}

/**
 * Opens a log for appending. The file, and the older one `.1` beside it, hold about 10 MiB each:
 * the size is looked at now and every five seconds.
 */
export async function openLogFile(path: string): Promise<LogFile> {
  await shorten(path)
  const descriptor = openSync(path, 'a', OWNER_ONLY)
  const start = fstatSync(descriptor).size
  let shortening = Promise.resolve()
  const look = setInterval(() => {
    shortening = shortening.then(() => shorten(path))
  }, LOOK_MS).unref()
  return { descriptor, tail: () => readTail(path, start), close: () => clearInterval(look) }
}

/**
 * Moves the end of a log that is too long to the older one. Postgres has the file open and goes on
 * at its new end; lines that it writes meanwhile may be lost.
 */
async function shorten(path: string): Promise<void> {
  const { size = 0 } = (await stat(path).catch(() => undefined)) ?? {}
  if (size <= MAX_BYTES) return
  const older = `${path}.1`
  const end = createReadStream(path, { start: size - MAX_BYTES, end: size - 1 })
  // On a full disk there is no older log: what counts is that this one ends.
  await pipeline(end, createWriteStream(older, { mode: OWNER_ONLY })).catch(() =>
    rm(older, { force: true }).catch(() => {}),
  )
  await truncate(path).catch(() => {})
}

function readTail(path: string, opened: number): string {
  if (!existsSync(path)) return ''
  const descriptor = openSync(path, 'r')
  try {
    const { size } = fstatSync(descriptor)
    // A file that was shortened since is all of this Postgres.
    const from = size < opened ? 0 : opened
    const start = Math.max(from, size - TAIL_BYTES)
    const bytes = Buffer.alloc(size - start)
    readSync(descriptor, bytes, 0, bytes.length, start)
    return bytes.toString().trim().split('\n').slice(-TAIL_LINES).join('\n')
  } finally {
    closeSync(descriptor)
  }
}
