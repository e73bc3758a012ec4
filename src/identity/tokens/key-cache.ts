import { createBatch } from '../../base/concurrency/batch.ts'

/** How old the keys in memory may be before they are read again. */
const REFRESH_SECONDS = 30

/** Keys in memory, read again when they are older than `REFRESH_SECONDS`. */
export type KeyCache<Key> = {
  /** The keys as they were last read. */
  keys(): readonly Key[]
  /** The keys; when they are old, they are read again first. */
  fresh(): Promise<readonly Key[]>
  /**
   * Starts reading old keys again and does not wait. Callers of `fresh` get the failure, if any.
   */
  refreshIfOld(): void
  /** Reads the keys now. Calls in one tick of the event loop share one read. */
  reload(): Promise<void>
}

/** Makes a cache and reads the keys for the first time. */
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
    // When several loads run at once, the one that started last has the newest keys.
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
  // The difference is absolute because the clock may be set back.
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
