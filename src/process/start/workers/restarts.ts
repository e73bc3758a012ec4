const FIRST_WAIT_MS = 250
const WAIT_MAX_MS = 30_000
/** A worker that lived for so long was well: the next wait is the first again. */
const WELL_AFTER_MS = 60_000

/**
 * How long to wait before a worker is started again: twice as long each time that it dies soon.
 *
 * @param formerMs the wait before, 0 for none
 * @param livedMs how long it lived
 */
export function restartWaitMs(formerMs: number, livedMs: number): number {
  if (formerMs === 0 || livedMs >= WELL_AFTER_MS) return FIRST_WAIT_MS
  return Math.min(WAIT_MAX_MS, formerMs * 2)
}
