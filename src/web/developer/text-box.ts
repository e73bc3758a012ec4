import { type Html, html } from '../shared/page/html.ts'

/**
 * A text as it is, such as what a receiver answered; scrolls, also by keyboard.
 *
 * @param id of the text, for a button that copies it
 */
export function textBox(label: string, text: string, id?: string): Html {
  return html`<pre class="text-box" dir="auto" tabindex="0" role="region" aria-label="${label}"><code${
    id !== undefined && html` id="${id}"`
  }>${text}</code></pre>
`
}
