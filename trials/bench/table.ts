import type { Scenario } from './scenarios.ts'

/** What came out of a scenario: medians of its rounds, errors of all of them. */
export type Outcome = Pick<Scenario, 'name' | 'against' | 'target' | 'measure'> & {
  ratio: number
  /** Ours by those of the other checkout, where one was measured. */
  ratioToOther?: number
  requestsPerSecond: number
  rivalPerSecond: number
  p50Ms: number
  p99Ms: number
  errors: number
  bytesPerRequest: number
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2
}

/** The outcomes as a Markdown table. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map((o) => [
    o.name,
    o.requestsPerSecond.toFixed(0),
    o.p50Ms.toFixed(1),
    o.p99Ms.toFixed(1),
    String(o.errors),
    String(o.bytesPerRequest),
    o.against,
    o.rivalPerSecond.toFixed(0),
    o.ratio.toFixed(2),
    o.ratioToOther?.toFixed(2) ?? '',
    targetOf(o),
  ])
  const head = ['scenario', 'requests/s', 'p50 ms', 'p99 ms', 'errors', 'bytes', 'against']
  const lines = [
    [...head, 'its requests/s', 'ratio', 'to the other checkout', 'target'],
    head.concat('', '', '', '').map(() => '---'),
    ...rows,
  ]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function targetOf({ target, measure, ratio }: Outcome): string {
  if (target === undefined) return ''
  const isMet = measure === 'time' ? ratio <= target : ratio >= target
  return `${measure === 'time' ? '<=' : '>='} ${target}${isMet ? '' : ' MISSED'}`
}
