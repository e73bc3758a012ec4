import { describedBy, type FormProblem } from '../shared/forms/form-problems.ts'
import type { FormFields } from '../shared/forms/settings-form.ts'
import { type Html, html } from '../shared/page/html.ts'

type Control = {
  /** The name of the field, and the id of its control. */
  name: string
  label: string
  /** The filters as the address has them. */
  typed: FormFields
  problems: readonly FormProblem[]
}

/** Apps to narrow a list to. */
export type AppChoices = {
  apps: readonly { id: string; name: string }[]
  /** Whether there are more. */
  isCut: boolean
}

/** A filter with choices; `all` is what it says when nothing is chosen. */
export function selectFilter({
  name,
  label,
  typed,
  problems,
  all,
  options,
  more,
}: Control & {
  all: string
  options: readonly (readonly [value: string, text: string])[]
  /** What is said of choices that the control does not have. */
  more?: string | false
}): Html {
  const { attributes, message } = describedBy(problems, name)
  const chosen = typed.get(name)
  return html`<div class="field"><label for="${name}">${label}</label>
${message}<select id="${name}" name="${name}"${attributes}><option value="">${all}</option>
${options.map(
  ([
    value,
    text,
  ]) => html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>
`,
)}${more && html`<option disabled>${more}</option>`}</select></div>`
}

/** The filter by app. */
export function appFilter({
  apps,
  isCut,
  ...control
}: Pick<Control, 'typed' | 'problems'> & AppChoices): Html {
  return selectFilter({
    name: 'appId',
    label: 'App',
    all: 'All apps',
    ...control,
    options: apps.map(({ id, name }) => [id, name] as const),
    more: isCut && 'The pages of more apps lead here',
  })
}

/** A filter that is typed. */
export function textFilter({
  name,
  label,
  typed,
  problems,
  type = 'text',
}: Control & { type?: 'text' | 'datetime-local' }): Html {
  const { attributes, message } = describedBy(problems, name)
  return html`<div class="field"><label for="${name}">${label}</label>
${message}<input type="${type}" id="${name}" name="${name}" autocomplete="off"${
    type === 'text' && html` maxlength="200" spellcheck="false"`
  }
value="${typed.get(name)?.trim() ?? ''}"${attributes}></div>`
}

/** The links to the first and the next page of a list, as far as there are any. */
export function nextAndFirst(list: {
  path: string
  query: string
  isContinued: boolean
  cursor: string | undefined
}): Html | false {
  const { path, query, isContinued, cursor } = list
  if (cursor === undefined && !isContinued) return false
  return html`<p class="actions">${
    isContinued && html`<a class="button" href="${path}${query && `?${query}`}">First page</a>`
  }${
    cursor !== undefined &&
    html`<a class="button" rel="next" href="${path}?${query && `${query}&`}cursor=${encodeURIComponent(cursor)}">Next page</a>`
  }</p>`
}

/** The filters that are set, as the query of an address. */
export function filterQuery(fields: FormFields, names: readonly string[]): string {
  const set = names.flatMap((name): [string, string][] => {
    const value = fields.get(name)?.trim() ?? ''
    return value === '' ? [] : [[name, value]]
  })
  return new URLSearchParams(set).toString()
}
