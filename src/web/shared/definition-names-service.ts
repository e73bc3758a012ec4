import type { SettingsConfiguration, SettingsProfile } from '../../apps/settings/definitions.ts'
import type { AuditRecord } from '../../audit/audit-record.ts'
import type { Deps } from '../../deps.ts'
import { type DefinitionNames, definitionNames } from './definition-names.ts'

/** Definitions are large: a history that tells of more versions names the newest of them. */
const VERSIONS_MAX = 5

/**
 * The names that the versions of an app have for what the history of an installation tells of.
 *
 * @param profile the settings of its purchase option
 */
export async function readDefinitionNames(
  { db }: Pick<Deps, 'db'>,
  installationId: string,
  profile: SettingsProfile,
  history: readonly AuditRecord[],
): Promise<DefinitionNames> {
  const { appId, installedVersion } = await db.installation.findUniqueOrThrow({
    where: { id: installationId },
    select: { appId: true, installedVersion: true },
  })
  const told = history.flatMap(({ before, after }) => [after?.version, before?.version])
  const wanted = new Set([installedVersion, ...told.filter((one) => typeof one === 'string')])
  const versions = await db.appVersion.findMany({
    where: { appId, version: { in: [...wanted].slice(0, VERSIONS_MAX) } },
    select: {
      version: true,
      settings: true,
      purchaseOptions: { select: { id: true, name: true } },
    },
    orderBy: { sequence: 'desc' },
  })
  const isInstalled = ({ version }: { version: string }) => version === installedVersion
  const ordered = [...versions.filter(isInstalled), ...versions.filter((one) => !isInstalled(one))]
  return definitionNames(
    profile,
    ordered.map(({ settings, purchaseOptions }) => ({
      settings: settings as SettingsConfiguration,
      purchaseOptions,
    })),
  )
}
