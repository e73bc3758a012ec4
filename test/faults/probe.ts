import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

type Attack = (isOver: () => boolean) => Promise<void>

/**
 * Asks `/livez` while a server is under attack, from a thread that has nothing else to do.
 *
 * @param attack one connection's part of it, until `isOver`
 * @returns the time in milliseconds that 99 of 100 answers came in
 */
export async function beside(
  { url }: { url: string },
  attack: Attack,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<number> {
  const probe = new Worker(new URL('./livez-worker.ts', import.meta.url), {
    workerData: { url, seconds },
  })
  let isProbed = false
  const attacks = Array.from({ length: connections }, () => attack(() => isProbed))
  try {
    const [times] = (await once(probe, 'message')) as [number[]]
    times.sort((a, b) => a - b)
    return times[Math.floor(times.length * 0.99)] ?? Number.POSITIVE_INFINITY
  } finally {
    isProbed = true
    await Promise.all(attacks)
  }
}

/** A time for readers of a table. */
export function milliseconds(time: number): string {
  return `${Math.round(time)} ms`
}
