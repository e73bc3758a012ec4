import { addFigures, type Figures, noFigures } from '../../base/measures/figures.ts'
import { percentile } from '../../base/measures/latencies.ts'
import { type Bar, barChart } from '../kit/bar-chart.ts'
import { card } from '../shared/page/blocks.ts'
import { type Html, html } from '../shared/page/html.ts'

const P99 = 0.99

export type ChartRange = '24h' | '30d'
export type ChartStep = { at: Date; figures: Figures }

/** A value of one step: its height, and how it reads. */
type Point = Pick<Bar, 'value' | 'text'>
type Chart = {
  id: string
  title: string
  isBad?: true
  /** Whether more and less of it say nothing. */
  isTime?: true
  of: (figures: Figures) => Point
}

const number = (value: number): Point => ({ value, text: value.toLocaleString('en') })

const CHARTS: readonly Chart[] = [
  { id: 'requests', title: 'Requests', of: ({ requests }) => number(requests) },
  { id: 'errors', title: 'Server errors', isBad: true, of: ({ errors }) => number(errors) },
  { id: 'p99', title: 'p99 response time', isTime: true, of: p99Of },
  { id: 'tokens', title: 'Tokens issued', of: ({ tokens }) => number(tokens) },
  { id: 'installs', title: 'Installs', of: ({ installs }) => number(installs) },
  { id: 'failures', title: 'Failed webhook attempts', isBad: true, of: failuresOf },
]

function p99Of({ latency: { counts, bounds }, requests }: Figures): Point {
  if (requests === 0) return { value: 0, text: '–' }
  const seconds = percentile(counts, bounds, P99)
  if (seconds !== undefined) return { value: seconds, text: duration(seconds) }
  const most = bounds.at(-1) ?? 0
  return { value: most * 2, text: `over ${duration(most)}` }
}

function failuresOf({ failures, deliveries }: Figures): Point {
  const attempts = (failures + deliveries).toLocaleString('en')
  return { value: failures, text: `${failures.toLocaleString('en')} of ${attempts}` }
}

function duration(seconds: number): string {
  return seconds < 1 ? `${seconds * 1000} ms` : `${seconds} s`
}

const hourOf = (at: Date) => at.toISOString().slice(11, 16)
const DAY = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const

/** `shown` is a time below a chart, `label` that of a row of the table. */
const RANGES = {
  '24h': {
    title: 'Last 24 hours',
    other: '30d',
    step: 'Hour',
    shown: hourOf,
    label: hourOf,
    before: 'at',
    compared: 'the day before',
  },
  '30d': {
    title: 'Last 30 days',
    other: '24h',
    step: 'Day',
    shown: (at: Date) => at.toLocaleDateString('en-GB', DAY),
    label: (at: Date) => at.toISOString().slice(0, 10),
    before: 'on',
    compared: 'the 30 days before',
  },
} as const
type Range = (typeof RANGES)[ChartRange]

/**
 * How the marketplace does: a small chart for each figure, and all of them as a table.
 *
 * @param before the same number of steps before these, to which they are compared
 */
export function chartsCard(
  range: ChartRange,
  steps: readonly ChartStep[],
  before: readonly ChartStep[] = [],
): Html {
  const { title, other } = RANGES[range]
  const earlier = before.length > 0 ? sumOf(before) : undefined
  return card(
    'figures',
    title,
    html`<div class="charts">${CHARTS.map((chart) => chartFigure(chart, steps, earlier, RANGES[range]))}</div>
<details><summary>View as table</summary>${figuresTable(steps, RANGES[range])}</details>
<p class="fine">Full hours, UTC, all servers</p>
`,
    html`<a class="button small" href="/Operator?range=${other}">${RANGES[other].title}</a>`,
  )
}

function chartFigure(
  { id, title, isBad, isTime, of }: Chart,
  steps: readonly ChartStep[],
  earlier: Figures | undefined,
  { shown, before, compared }: Range,
): Html {
  const bars = steps.map(({ at, figures }) => ({ at: shown(at), ...of(figures) }))
  const most = bars.reduce((best, one) => (one.value > best.value ? one : best))
  const total = of(sumOf(steps))
  const change =
    earlier && !isTime ? changeText(total.value, of(earlier).value, compared) : undefined
  if (most.value === 0) {
    return html`<p class="chart-none"><strong>${title}</strong> <span class="fine">None${change && `, ${change}`}</span></p>
`
  }
  const highest = `Peak ${most.text} ${before} ${most.at}`
  return barChart({ id, title, isBad, total: total.text, highest, change, bars })
}

function sumOf(steps: readonly ChartStep[]): Figures {
  const sum = noFigures()
  for (const { figures } of steps) addFigures(sum, figures)
  return sum
}

/** `12% more than the day before`. */
function changeText(now: number, then: number, compared: string): string {
  if (now === then) return now === 0 ? '' : `as many as ${compared}`
  if (then === 0) return `none ${compared}`
  const percent = Math.round((Math.abs(now - then) / then) * 100)
  return `${percent.toLocaleString('en')}% ${now > then ? 'more' : 'less'} than ${compared}`
}

function figuresTable(steps: readonly ChartStep[], { step, label }: Range): Html {
  const rows = steps.map(({ at, figures }) => {
    const cells = CHARTS.map(({ of }) => html`<td>${of(figures).text}</td>`)
    return html`<tr><th scope="row">${label(at)}</th>${cells}</tr>
`
  })
  const heads = CHARTS.map(({ title }) => html`<th scope="col">${title}</th>`)
  return html`<div class="table" role="region" tabindex="0" aria-label="Figures as a table"><table>
<thead><tr><th scope="col">${step}</th>${heads}</tr></thead>
<tbody>${rows}</tbody></table></div>`
}
