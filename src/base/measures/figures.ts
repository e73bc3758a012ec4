import { addLatencies, createLatencies, type Latencies, REQUEST_BOUNDS } from './latencies.ts'
import type { Measures } from './measures.ts'

/**
 * What machines ask all the time: whether the process lives and can answer, and what it counts. An
 * overloaded server answers them all the same, and they are left out of what people see.
 */
export const PROBE_ROUTES: ReadonlySet<string> = new Set(['/livez', '/readyz', '/metrics'])

/** Counts of one hour or more. */
export type Figures = {
  requests: number
  errors: number
  latency: Latencies
  tokens: number
  installs: number
  deliveries: number
  failures: number
}
type Count = Exclude<keyof Figures, 'latency'>

const COUNTS: readonly Count[] = [
  'requests',
  'errors',
  'tokens',
  'installs',
  'deliveries',
  'failures',
]
const HOUR_MS = 3_600_000
/** The place of 5xx among the classes of status. */
const ERROR_CLASS = 4

/** Figures of a time in which nothing happened. */
export function noFigures(): Figures {
  return {
    requests: 0,
    errors: 0,
    latency: createLatencies(REQUEST_BOUNDS),
    tokens: 0,
    installs: 0,
    deliveries: 0,
    failures: 0,
  }
}

/** What a process has counted since its start. */
export function figuresOf({ requests, tokensMade, installs, webhooks }: Measures): Figures {
  const figures = noFigures()
  for (const { route, classes, latency } of requests.all()) {
    if (PROBE_ROUTES.has(route)) continue
    figures.requests += sum(classes)
    figures.errors += classes[ERROR_CLASS] ?? 0
    addLatencies(figures.latency, latency)
  }
  figures.tokens = sum(Object.values(tokensMade))
  figures.installs = installs
  figures.deliveries = webhooks.succeeded
  figures.failures = sum(Object.values(webhooks.failed))
  return figures
}

/** What came to former counts. */
export function since(former: Figures, now: Figures): Figures {
  const added = noFigures()
  for (const count of COUNTS) added[count] = now[count] - former[count]
  addLatencies(added.latency, now.latency)
  former.latency.counts.forEach((count, index) => {
    added.latency.counts[index] = (added.latency.counts[index] ?? 0) - count
  })
  return added
}

/** Adds up figures, as those of a day from its hours. */
export function addFigures(to: Figures, figures: Figures): void {
  for (const count of COUNTS) to[count] += figures[count]
  addLatencies(to.latency, figures.latency)
}

/** Whether nothing was counted: such an hour is not stored. */
export function isNothing(figures: Figures): boolean {
  return COUNTS.every((count) => figures[count] === 0)
}

/** The hour of UTC that a moment is in. */
export function hourOf(time: Date): Date {
  return new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS)
}

function sum(counts: readonly (number | undefined)[]): number {
  return counts.reduce<number>((all, count = 0) => all + count, 0)
}
