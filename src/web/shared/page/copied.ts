import { type Html, html } from './html.ts'

/** A text to be used elsewhere, with a button that copies it; without a script it is selected by hand. */
export function copied(id: string, label: string, text: string): Html {
  return html`<span class="copied">
<bdi><code id="${id}">${text}</code></bdi>
<button class="button small" type="button" data-copy="${id}" hidden>Copy<span class="visually-hidden"> ${label}</span></button></span>
`
}
