import { type Html, html } from './html.ts'

/**
 * A part of a page that is read again while something in it is pending (`scripts/live.js`).
 *
 * @param says what those hear who do not see it change
 */
export function livePart(id: string, isLive: boolean, content: Html, says?: string): Html {
  return html`<div class="live" id="${id}"${isLive && html` data-live`}${
    says !== undefined && html` data-says="${says}"`
  }>
${content}</div>
`
}
