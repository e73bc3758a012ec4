import { type Html, html } from '../shared/page/html.ts'

/** A text as it is, such as what a receiver answered; scrolls, also by keyboard. */
export function textBox(label: string, text: string): Html {
  return html`<pre class="text-box" dir="auto" tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre>
`
}
