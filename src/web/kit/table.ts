import { type Html, html } from '../shared/page/html.ts'

/** What an entry of a list shows in one column. */
export type Column<Entry> = {
  label: string
  cell: (entry: Entry) => Html | string | number | false
  /** What an address calls the order by this column; without it no list is in that order. */
  sort?: string
  isNumeric?: boolean
  /**
   * What a phone makes of it: a part of the line below the name, what stands beside the name, or
   * nothing. The first column is the name.
   */
  phone?: 'note' | 'end' | 'hidden'
}

/** The order of a list, `name` or `-name` for the other direction, and the address of another one. */
type Sorting = { sort: string; href: (sort: string) => string }

export type TableShown<Entry> = {
  /** What it lists, for those who do not see where it stands. */
  caption: string
  columns: readonly Column<Entry>[]
  entries: readonly Entry[]
  sorting?: Sorting | undefined
  /** Before the name, such as a box that chooses the entry. */
  pick?: ((entry: Entry) => Html | false) | undefined
}

/** Entries as a table, on a phone as rows. The first column names the entry. */
export function tableView<Entry>(table: TableShown<Entry>): Html {
  const { caption, columns, entries, sorting, pick } = table
  return html`<table class="listing">
<caption class="visually-hidden">${caption}</caption>
<thead>
<tr>${pick && html`<td class="pick"></td>\n`}${columns.map((column) => heading(column, sorting))}</tr>
</thead>
<tbody>${entries.map(
    (entry) =>
      html`<tr>${pick && html`<td class="pick">${pick(entry)}</td>\n`}${columns.map((column, at) =>
        cell(column, entry, at === 0),
      )}</tr>\n`,
  )}</tbody>
</table>
`
}

function heading<Entry>({ label, sort, isNumeric }: Column<Entry>, sorting?: Sorting): Html {
  const numeric = isNumeric && html` class="numeric"`
  if (sort === undefined || sorting === undefined)
    return html`<th scope="col"${numeric}>${label}</th>\n`
  const isUp = sorting.sort === sort
  const isDown = sorting.sort === `-${sort}`
  const order = isUp ? 'ascending' : isDown ? 'descending' : undefined
  return html`<th scope="col"${numeric}${order && html` aria-sort="${order}"`}>
<a class="sort" href="${sorting.href(isUp ? `-${sort}` : sort)}">${label}<span class="sort-mark" aria-hidden="true">${
    isUp ? '↑' : isDown ? '↓' : '↕'
  }</span></a></th>
`
}

function cell<Entry>(column: Column<Entry>, entry: Entry, isName: boolean): Html {
  const { label, isNumeric, phone = 'note' } = column
  const content = column.cell(entry)
  if (isName) return html`<th scope="row">${content}</th>\n`
  return html`<td class="${phone}${isNumeric && ' numeric'}" data-label="${label}">${content}</td>\n`
}
