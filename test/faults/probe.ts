import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '../setup/client.ts'

const PROBE_EVERY_MS = 20

type Attack = (isOver: () => boolean) => Promise<void>

/**
 * Asks `/livez` while a server is under attack.
 *
 * @param attack one connection's part of it, until `isOver`
 * @returns the time in milliseconds that 99 of 100 answers came in
 */
export async function beside(
  server: { url: string },
  attack: Attack,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<number> {
  const endsAt = performance.now() + seconds * 1000
  const isOver = () => performance.now() > endsAt
  const attacks = Array.from({ length: connections }, () => attack(isOver))
  const times: number[] = []
  while (!isOver()) {
    const askedAt = performance.now()
    await call(server, 'GET', '/livez')
    times.push(performance.now() - askedAt)
    await sleep(PROBE_EVERY_MS)
  }
  await Promise.all(attacks)
  times.sort((a, b) => a - b)
  return times[Math.floor(times.length * 0.99)] ?? Number.POSITIVE_INFINITY
}

/** A time for readers of a table. */
export function milliseconds(time: number): string {
  return `${Math.round(time)} ms`
}
