import type { Installation } from '../installations/installation.ts'
import { type Html, html } from './html.ts'

export const STATUS_TEXT = {
  active: 'Active',
  suspended: 'Suspended',
  uninstalled: 'Uninstalled',
} as const satisfies Record<Installation['status'], string>

const BADGE = {
  active: 'badge badge-on',
  suspended: 'badge badge-suspended',
  uninstalled: 'badge',
} as const satisfies Record<Installation['status'], string>

/** How an installation stands, at a glance. */
export function statusBadge(
  status: Installation['status'],
  text: string = STATUS_TEXT[status],
): Html {
  return html`<span class="${BADGE[status]}">${text}</span>`
}

/** The same, where a suspended app or account suspends the installation too. */
export function standingOf({
  status,
  suspensions,
}: {
  status: Installation['status']
  suspensions: readonly unknown[]
}): Installation['status'] {
  return suspensions.length > 0 ? 'suspended' : status
}
