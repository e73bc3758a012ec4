import type { Deps } from '../deps.ts'
import type { InstallationPrincipal } from '../values/principal.ts'
import type { Installation } from './installation.ts'
import { findInstallation, installationOf } from './record-service.ts'

/**
 * The record of the installation that a token acts for, without passwords; without
 * `settings:read` also without settings.
 */
export async function readOwnInstallation(
  deps: Pick<Deps, 'db' | 'secrets'>,
  { installationId, permissions }: InstallationPrincipal,
): Promise<Installation> {
  const { row } = await findInstallation(deps.db, installationId, {})
  const record = installationOf(deps, row, 'omit')
  return permissions.includes('settings:read')
    ? record
    : { ...record, userSettings: {}, adminSettings: {} }
}
