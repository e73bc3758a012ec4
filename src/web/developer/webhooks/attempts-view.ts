import type { RecentAttempt } from '../../../marketplace/webhooks/delivery-log/delivery.ts'
import { card } from '../../shared/page/blocks.ts'
import { type Html, html } from '../../shared/page/html.ts'

/** Places of the strip: as many attempts as it shows. */
const PLACES = 50
const SLOT = 10
const BAR_WIDTH = 7
/** Bars of what was delivered stand on this line, those of failures hang below it. */
const LINE = 40
const HEIGHT = 60
/** The fastest attempt can be seen. */
const BAR_MIN = 4

/** How an endpoint fared of late: a bar for each attempt, how many were delivered, how long they took. */
export function attemptsView(attempts: readonly RecentAttempt[]): Html | false {
  if (attempts.length === 0) return false
  const fine = attempts.filter(({ outcome }) => outcome === 'succeeded').length
  const rate = `${Math.floor((fine / attempts.length) * 100)}%`
  const median = `${medianOf(attempts.map(({ durationMs }) => durationMs)).toLocaleString('en')} ms`
  const count = attempts.length === 1 ? 'attempt' : `${attempts.length} attempts`
  const told = `Last ${count}, newest on the right: ${fine} delivered, ${attempts.length - fine} failed`
  return card(
    'recent',
    `Last ${count}`,
    html`<div class="attempts">
<dl class="attempt-figures">
<div><dt>Delivered</dt><dd>${rate}</dd></div>
<div><dt>Median time</dt><dd>${median}</dd></div>
</dl>
<svg class="strip" viewBox="0 0 ${PLACES * SLOT} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-labelledby="strip">
<title id="strip">${told}</title>
<path class="strip-good" d="${bars(attempts, (isFine) => isFine)}"/>
<path class="strip-bad" d="${bars(attempts, (isFine) => !isFine)}"/>
</svg></div>
`,
  )
}

/** A path with the bars of some attempts; the slowest of all is as high as there is room. */
function bars(attempts: readonly RecentAttempt[], isShown: (isFine: boolean) => boolean): string {
  const longest = Math.max(1, ...attempts.map(({ durationMs }) => durationMs))
  const first = PLACES - attempts.length
  return attempts
    .map(({ durationMs, outcome }, index) => {
      const isFine = outcome === 'succeeded'
      if (!isShown(isFine)) return ''
      const room = isFine ? LINE : HEIGHT - LINE
      const height = Math.round(Math.max(BAR_MIN, (durationMs / longest) * room))
      return `M${(first + index) * SLOT} ${LINE}v${isFine ? -height : height}h${BAR_WIDTH}V${LINE}z`
    })
    .join('')
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}
