import { type Html, html } from './html.ts'

/**
 * A part of a page that is read again while something in it is pending (`scripts/live.js`).
 *
 * @param says what those hear who do not see it change
 */
export function livePart(id: string, isLive: boolean, content: Html, says?: string): Html {
  const spoken = says !== undefined && html` data-says="${says}"`
  return html`<div class="live" id="${id}"${isLive && html` data-live`}${spoken}>
${content}</div>
`
}

/** A badge that is read again likewise, beside words. */
export function liveBadge(id: string, isLive: boolean, badge: Html): Html {
  return html`<span class="live" id="${id}"${isLive && html` data-live`}>${badge}</span>`
}
