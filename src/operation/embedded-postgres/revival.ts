import { statfsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PostgresProcess } from './process.ts'

/** The waits before each attempt to start Postgres again. */
const DELAYS_MS: readonly number[] = [100, 300, 1_000, 3_000, 5_000]
/** What Postgres and Node say of a disk or quota that is full. */
const DISK_FULL = /no space left on device|disk quota exceeded/i
/** Postgres needs as much for the next file of its WAL. */
const WAL_SEGMENT_BYTES = 16 * 1024 * 1024
/** A Postgres that ran this long counts as healthy: its next end is a first failure. */
const WELL_MS = 60_000

/** The Postgres that runs now, whichever process it is. */
export type Revived = { pid(): number; stop(): Promise<void> }

type Options = {
  first: PostgresProcess
  /** The database files. */
  cluster: string
  /** Starts Postgres, reports the process at once, and resolves when Postgres takes queries. */
  start: (onSpawn: (child: PostgresProcess) => void) => Promise<unknown>
  /** Called when Postgres ended and is about to be started again. */
  onRestart: ((detail: string) => void) | undefined
  /** Called when Postgres ended again and again and stays down. */
  onExit: ((detail: string) => void) | undefined
  delaysMs?: readonly number[] | undefined
}

/**
 * Starts Postgres again when it ends by itself. Gives up after several failures in a row, but never
 * because of a full disk: it tries until there is space.
 */
export function keepRunning({
  first,
  cluster,
  start,
  onRestart,
  onExit,
  delaysMs = DELAYS_MS,
}: Options): Revived {
  let current = first
  let isStopping = false
  let reviving: Promise<void> = Promise.resolve()
  let failures = 0
  let startedAtMs = performance.now()

  const watch = (child: PostgresProcess) => {
    reviving = child.ended.then(async (how) => {
      if (isStopping) return
      if (performance.now() - startedAtMs > WELL_MS) failures = 0
      await revive(`Postgres has ended (${how}).\n${child.logTail()}`.trim())
    })
    reviving.catch((error: unknown) => onExit?.(String(error)))
  }
  const revive = async (why: string) => {
    let detail = why
    for (;;) {
      const isFull = isDiskFull(detail, cluster)
      const delayMs = isFull ? delaysMs.at(-1) : delaysMs[failures]
      if (delayMs === undefined) break
      if (!isFull) failures += 1
      onRestart?.(detail)
      await sleep(delayMs)
      if (isStopping) return
      try {
        await start((child) => {
          current = child
        })
        startedAtMs = performance.now()
        watch(current)
        return
      } catch (error) {
        if (isStopping) return
        detail = error instanceof Error ? error.message : String(error)
      }
    }
    onExit?.(detail)
  }
  watch(first)
  return {
    pid: () => current.pid,
    async stop() {
      isStopping = true
      await current.stop()
      await reviving.catch(() => {})
      await current.stop()
    },
  }
}

/** The log of Postgres is most often on the same disk, and then the end of it may be missing. */
function isDiskFull(detail: string, cluster: string): boolean {
  if (DISK_FULL.test(detail)) return true
  try {
    const { bavail, bsize } = statfsSync(cluster)
    return bavail * bsize < WAL_SEGMENT_BYTES
  } catch {
    return false
  }
}
