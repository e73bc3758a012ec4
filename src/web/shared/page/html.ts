import { escapeHtml } from '../../../base/values/escape-html.ts'

/** The key is private to this module, so no value parsed from a request can pass for Html. */
const MARKUP = Symbol('html')

/**
 * Markup made by `html` or `raw`, the only kind of value that is inserted without escaping. It is
 * kept in pieces, and its texts are escaped once, when it is written.
 */
export type Html = { readonly [MARKUP]: Template }

type Template = {
  strings: readonly string[]
  values: readonly HtmlValue[]
  /** The characters of all its texts and markup, before they are escaped. */
  length: number
}

/** What a template may hold: `null`, `undefined` and `false` insert nothing, arrays are joined. */
type HtmlValue = string | number | bigint | Html | null | undefined | false | readonly HtmlValue[]

/** So much of a page is written at once: a text of markup takes 2 ms, any other far less. */
const PIECE_LENGTH = 32_768

/**
 * Template tag that escapes everything interpolated but nested `Html`. Of the white space of the
 * template itself, a line break with its indentation becomes one line break.
 * Throws a TypeError for a value outside `HtmlValue`, rather than showing "[object Object]".
 */
export function html(template: TemplateStringsArray, ...values: HtmlValue[]): Html {
  const { strings, length } = writtenOf(template)
  return { [MARKUP]: { strings, values, length: length + sizeOf(values) } }
}

type Written = { strings: readonly string[]; length: number }

/** The markup of each template of the code, as it is sent. */
const WRITTEN = new WeakMap<TemplateStringsArray, Written>()

function writtenOf(template: TemplateStringsArray): Written {
  const known = WRITTEN.get(template)
  if (known !== undefined) return known
  const strings = template.map((text) => text.replaceAll(/\n\s*/g, '\n'))
  const written = { strings, length: strings.reduce((sum, text) => sum + text.length, 0) }
  WRITTEN.set(template, written)
  return written
}

/** The characters of what a value holds. */
function sizeOf(value: HtmlValue): number {
  if (value === null || value === undefined || value === false) return 0
  if (typeof value === 'string') return value.length
  if (typeof value === 'number' || typeof value === 'bigint') return 1
  if (isList(value)) return value.reduce((sum: number, one) => sum + sizeOf(one), 0)
  return templateOf(value).length
}

/**
 * Marks as markup what this code base wrote: a constant, or what a Markdown renderer made of a
 * text. Never for anything else that came from outside.
 */
export function raw(markup: string): Html {
  return { [MARKUP]: { strings: [markup], values: [], length: markup.length } }
}

/** The characters of markup before its texts are escaped, which makes each six at most. */
export function lengthOf(markup: Html): number {
  return templateOf(markup).length
}

/** The text of finished markup. */
export function render(markup: Html): string {
  return [...pieces(markup)].join('')
}

/** The text of finished markup in pieces of some tens of thousands of characters, none of half ones. */
export function* pieces(markup: Html): Generator<string> {
  const open: { template: Template; list: readonly HtmlValue[] | undefined; at: number }[] = []
  let written = ''
  const begin = (template: Template) => {
    written += template.strings[0]
    open.push({ template, list: undefined, at: 0 })
  }
  begin(templateOf(markup))
  for (let one = open.at(-1); one !== undefined; one = open.at(-1)) {
    const { template, list } = one
    const values = list ?? template.values
    // Between two values of a template stands its own text, between those of a list nothing.
    if (list === undefined && one.at > 0) written += template.strings[one.at]
    const value = values[one.at]
    one.at += 1
    if (one.at > values.length) open.pop()
    else if (typeof value === 'string') {
      for (const part of slices(value)) {
        written += escapeHtml(part)
        if (written.length >= PIECE_LENGTH) {
          yield written
          written = ''
        }
      }
    } else if (typeof value === 'number' || typeof value === 'bigint') written += value
    else if (value === null || value === undefined || value === false) continue
    else if (isList(value)) open.push({ template, list: value, at: 0 })
    else begin(templateOf(value))
    if (written.length >= PIECE_LENGTH) {
      yield written
      written = ''
    }
  }
  yield written
}

/** A text in parts that are short enough to be escaped at once; NUL and lone surrogates become U+FFFD. */
function* slices(text: string): Generator<string> {
  const whole = text.toWellFormed()
  for (let from = 0; from < whole.length; ) {
    let to = Math.min(from + PIECE_LENGTH, whole.length)
    // A character of two units stays whole.
    if (to < whole.length && /[\ud800-\udbff]/.test(whole[to - 1] ?? '')) to -= 1
    yield whole.slice(from, to)
    from = to
  }
}

function templateOf(value: Html): Template {
  if (typeof value === 'object' && Object.hasOwn(value, MARKUP)) return value[MARKUP]
  throw new TypeError('html: this kind of value cannot be shown')
}

function isList(value: HtmlValue): value is readonly HtmlValue[] {
  return Array.isArray(value)
}
