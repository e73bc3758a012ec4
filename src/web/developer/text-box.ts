import { type Html, html } from '../shared/page/html.ts'

/**
 * A text as it is, such as what a receiver answered; scrolls, also by keyboard.
 *
 * @param options `isCopied`: whether the script adds a button that copies it
 */
export function textBox(
  label: string,
  text: string,
  { isCopied = false }: { isCopied?: boolean } = {},
): Html {
  return html`<pre class="text-box" dir="auto" tabindex="0" role="region" aria-label="${label}"${
    isCopied && html` data-copy`
  }><code>${text}</code></pre>
`
}
