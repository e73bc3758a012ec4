import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

type Attack = (isOver: () => boolean) => Promise<void>

const PROBE_EVERY_MS = 20

/** Asks `/livez` from a thread that has nothing else to do. */
type LivezProbe = {
  /** The milliseconds of all answers since the last time, and of the one that is awaited now. */
  times(): Promise<number[]>
  close(): Promise<unknown>
}

/** @param everyMs between an answer and the next request */
export function probeLivez({ url }: { url: string }, everyMs = PROBE_EVERY_MS): LivezProbe {
  const worker = new Worker(new URL('./livez-worker.ts', import.meta.url), {
    workerData: { url, everyMs },
  })
  return {
    async times() {
      worker.postMessage('tell')
      const [times] = (await once(worker, 'message')) as [number[]]
      return times
    },
    close: () => worker.terminate(),
  }
}

/**
 * Asks `/livez` while a server is under attack, from a thread that has nothing else to do.
 *
 * @param attack one connection's part of it, until `isOver`
 * @returns the time in milliseconds that 99 of 100 answers came in
 */
export async function beside(
  server: { url: string },
  attack: Attack,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<number> {
  const probe = probeLivez(server)
  let isProbed = false
  const attacks = Array.from({ length: connections }, () => attack(() => isProbed))
  try {
    await sleep(seconds * 1000)
    return quantile(await probe.times(), 0.99)
  } finally {
    isProbed = true
    await Promise.all([probe.close(), ...attacks])
  }
}

/** The time that such a part of some times is not longer than. */
function quantile(times: number[], part: number): number {
  times.sort((a, b) => a - b)
  return times[Math.floor(times.length * part)] ?? Number.POSITIVE_INFINITY
}

/** A time for readers of a table. */
export function milliseconds(time: number): string {
  return `${Math.round(time)} ms`
}
