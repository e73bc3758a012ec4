import { type Html, html } from '../page/html.ts'

export const REQUESTS_PATH = '/Account/Requests'

/** Leads an admin to the install requests that wait; nothing when none does. */
export function requestsNotice(count: number): Html | false {
  if (count === 0) return false
  const text = count === 1 ? '1 install request' : `${count} install requests`
  return html`<div class="notice"><p><a href="${REQUESTS_PATH}">${text} to review</a></p></div>`
}
