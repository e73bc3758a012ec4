import type { Deps } from '../deps.ts'
import type { InstallationPrincipal } from '../values/principal.ts'
import type { Installation } from './installation.ts'
import { findInstallation, installationRecordOf } from './stored-installation-service.ts'

/**
 * The record of the installation that a token acts for, without passwords; without
 * `settings:read` also without settings.
 */
export async function readInstallationOfToken(
  deps: Pick<Deps, 'db' | 'secrets'>,
  { installationId, permissions }: InstallationPrincipal,
): Promise<Installation> {
  const { row } = await findInstallation(deps.db, installationId, {})
  const record = installationRecordOf(deps, row, 'omit')
  return permissions.includes('settings:read')
    ? record
    : { ...record, userSettings: {}, adminSettings: {} }
}
