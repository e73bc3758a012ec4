/** The key is private to this module, so no value parsed from a request can pass for Html. */
const MARKUP = Symbol('html')

/** Markup made by `html` or `raw`, the only kind of value that is inserted without escaping. */
export type Html = { readonly [MARKUP]: string }

/** What a template may hold: `null`, `undefined` and `false` insert nothing, arrays are joined. */
type HtmlValue = string | number | bigint | Html | null | undefined | false | readonly HtmlValue[]

/** CR is kept by its reference: the parser would turn a bare one into LF (WHATWG HTML 13.2.3.5). */
const REFERENCES: Record<string, string> = {
  // Before all others, whose references begin with it: long texts are escaped in this order.
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\r': '&#13;',
  '\0': '\u{FFFD}',
}

/** In a longer text, a pass for each character takes a third of the time of a call for each found. */
const LONG_LENGTH = 10_000

/**
 * Escapes text for element content and quoted attribute values. NUL and lone surrogates, which
 * HTML cannot carry, become U+FFFD. Not meant for unquoted attributes, `<script>`, `<style>` or
 * the scheme of a URL.
 */
function escapeHtml(text: string): string {
  const whole = text.toWellFormed()
  if (whole.length < LONG_LENGTH) {
    return whole.replace(/[&<>"'\r\0]/g, (character) => REFERENCES[character] ?? '')
  }
  let escaped = whole
  for (const [character, reference] of Object.entries(REFERENCES)) {
    escaped = escaped.replaceAll(character, reference)
  }
  return escaped
}

/**
 * Template tag that escapes everything interpolated but nested `Html`.
 * Throws a TypeError for a value outside `HtmlValue`, rather than showing "[object Object]".
 */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  let markup = strings[0] ?? ''
  values.forEach((value, index) => {
    markup += toMarkup(value) + (strings[index + 1] ?? '')
  })
  return { [MARKUP]: markup }
}

/**
 * Marks as markup what this code base wrote: a constant, or what the Markdown renderer made of a
 * text of ours. Never for anything that came from outside.
 */
export function raw(markup: string): Html {
  return { [MARKUP]: markup }
}

/** The text of finished markup, ready to be sent. */
export function render(markup: Html): string {
  return markup[MARKUP]
}

function toMarkup(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return ''
  if (typeof value === 'string') return escapeHtml(value)
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (isList(value)) return value.map(toMarkup).join('')
  if (typeof value === 'object' && Object.hasOwn(value, MARKUP)) return value[MARKUP]
  throw new TypeError('html: this kind of value cannot be shown')
}

function isList(value: HtmlValue): value is readonly HtmlValue[] {
  return Array.isArray(value)
}
