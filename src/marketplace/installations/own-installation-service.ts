import type { InstallationPrincipal } from '../../base/values/principal.ts'
import type { Deps } from '../../deps.ts'
import { type InstallationJson, readInstallationJson } from './installation-json-service.ts'

/**
 * The record of the installation that a token acts for, without passwords; without
 * `settings:read` also without settings.
 */
export async function readInstallationOfToken(
  deps: Pick<Deps, 'pool' | 'secrets'>,
  { installationId, permissions }: InstallationPrincipal,
): Promise<InstallationJson> {
  const { record } = await readInstallationJson(deps, installationId, undefined, 'omit')
  return permissions.includes('settings:read')
    ? record
    : { ...record, userSettings: {}, adminSettings: {} }
}
