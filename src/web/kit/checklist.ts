import { card } from '../shared/page/blocks.ts'
import { type Html, html } from '../shared/page/html.ts'

/** A step towards something that works, whether it is done, and where it is; none while it cannot be done. */
export type ChecklistStep = { label: string; href: string | undefined; isDone: boolean }

/** What is left to do, as a card; nothing when all is done. */
export function checklistCard(title: string, steps: readonly ChecklistStep[]): Html | false {
  const done = steps.filter(({ isDone }) => isDone).length
  if (done === steps.length) return false
  return card(
    'checklist',
    title,
    html`<ol class="checklist">${steps.map(({ label, href, isDone }) =>
      isDone
        ? html`<li class="done">${label}<span class="visually-hidden"> (done)</span></li>\n`
        : html`<li>${href === undefined ? label : html`<a href="${href}">${label}</a>`}</li>\n`,
    )}</ol>`,
    html`<label class="fine">${done} of ${steps.length} done <progress value="${done}" max="${steps.length}"></progress></label>`,
  )
}
