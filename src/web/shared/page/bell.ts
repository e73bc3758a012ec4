import { type Html, html } from './html.ts'

/** The count says "more" from here on. */
const SHOWN_MAX = 99

/** The link of the header to what a person is told of, with how much of it is unread. */
export function bell(unread: number): Html {
  const shown = unread > SHOWN_MAX ? `${SHOWN_MAX}+` : String(unread)
  return html`<a class="bell" href="/Account/Notifications">
<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
<path d="M5 17V10.5a7 7 0 0 1 14 0V17l1.5 2h-17zM9.5 22h5"/></svg>
<span class="visually-hidden">Notifications${unread > 0 && ': '}</span>
${unread > 0 && html`<span class="bell-count">${shown}<span class="visually-hidden"> unread</span></span>`}</a>`
}
