import { type Html, html } from './html.ts'

/** Longest array or object that is kept on one line. */
const LINE_LENGTH = 60

/** JSON for readers: two spaces, and short lists on one line. */
export function formatJson(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const entries = Object.entries(value).map(
    ([key, child]) => (isList ? '' : `${JSON.stringify(key)}: `) + formatJson(child, inner),
  )
  if (entries.length === 0) return isList ? '[]' : '{}'
  const [open, close] = isList ? ['[', ']'] : ['{ ', ' }']
  const line = `${open}${entries.join(', ')}${close}`
  // The outermost object is always spread out: that is the record, one line per field.
  const mayBeShort = isList || indent !== ''
  if (mayBeShort && line.length <= LINE_LENGTH && !line.includes('\n')) return line
  return `${open.trim()}\n${entries.map((entry) => inner + entry).join(',\n')}\n${indent}${close.trim()}`
}

/** Strings with the colon that makes them keys, numbers and words. */
const JSON_TOKENS = /("(?:[^"\\]|\\.)*"?)(\s*:)?|-?\d[\d.eE+-]*|[a-z]+/g
const LITERALS = new Set(['true', 'false', 'null'])

/** Text with its JSON coloured; what is not JSON in it stays as it is. */
export function jsonMarkup(text: string): Html {
  const parts: (Html | string)[] = []
  let end = 0
  for (const match of text.matchAll(JSON_TOKENS)) {
    const [whole, string, colon] = match
    if (/^[a-z]/.test(whole) && !LITERALS.has(whole)) continue
    parts.push(text.slice(end, match.index))
    const kind = string === undefined ? 'literal' : colon === undefined ? 'string' : 'key'
    parts.push(html`<span class="tok-${kind}">${string ?? whole}</span>${colon ?? ''}`)
    end = match.index + whole.length
  }
  return html`${parts}${text.slice(end)}`
}

/** A command: its quoted arguments and the JSON body coloured. */
export function shellMarkup(command: string): Html {
  const body = command.indexOf(" -d '")
  const head = body === -1 ? command : command.slice(0, body)
  const parts = head.split(/("[^"]*"|'[^']*')/)
  const coloured = parts.map((part, index) =>
    index % 2 === 1 ? html`<span class="tok-string">${part}</span>` : part,
  )
  return html`${coloured}${body !== -1 && jsonMarkup(command.slice(body))}`
}

/** A box of code with a caption; scrolls sideways, also by keyboard. */
export function codeBox(caption: string | Html, label: string, code: Html): Html {
  return html`<figure class="code-box">
<figcaption>${caption}</figcaption>
<pre tabindex="0" role="region" aria-label="${label}"><code>${code}</code></pre>
</figure>`
}

/** A box with a value as JSON. */
export function jsonBox(caption: string | Html, label: string, value: unknown): Html {
  return codeBox(caption, label, jsonMarkup(formatJson(value)))
}
