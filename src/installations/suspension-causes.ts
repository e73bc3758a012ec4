import type { Installation } from './installation.ts'

/** Something whose suspension keeps an installation from working: what, by whom, and why. */
export type SuspensionCause = {
  what: 'installation' | 'app' | 'developer' | 'account'
  by: 'developer' | 'operator'
  reason: string | null
}

type State = { suspendedAt: Date | null; suspendedReason: string | null }
type SuspendableRow = State & {
  status: Installation['status']
  suspendedBy: string | null
  app: State & { developer: State }
  party: State
}

/**
 * What keeps an installation from working, the nearest cause first; empty for an uninstalled one.
 */
export function suspensionCauses(row: SuspendableRow): SuspensionCause[] {
  if (row.status === 'uninstalled') return []
  const { app, party } = row
  const by = row.suspendedBy === 'developer' ? 'developer' : 'operator'
  return [
    { what: 'installation', by, state: row } as const,
    { what: 'app', by: 'operator', state: app } as const,
    { what: 'developer', by: 'operator', state: app.developer } as const,
    { what: 'account', by: 'operator', state: party } as const,
  ]
    .filter(({ state }) => state.suspendedAt !== null)
    .map(({ what, by, state }) => ({ what, by, reason: state.suspendedReason }))
}
