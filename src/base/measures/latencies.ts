/** Upper bounds of the buckets, in seconds. */
export const REQUEST_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
/** From the change that made an event to its delivery: retries take up to days. */
export const DELIVERY_BOUNDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600, 3600, 86_400]

/** How often something took how long. */
export type Latencies = {
  readonly bounds: readonly number[]
  /** One count for each bound, and a last one for what took longer. */
  readonly counts: number[]
  sum: number
}

/** @param bounds upper bounds of the buckets in seconds, rising */
export function createLatencies(bounds: readonly number[]): Latencies {
  return { bounds, counts: Array.from({ length: bounds.length + 1 }, () => 0), sum: 0 }
}

/** Counts one duration. Allocates nothing: it runs in every request. */
export function observe(latencies: Latencies, seconds: number): void {
  const { bounds, counts } = latencies
  let index = 0
  while (index < bounds.length && seconds > (bounds[index] as number)) index += 1
  counts[index] = (counts[index] as number) + 1
  latencies.sum += seconds
}

/** Adds the counts of one to another with the same bounds. */
export function addLatencies(to: Latencies, { counts, sum }: Latencies): void {
  counts.forEach((count, index) => {
    to.counts[index] = (to.counts[index] ?? 0) + count
  })
  to.sum += sum
}

/**
 * The duration that a share of all stays below, in seconds: the upper bound of its bucket. Undefined
 * when there was none, or when it is beyond the last bound.
 *
 * @param share 0.99 for the 99th percentile
 */
export function percentile(
  counts: readonly number[],
  bounds: readonly number[],
  share: number,
): number | undefined {
  const all = counts.reduce((total, count) => total + count, 0)
  if (all === 0) return undefined
  let below = 0
  const index = counts.findIndex((count) => {
    below += count
    return below >= all * share
  })
  return bounds[index]
}
