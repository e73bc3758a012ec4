import { type Html, html } from './html.ts'

const WIDTH = 240
const HEIGHT = 56
/** A value that is not nothing can be seen. */
const BAR_MIN = 2

/** A value of a chart: its height, and what it is of. */
type Bar = { value: number; label: string }

/** A small chart of whole numbers: the total in words, and a bar for each value. */
export function barChart(id: string, title: string, bars: readonly Bar[]): Html {
  const most = Math.max(1, ...bars.map(({ value }) => value))
  const slot = WIDTH / bars.length
  const shapes = bars.map(({ value, label }, index) => {
    const height = value === 0 ? 0 : Math.max(BAR_MIN, Math.round((value / most) * HEIGHT))
    return html`<path d="M${Math.round(index * slot)} ${HEIGHT}v-${height}h${Math.floor(slot) - 1}v${height}z">
<title>${label}: ${value}</title></path>
`
  })
  const total = bars.reduce((sum, { value }) => sum + value, 0)
  return html`<figure class="chart"><figcaption><strong>${title}</strong>
<span class="fine">${total.toLocaleString('en')} in all, at most ${most.toLocaleString('en')} a day</span></figcaption>
<svg class="chart-good" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-labelledby="${id}">
<title id="${id}">${title}: ${total}</title>
${shapes}</svg>
<p class="chart-times fine" aria-hidden="true"><span>${bars[0]?.label}</span><span>${bars.at(-1)?.label}</span></p></figure>
`
}
