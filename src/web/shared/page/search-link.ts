import { type Html, html } from './html.ts'

/** The link of the header to the search over everything; a script opens it by key, too. */
export const searchLink: Html = html`<a class="search-link" href="/Search" aria-keyshortcuts="/ Control+K Meta+K">
<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
<path d="M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5L21 21"/></svg>
<span class="visually-hidden">Search</span></a>`
