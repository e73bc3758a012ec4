import type { FormProblem } from '../../shared/forms/form-problems.ts'
import { type Html, html } from '../../shared/page/html.ts'

/** So many lines with problems are shown; the summary lists all problems. */
const LINES_MAX = 100
/** So much of a line is shown. */
const LINE_MAX_LENGTH = 200

/** The lines of the text that have problems, each with its number and what is wrong with it. */
export function problemLines(text: string, problems: readonly FormProblem[]): Html | false {
  const byLine = Map.groupBy(
    problems.filter(({ line }) => line !== undefined),
    ({ line }) => Number(line),
  )
  if (byLine.size === 0) return false
  const lines = text.split('\n')
  const shown = [...byLine].sort(([a], [b]) => a - b).slice(0, LINES_MAX)
  return html`<section class="card" aria-labelledby="problem-lines"><h2 id="problem-lines">Lines with problems</h2>
<ol class="problem-lines">${shown.map(
    ([line, found]) => html`<li><a class="line-number" href="#definition"
data-line="${line}">Line ${line}</a> <code><bdi>${(lines[line - 1] ?? '').trim().slice(0, LINE_MAX_LENGTH)}</bdi></code>
${found.map((one) => html`<p class="field-error"><bdi>${one.text}</bdi></p>`)}</li>
`,
  )}</ol></section>`
}
