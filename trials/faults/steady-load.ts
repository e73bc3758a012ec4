import { type Probe, probe } from '../../test/setup/probes.ts'

export type LoadSeen = {
  count: number
  /** Statuses that are not 2xx; 0 is a connection that broke. */
  failed: number[]
  p99Ms: number
  longestMs: number
}

/** Sends requests at an even rate, each kind in turn, however long the answers take. */
export function requestsAt(
  server: { url: string },
  probes: readonly Probe[],
  perSecond: number,
): { stop(): Promise<LoadSeen> } {
  const startedAtMs = performance.now()
  const underWay: Promise<{ status: number; ms: number }>[] = []
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAtMs) * perSecond) / 1_000)
    while (underWay.length < due) {
      const one = probes[underWay.length % probes.length]
      if (one === undefined) return
      underWay.push(probe(server, one))
    }
  }, 1_000 / perSecond)
  return {
    async stop() {
      clearInterval(timer)
      const answers = await Promise.all(underWay)
      const times = answers.map(({ ms }) => ms).sort((a, b) => a - b)
      return {
        count: answers.length,
        failed: answers
          .map(({ status }) => status)
          .filter((status) => status < 200 || status >= 300),
        p99Ms: times[Math.floor(times.length * 0.99)] ?? 0,
        longestMs: times.at(-1) ?? 0,
      }
    },
  }
}
