import { type Html, html } from '../page/html.ts'

export const UPGRADES_PATH = '/Account/Upgrades'

/** Leads an admin to the upgrades that wait; nothing when none does. */
export function upgradesNotice(count: number): Html | false {
  if (count === 0) return false
  const text = count === 1 ? '1 upgrade' : `${count} upgrades`
  return html`<div class="notice"><p><a href="${UPGRADES_PATH}">${text} to review</a></p></div>`
}
