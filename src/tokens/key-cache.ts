import { createBatch } from '../concurrency/batch.ts'

/** How old the keys in memory may be before they are read again. */
const REFRESH_SECONDS = 30

/** Keys in memory, read again when they are old. */
export type KeyCache<Key> = {
  /** The keys as they were read last. */
  keys(): readonly Key[]
  /** The keys, read again first when they are old. */
  fresh(): Promise<readonly Key[]>
  /** Reads old keys again without a wait; a failure is left to the callers of `fresh`. */
  refreshIfOld(): void
  /** Reads the keys now; the callers of one turn of the event loop share one reading. */
  reload(): Promise<void>
}

/** Reads the keys for the first time. */
export async function createKeyCache<Key>(
  load: () => Promise<readonly Key[]>,
  now: () => Date,
): Promise<KeyCache<Key>> {
  let keys = await load()
  let loadedAt = now().getTime()
  let loadsStarted = 0
  let newestApplied = 0
  let refreshing: Promise<void> | undefined

  const read = createBatch(async (callers: readonly 'caller'[]) => {
    loadsStarted += 1
    const thisLoad = loadsStarted
    const loaded = await load()
    // Of several loads at once the one that started last has seen most.
    if (thisLoad > newestApplied) {
      newestApplied = thisLoad
      keys = loaded
      loadedAt = now().getTime()
    }
    return callers
  })
  const reload = async () => {
    await read('caller')
  }
  const refresh = () => {
    refreshing ??= reload().finally(() => {
      refreshing = undefined
    })
    return refreshing
  }
  // Also when the clock was set back.
  const isOld = () => Math.abs(now().getTime() - loadedAt) > REFRESH_SECONDS * 1000

  return {
    keys: () => keys,
    async fresh() {
      if (isOld()) await refresh()
      return keys
    },
    refreshIfOld() {
      if (isOld()) refresh().catch(() => undefined)
    },
    reload,
  }
}
