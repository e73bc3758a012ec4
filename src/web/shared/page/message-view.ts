import { when } from '../status/history-view.ts'
import { type Html, html } from './html.ts'

/**
 * A password that is shown once, with what belongs to it: label -> value.
 *
 * `what` it is called, unless it is a password, and whether that is a plural; `until`: the time at
 * which it ends, in ISO 8601; `use`: how it is used, and a line of code that does.
 */
export type Secret = {
  title: string
  facts: Readonly<Record<string, string>>
  what?: string
  isPlural?: boolean
  until?: string
  use?: { text: string; code: string }
}

/** What has just happened: in words, or a password that was made. */
export type Message = string | Secret

/** What has just happened, above the content of a page; nothing when there is nothing to say. */
export function messageView(message: Message | undefined): Html | false {
  if (message === undefined) return false
  if (typeof message === 'string') {
    return html`<div class="notice" role="status"><p>${message}</p></div>`
  }
  const { title, facts, what = 'password', isPlural = false, until, use } = message
  return html`<div class="notice warning" role="status"><p>
<strong>${title}</strong> Copy the ${what} now: ${isPlural ? 'they are' : 'it is'} shown only once.</p><dl class="facts">
${Object.entries(facts).map(
  ([label, value]) => html`<dt>${label}</dt><dd><bdi><code>${value}</code></bdi></dd>`,
)}${
  until !== undefined && html`<dt>Works until</dt><dd>${when(new Date(until))}</dd>`
}</dl>${use && html`<p>${use.text} <code>${use.code}</code></p>`}</div>`
}
