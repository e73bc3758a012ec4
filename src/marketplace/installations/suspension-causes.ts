import type {
  SuspendableApp,
  SuspendableInstallation,
  SuspensionState,
} from '../../base/values/principal.ts'
import { AppError } from '../../errors.ts'

/** Something whose suspension keeps an installation from working: what, by whom, and why. */
export type SuspensionCause = {
  what: 'installation' | 'app' | 'developer' | 'account'
  by: 'developer' | 'operator'
  reason: string | null
}

/**
 * What keeps an installation from working, the nearest cause first; empty for an uninstalled one.
 * `principal-states-service.ts` decides the same in SQL, for tokens.
 */
export function suspensionCauses(row: SuspendableInstallation): SuspensionCause[] {
  const { status, suspendedReason: reason, app, party } = row
  if (status === 'uninstalled') return []
  const by = row.suspendedBy === 'developer' ? 'developer' : 'operator'
  const own: SuspensionCause[] =
    status === 'suspended' ? [{ what: 'installation', by, reason }] : []
  return [...own, ...suspensionsOfApp(app), ...suspensionsOfAccount(party)]
}

/** The causes as the app's developer may know them: an account's reason is not for others. */
export function suspensionsForDeveloper(row: SuspendableInstallation): SuspensionCause[] {
  return suspensionCauses(row).map((cause) =>
    cause.what === 'account' ? { ...cause, reason: null } : cause,
  )
}

/** What keeps an app from working for everybody. */
export function suspensionsOfApp(app: SuspendableApp): SuspensionCause[] {
  return [...byOperator('app', app), ...byOperator('developer', app.developer)]
}

/** What keeps all apps of an account from working: its own suspension, or nothing. */
export function suspensionsOfAccount(party: SuspensionState): SuspensionCause[] {
  return byOperator('account', party)
}

function byOperator(
  what: SuspensionCause['what'],
  { suspendedAt, suspendedReason: reason }: SuspensionState,
): SuspensionCause[] {
  return suspendedAt === null ? [] : [{ what, by: 'operator', reason }]
}

/** Whether users can open an installation now; never where the app runs in the background. */
export function canOpen(
  row: SuspendableInstallation & { app: { authReturnUrl: string | null } },
): boolean {
  return (
    row.status !== 'uninstalled' &&
    suspensionCauses(row).length === 0 &&
    Boolean(row.app.authReturnUrl)
  )
}

const NAMES: Record<SuspensionCause['what'], string> = {
  installation: 'installation',
  app: 'app',
  developer: "app's developer",
  account: 'account',
}

/**
 * Refuses what only a working installation may have, and names the nearest cause.
 *
 * @throws AppError installation_suspended
 */
export function requireNoSuspension([cause]: readonly SuspensionCause[]): void {
  if (cause === undefined) return
  const { what, reason } = cause
  throw new AppError('installation_suspended', {
    detail: `The ${NAMES[what]} is suspended${reason ? `: ${reason}` : '.'}`,
  })
}
