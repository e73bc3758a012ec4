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

type Options = {
  first: PostgresProcess
  /** The database files. */
  cluster: string
  /** Starts Postgres, reports the process at once, and resolves when Postgres takes queries. */
  start: (onSpawn: (child: PostgresProcess) => void) => Promise<unknown>
  /** Called before it is started again, and when it stays down. */
  onRestart: ((detail: string) => void) | undefined
  onExit: ((detail: string) => void) | undefined
  delaysMs: readonly number[] | undefined
}

/**
 * Starts Postgres again when it ends by itself. Gives up after several failures in a row, but never
 * because of a full disk: it tries until there is space. Ours because nobody else watches Postgres.
 */
export function keepRunning(options: Options) {
  const { first, cluster, start, onRestart, onExit, delaysMs = DELAYS_MS } = options
  let current = first
  let isStopping = false

  const watch = async () => {
    let failures = 0
    let detail = await howItEnds(first)
    while (!isStopping) {
      const isFull = isDiskFull(detail, cluster)
      const delayMs = isFull ? delaysMs.at(-1) : delaysMs[failures]
      if (delayMs === undefined) return void onExit?.(detail)
      if (!isFull) failures += 1
      onRestart?.(detail)
      await sleep(delayMs)
      if (isStopping) return
      try {
        await start((child) => {
          current = child
        })
        if (isStopping) return
        const startedAtMs = performance.now()
        detail = await howItEnds(current)
        if (performance.now() - startedAtMs > WELL_MS) failures = 0
      } catch (error) {
        detail = error instanceof Error ? error.message : String(error)
      }
    }
  }
  const watching = watch().catch((error: unknown) => void onExit?.(String(error)))
  return {
    /** That of the Postgres that runs now. */
    pid: () => current.pid,
    async stop() {
      isStopping = true
      await current.stop()
      // It may have been starting another one.
      await watching
      await current.stop()
    },
  }
}

async function howItEnds(child: PostgresProcess): Promise<string> {
  const how = await child.ended
  return `Postgres has ended (${how}).\n${child.logTail()}`.trim()
}

/** The log of Postgres is most often on the same disk, and then the end of it may be missing. */
function isDiskFull(detail: string, cluster: string): boolean {
  const { bavail, bsize } = statfsSync(cluster)
  return DISK_FULL.test(detail) || bavail * bsize < WAL_SEGMENT_BYTES
}
