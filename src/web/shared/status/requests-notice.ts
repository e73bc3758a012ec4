import { type Html, html } from '../page/html.ts'

export const REQUESTS_PATH = '/Account/Requests'

/** Leads an admin to the install requests that wait; nothing when none does. */
export function requestsNotice(count: number): Html | false {
  if (count === 0) return false
  const text = count === 1 ? '1 install request waits' : `${count} install requests wait`
  return html`<div class="notice"><p><a href="${REQUESTS_PATH}">${text} for you</a></p></div>`
}
