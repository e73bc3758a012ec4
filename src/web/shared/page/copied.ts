import { type Html, html } from './html.ts'

/** A text to be used elsewhere: a click selects it, and the script adds a button that copies it. */
export function copied(text: string | number): Html {
  return html`<bdi><code data-copy>${text}</code></bdi>`
}
