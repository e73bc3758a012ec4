import type { Installation } from '../../../marketplace/installations/installation.ts'
import { stateBadge, type Tone, typeBadge } from '../../kit/badge.ts'
import type { Html } from '../page/html.ts'

/** How an installation stands -> in a word, and its tone. */
export const STATUSES = {
  active: { text: 'Active', tone: 'on' },
  suspended: { text: 'Suspended', tone: 'off' },
  uninstalled: { text: 'Uninstalled', tone: 'idle' },
} as const satisfies Record<Installation['status'], { text: string; tone: Tone }>

/** What an app is that has no return address: nobody opens it, and nothing is wrong with it. */
export const backgroundBadge = typeBadge('Runs in the background')

/** How an installation stands, at a glance. */
export function statusBadge(
  status: Installation['status'],
  text: string = STATUSES[status].text,
): Html {
  return stateBadge(STATUSES[status].tone, text)
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
