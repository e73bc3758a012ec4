import type { CsvValue } from '../../base/values/csv.ts'
import { COUNTED_IN_ROW_MAX } from '../../base/values/page-of-list.ts'
import { countText } from '../shared/page/counts.ts'
import { type Html, html } from '../shared/page/html.ts'
import type { Column } from './table.ts'

/** A column of a list and of its file; what has no value is not in the file. */
export type ListColumn<Entry> = Column<Entry> & {
  value?: (entry: Entry) => CsvValue
  isOnlyInFile?: true
}

/** Counts that go no further than `max`. */
export function numberColumn<Entry>(
  label: string,
  of: (entry: Entry) => number,
  max = COUNTED_IN_ROW_MAX,
): ListColumn<Entry> {
  const value = (entry: Entry) => {
    const count = of(entry)
    return count < max ? String(count) : `${(max - 1).toLocaleString('en')}+`
  }
  return { label, isNumeric: true, value, cell: value }
}

/** The day; the file has the time. */
export function timeColumn<Entry>(
  label: string,
  of: (entry: Entry) => Date | null,
  sort?: string,
): ListColumn<Entry> {
  return {
    label,
    ...(sort !== undefined && { sort }),
    value: of,
    cell: (entry) => day(of(entry)),
  }
}

/** The day alone: the page of the entry has the time. */
function day(at: Date | null): Html | string {
  if (at === null) return '–'
  const iso = at.toISOString()
  return html`<time datetime="${iso}">${iso.slice(0, 10)}</time>`
}

/** What is in the file alone. */
export function fileColumn<Entry>(
  label: string,
  value: (entry: Entry) => CsvValue,
): ListColumn<Entry> {
  return { label, value, cell: () => false, isOnlyInFile: true }
}

/** What leads to the page of an entry. */
export function nameCell(href: string, name: string, face: Html): Html {
  return html`<span class="named">${face}<a class="row-name" href="${href}"><bdi>${name}</bdi></a></span>`
}

/** `12 accounts`, `1 account`, `more than 1,000 accounts`. */
export function listCount(count: number, max: number, noun: string): string {
  return `${countText(count, max)} ${count === 1 ? noun : pluralOf(noun)}`
}

/** `accounts`, `deliveries`. */
export function pluralOf(noun: string): string {
  return noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`
}
