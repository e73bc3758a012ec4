import { type Html, html } from '../shared/page/html.ts'
import { hiddenFields } from '../shared/page/html-page.ts'

/** What can be done with several entries of a list at once. */
export type BulkChoice<Entry> = {
  /** The id of an entry and what it is called; undefined for one that cannot be chosen. */
  choiceOf: (entry: Entry) => { id: string | number; name: string } | undefined
  /** What a button says -> the address of the page that asks before it is done. */
  actions: Readonly<Record<string, string>>
}

/** The box that chooses an entry of a list. */
export function choiceBox<Entry>({ choiceOf }: BulkChoice<Entry>, entry: Entry): Html | false {
  const choice = choiceOf(entry)
  return (
    choice !== undefined &&
    html`<label class="pick"><input type="checkbox" name="id" value="${choice.id}"><span
class="visually-hidden">Select <bdi>${choice.name}</bdi></span></label>`
  )
}

/**
 * The form around a list whose entries have such boxes, with a button for each action. A script adds a
 * box for all of them (`scripts/select-all.js`).
 *
 * @param query of the list, where the actions lead back to
 */
export function bulkForm({ actions }: BulkChoice<never>, query: string, list: Html): Html {
  const [first] = Object.values(actions)
  return html`<form class="bulk" method="get" action="${first}">
${hiddenFields({ from: query === '' ? undefined : query })}
<div class="bulk-bar">${Object.entries(actions).map(
    ([label, path]) =>
      html`<button class="button small" type="submit" formaction="${path}">${label}</button>\n`,
  )}</div>
${list}</form>
`
}
