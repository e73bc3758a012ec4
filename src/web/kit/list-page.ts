import { describedBy, type FormProblem } from '../shared/forms/form-problems.ts'
import type { FormFields } from '../shared/forms/settings-form.ts'
import { type Html, html } from '../shared/page/html.ts'
import { type HtmlPage, hiddenFields } from '../shared/page/html-page.ts'
import { withQuery } from '../shared/page/with-query.ts'
import { pager } from './action-list.ts'
import { type BulkChoice, bulkForm, choiceBox } from './bulk-choice.ts'
import { emptyState } from './empty-state.ts'
import { framePage, type Place, type Shown, type Visit } from './frame.ts'
import { type SavedViewLink, savedViewsView, saveViewHref } from './saved-views.ts'
import { type Column, tableView } from './table.ts'

/** A control of a list's filter. */
export type Filter = { name: string; label: string } & (
  | { kind: 'search' | 'text' | 'date' | 'datetime-local'; suggestions?: readonly string[] }
  | { kind: 'select'; options: readonly (readonly [value: string, text: string])[] }
)

/**
 * How many entries a page can have, where the address asks for another number than the usual one. All
 * of them can be chosen in one address, which has 100 parameters at most.
 */
export const LIST_SIZES = ['20', '50', '80'] as const

/** The filters of a list as its address has them: name -> value. */
export type Chosen = Readonly<Record<string, string>>

export type ListShown<Entry> = Omit<Shown, 'content'> & {
  /** With what the address says beside filters, order and place in the list. */
  path: string
  /** Before the filters. */
  above?: Html | false
  filters?: readonly Filter[]
  /** What the address has in the controls, and what could be read of it. */
  typed?: FormFields
  chosen?: Chosen
  /** In words the filters that no control shows, each with a space behind. */
  others?: Html | false
  entries: readonly Entry[]
  /** How the entries look: in columns, or as something else. */
  columns: readonly Column<Entry>[] | ((entries: readonly Entry[]) => Html)
  /** What can be done with several of them at once, where they are in columns. */
  bulk?: BulkChoice<Entry> | false | undefined
  /** The order, and the one of an address that names none. */
  sort?: { by: string; usual: string }
  /** How many there are, such as `12 accounts`. */
  count?: string | undefined
  /** What all of them come to. */
  total?: Html | false
  /** What stands in the place of no entries, where no filter is the reason. */
  empty: Html
  /** How many entries the address asks for. */
  size?: (typeof LIST_SIZES)[number] | undefined
  /** Where this page begins, unless it is the first one. */
  from?: string | undefined
  /** Where the next page begins, if there is one. */
  cursor?: string | undefined
  /** Whether there is a page before. */
  isContinued?: boolean
  /** After the entries, and the way to the others. */
  below?: Html
  /** What the visitor has saved of the list; without it nothing can be saved. */
  views?: readonly SavedViewLink[]
  /** The files of all entries with these filters: what a link says -> its path. */
  exports?: Readonly<Record<string, string>>
}

