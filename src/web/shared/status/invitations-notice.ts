import { type Html, html } from '../page/html.ts'

/** Leads to the invitations that wait; nothing when none does. */
export function invitationsNotice(count: number): Html | false {
  if (count === 0) return false
  const text = count === 1 ? '1 invitation waits' : `${count} invitations wait`
  return html`<div class="notice"><p><a href="/Account">${text} for you</a></p></div>`
}
