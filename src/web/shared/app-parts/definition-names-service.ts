import type { Deps } from '../../../deps.ts'
import type { AuditRecord } from '../../../identity/audit/audit-record.ts'
import {
  profileOf,
  type SettingsConfiguration,
  type SettingsProfile,
} from '../../../marketplace/apps/settings/definitions.ts'
import { type DefinitionNames, definitionNames } from './definition-names.ts'

/** Definitions are large: a history that tells of more versions names the newest of them. */
const VERSIONS_MAX = 5
/** A page of the operator's trail names the settings of so many versions; of others it shows keys. */
const VERSIONS_OF_TRAIL_MAX = 10

const NAMED_PARTS = {
  version: true,
  settings: true,
  purchaseOptions: { select: { id: true, name: true } },
} as const

/** The names that the installed versions of several installations have: installation id -> names. */
export async function readDefinitionNamesOf(
  { db }: Pick<Deps, 'db'>,
  installationIds: readonly string[],
): Promise<ReadonlyMap<string, DefinitionNames>> {
  const installations = await db.installation.findMany({
    where: { id: { in: [...installationIds] } },
    select: { id: true, appId: true, installedVersion: true, purchaseOptionId: true },
  })
  const pairs = new Map(
    installations.map(({ appId, installedVersion: version }) => [
      `${appId} ${version}`,
      { appId, version },
    ]),
  )
  const versions = await db.appVersion.findMany({
    where: { OR: [...pairs.values()].slice(0, VERSIONS_OF_TRAIL_MAX) },
    select: { appId: true, ...NAMED_PARTS },
  })
  return new Map(
    installations.flatMap(({ id, appId, installedVersion, purchaseOptionId }) => {
      const found = versions.find((one) => one.appId === appId && one.version === installedVersion)
      if (found === undefined) return []
      const settings = found.settings as SettingsConfiguration
      const names = definitionNames(profileOf(settings, purchaseOptionId), [
        { settings, purchaseOptions: found.purchaseOptions },
      ])
      return [[id, names] as const]
    }),
  )
}

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
    select: NAMED_PARTS,
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