/** A list: its filters, how many there are, the entries in their order, the way to the others. */
export function listPage<Entry>(place: Place, visit: Visit, list: ListShown<Entry>): HtmlPage {
  const { path, filters = [], typed = new Map(), chosen = {}, others, entries, columns } = list
  const { title, sort, size, from, cursor, isContinued, above, below, bulk, views } = list
  const { problems = [] } = visit
  const query = { ...chosen, sort: sort && sort.by !== sort.usual ? sort.by : undefined, size }
  const shownQuery = withQuery('', query).slice(1)
  const canSave = views && problems.length === 0 && !views.some((one) => one.query === shownQuery)
  const isFiltered = problems.length > 0 || Object.keys(chosen).length > 0
  const sorting = sort && {
    sort: sort.by,
    href: (by: string) => withQuery(path, { ...query, sort: by === sort.usual ? undefined : by }),
  }
  const pick = bulk && ((entry: Entry) => choiceBox(bulk, entry))
  const table =
    typeof columns === 'function'
      ? columns(entries)
      : tableView({ caption: title, columns, entries, sorting, ...(pick && { pick }) })
  const shown = bulk ? bulkForm(bulk, shownQuery, table) : table
  const [action = '', fixed] = path.split('?', 2)
  const hidden = [...new URLSearchParams(fixed), ...Object.entries(query)].filter(
    ([name]) => !filters.some((one) => one.name === name),
  )
  return framePage(place, visit, {
    ...list,
    layout: list.layout ?? 'wide',
    content: html`${above}${
      filters.length > 0 &&
      html`<form class="search" method="get" action="${action}" role="search">
<a class="skip-link" href="#entries">Skip filters</a>
${hiddenFields(Object.fromEntries(hidden))}${filters.map((filter) => control(filter, typed, problems))}
<button class="button" type="submit">Show</button>
</form>`
    }
${
  isFiltered &&
  html`<p class="muted">
${others && html`Only ${others}· `}<a href="${path}">Show all</a>${
    canSave && html` · <a href="${saveViewHref(path, shownQuery)}">Save this view</a>`
  }</p>`
}
${views && problems.length === 0 && savedViewsView(shownQuery, views)}
<div class="card flush" id="entries" tabindex="-1">
${entries.length > 0 && listBar({ ...list, query })}
${entries.length > 0 ? shown : nothingOf(list, problems)}
</div>
${pager({
  first: isContinued && { href: withQuery(path, query), label: 'First page' },
  next: cursor !== undefined && { href: withQuery(path, { ...query, cursor }), label: 'Next' },
})}
${(cursor !== undefined || isContinued || size !== undefined) && sizesView(path, { ...query, cursor: from })}
${below}`,
  })
}

/** How many entries a list has, what they come to, and its files. */
export function listBar({
  count,
  total,
  exports = {},
  query = {},
}: Pick<ListShown<never>, 'count' | 'total' | 'exports'> & {
  query?: Record<string, string | undefined>
}): Html | false {
  const files = Object.entries(exports)
  if (count === undefined && files.length === 0) return false
  return html`<div class="list-bar">
<p>${count}</p>${total && html`<p>${total}</p>`}
${
  files.length > 0 &&
  html`<p class="list-files">${files.map(
    ([label, path]) => html`<a href="${withQuery(path, query)}">${label}</a>\n`,
  )}</p>`
}
</div>
`
}

/** Other numbers of entries, from the same entry on. */
function sizesView(path: string, query: Record<string, string | undefined>): Html {
  return html`<nav aria-label="Page size"><p class="list-files muted">Entries per page: ${LIST_SIZES.map(
    (size) =>
      html`<a href="${withQuery(path, { ...query, size })}"${
        size === query.size && html` aria-current="true"`
      }>${size}</a>\n`,
  )}</p></nav>
`
}

function control(filter: Filter, typed: FormFields, problems: readonly FormProblem[]): Html {
  const { name, label, kind } = filter
  const value = typed.get(name)?.trim() ?? ''
  const { attributes, message } = describedBy(problems, name)
  if (kind === 'select') {
    return html`<div class="field"><label for="${name}">${label}</label>
${message}<select id="${name}" name="${name}"${attributes}>${filter.options.map(
      ([key, text]) =>
        html`<option value="${key}"${key === value && html` selected`}>${text}</option>\n`,
    )}</select></div>
`
  }
  const { suggestions = [] } = filter
  const listed =
    suggestions.length > 0 &&
    html`<datalist id="${name}-list">${suggestions.map((one) => html`<option value="${one}">`)}</datalist>`
  return html`<div class="field"><label for="${name}">${label}</label>
${message}<input id="${name}" name="${name}" type="${kind}"${!kind.startsWith('date') && html` maxlength="200" dir="auto"`}
value="${value}"${listed && html` list="${name}-list"`}${attributes}>${listed}</div>
`
}

/** What a list without entries says: another sentence with filters than without any. */
function nothingOf<Entry>(
  { path, chosen = {}, isContinued, empty }: ListShown<Entry>,
  problems: readonly FormProblem[],
): Html {
  const clear = { href: path, label: 'Clear the filters' }
  if (problems.length > 0) {
    return emptyState('search', 'No results. Correct or clear the filters.', clear)
  }
  if (isContinued) return emptyState('search', 'There are no more.')
  return Object.keys(chosen).length > 0
    ? emptyState('search', 'No results. Change or clear the filters.', clear)
    : empty
}
