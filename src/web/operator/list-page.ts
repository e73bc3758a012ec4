import { framePage, mayChange, type OperatorTab, tabLabel } from '../kit/frame.ts'
import { describedBy, type FormProblem } from '../shared/forms/form-problems.ts'
import type { FormFields } from '../shared/forms/settings-form.ts'
import { type Html, html } from '../shared/page/html.ts'
import type { HtmlPage, UserShell } from '../shared/page/html-page.ts'
import { pathTo, type RecordTab, withQuery } from './addresses.ts'

/** A control of a list's filter. */
export type Filter = { name: string; label: string } & (
  | { kind: 'search' | 'text' | 'date'; suggestions?: readonly string[] }
  | { kind: 'select'; options: readonly [string, string][] }
)

/** The filters of a list as its address has them. */
export type Chosen = Readonly<Record<string, string>>

type ListPageInput = UserShell & {
  tab: OperatorTab
  path: string
  lead: string
  filters: readonly Filter[]
  /** What the address has in the controls, and what cannot be read of it. */
  typed: FormFields
  problems: readonly FormProblem[]
  chosen: Chosen
  /** What those are called whose ids the filters have, by filter. */
  names: Chosen
  /** The cursor of the next page, if there is one. */
  cursor: string | undefined
  /** Where a new one is made, and how that is called. */
  create?: { href: string; label: string }
  content: Html
  /** What has just happened, in words. */
  message: string | undefined
}

/** Filters that links set and no control shows -> words, and whose page their value leads to. */
const OTHERS: Readonly<Record<string, readonly [words: string, tab?: RecordTab]>> = {
  partyId: ['account', 'Parties'],
  partnerId: ['connected with account', 'Parties'],
  memberId: ['user', 'Users'],
  developerId: ['developer', 'Developers'],
  actorId: ['actor'],
}

/** A list of the console: its filters, its entries, the way to the next page. */
export function listPage(input: ListPageInput): HtmlPage {
  const { tab, path, lead, filters, chosen, cursor, create, content, problems } = input
  const isFiltered = problems.length > 0 || Object.keys(chosen).length > 0
  const visible = new Set(filters.map(({ name }) => name))
  const others = Object.entries(chosen).filter(([name]) => !visible.has(name))
  return framePage({ console: 'operator', tab }, input, {
    title: tabLabel(tab),
    beside:
      mayChange(input) &&
      create &&
      html`<span class="actions"><a class="button primary" href="${create.href}">${create.label}</a>${
        tab === 'Users' && html` <a class="button" href="/Operator/Invitations">Invite people</a>`
      }</span>`,
    lead,
    content: html`<form class="search" method="get" action="${path}" role="search">
${others.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}${filters.map(
  (filter) => control(filter, input),
)}<button class="button" type="submit">Show</button></form>
${
  isFiltered &&
  html`<p class="muted">
${others.length > 0 && html`Only ${others.map((one) => otherFilter(one, input.names))}· `}<a href="${path}">Show all</a></p>`
}
<div class="card flush">${content}</div>
${
  cursor !== undefined &&
  html`<p class="actions">
<a class="button" rel="next" href="${withQuery(path, { ...chosen, cursor })}">Next</a></p>`
}`,
  })
}

function otherFilter([filter, value]: [string, string], names: Chosen): Html {
  const [words, tab] = OTHERS[filter] ?? [filter]
  const name = names[filter]
  const shown =
    name === undefined ? html`<bdi><code>${value}</code></bdi>` : html`<bdi>${name}</bdi>`
  return html`${words} ${tab === undefined ? shown : html`<a href="${pathTo(tab, value)}">${shown}</a>`} `
}

function control(filter: Filter, { typed, problems }: ListPageInput): Html {
  const { name, label, kind } = filter
  const value = typed.get(name)?.trim() ?? ''
  const { attributes, message } = describedBy(problems, name)
  if (kind === 'select') {
    return html`<div class="field"><label for="${name}">${label}</label>
${message}<select id="${name}" name="${name}"${attributes}>${filter.options.map(
      ([
        option,
        text,
      ]) => html`<option value="${option}"${option === value && html` selected`}>${text}</option>
`,
    )}</select></div>
`
  }
  const { suggestions = [] } = filter
  const listed =
    suggestions.length > 0 &&
    html`<datalist id="${name}-list">${suggestions.map((one) => html`<option value="${one}">`)}</datalist>`
  return html`<div class="field"><label for="${name}">${label}</label>
${message}<input id="${name}" name="${name}" type="${kind}"${kind !== 'date' && html` maxlength="200" dir="auto"`}
value="${value}"${listed && html` list="${name}-list"`}${attributes}>${listed}</div>
`
}

/** What a list shows when a filter cannot be read: not what was not asked for. */
export const nothingListed = html`<div class="empty"><p class="empty-title">No results</p><p>
Correct or clear the filters.</p></div>`

/** What to say when a list is empty. */
export function emptyList(chosen: Chosen, title: string, advice: Html): Html {
  return Object.keys(chosen).length > 0
    ? html`<p class="empty-title">No results</p><p>Change or clear the filters.</p>`
    : html`<p class="empty-title">${title}</p><p>${advice}</p>`
}
