import { jsonMarkup } from './code-colours.ts'
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
