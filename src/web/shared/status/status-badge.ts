import type { Installation } from '../../../marketplace/installations/installation.ts'
import { type Html, html } from '../page/html.ts'

/** How an installation stands -> in a word, and as a badge. */
export const STATUSES = {
  active: { text: 'Active', badge: 'badge badge-on' },
  suspended: { text: 'Suspended', badge: 'badge badge-suspended' },
  uninstalled: { text: 'Uninstalled', badge: 'badge' },
} as const satisfies Record<Installation['status'], { text: string; badge: string }>

/** What an app is that has no return address: nobody opens it, and nothing is wrong with it. */
export const backgroundBadge = html`<span class="badge">Runs in the background</span>`

/** How an installation stands, at a glance. */
export function statusBadge(
  status: Installation['status'],
  text: string = STATUSES[status].text,
): Html {
  return html`<span class="${STATUSES[status].badge}">${text}</span>`
}

/** The status of an installation that a suspended app or account suspends, too. */
export function standingOf({
  status,
  suspensions,
}: {
  status: Installation['status']
  suspensions: readonly unknown[]
}): Installation['status'] {
  return suspensions.length > 0 ? 'suspended' : status
}

/** Whether a live installation has nothing to be opened, though nothing stops it. */
export function runsInBackground({
  status,
  suspensions,
  openUrl,
}: {
  status: Installation['status']
  suspensions: readonly unknown[]
  openUrl: string | null
}): boolean {
  return openUrl === null && standingOf({ status, suspensions }) === 'active'
}
