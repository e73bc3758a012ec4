import { type Html, html } from '../shared/page/html.ts'

const WIDTH = 240
const HEIGHT = 56
const GAP_SHARE = 0.2
/** A value that is not nothing can be seen. */
const BAR_MIN = 2

/** A value of a chart: its height, how it reads, and when it was. */
export type Bar = { value: number; text: string; at: string }

/** What the bars are of, their sum, the highest of them, and how the sum compares, as text. */
type BarChart = {
  id: string
  title: string
  total: string
  highest: string
  change?: string | undefined
  bars: readonly Bar[]
  isBad?: boolean | undefined
}

/** A small chart: what is in it in words, and a bar for each value, the highest as high as the chart. */
export function barChart({ id, title, total, highest, change, bars, isBad }: BarChart): Html {
  return html`<figure class="chart">
    <figcaption>
      <strong>${title}</strong>
      <span class="chart-total">${total}</span>
      <span class="fine">${change && `${change} · `}${highest}</span>
    </figcaption>
    <svg class="${isBad ? 'chart-bad' : 'chart-good'}" viewBox="0 0 ${WIDTH} ${HEIGHT}"
      preserveAspectRatio="none" role="img" aria-labelledby="chart-${id}">
      <title id="chart-${id}">${title}: ${highest}</title>
      <path class="chart-most" d="M0 0.5h${WIDTH}"/>
      ${barShapes(bars)}
    </svg>
    <p class="chart-times fine" aria-hidden="true">
      <span>${bars[0]?.at}</span>
      <span>${bars.at(-1)?.at}</span>
    </p>
  </figure>
`
}

/** A pointer on a bar, or anywhere above it, reads its value. */
function barShapes(bars: readonly Bar[]): Html[] {
  const most = Math.max(...bars.map(({ value }) => value))
  const slot = WIDTH / bars.length
  const width = round(slot * (1 - GAP_SHARE))
  return bars.map(({ value, text, at }, index) => {
    const height = value === 0 ? 0 : round(Math.max(BAR_MIN, (value / most) * HEIGHT))
    const x = round(index * slot)
    return html`<g><title>${at}: ${text}</title><path class="chart-slot" d="M${x} 0h${width}v${HEIGHT}h-${width}z"/>${
      height > 0 && html`<path d="M${x} ${HEIGHT}v-${height}h${width}v${height}z"/>`
    }</g>`
  })
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
