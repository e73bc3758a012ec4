import type { Db } from '../../base/database/transaction.ts'
import { nameKey } from '../../base/values/names.ts'
import type { AppDefinition } from './definition.ts'
import { appColumns, storedOptionOf, versionColumns } from './stored-definition.ts'

/** Stores a new app with its first version, in the caller's transaction. */
export async function insertApp(
  tx: Db,
  { developerId, definition }: { developerId: string; definition: AppDefinition },
): Promise<void> {
  const { id, name } = definition
  await tx.app.create({
    data: { id, developerId, nameKey: nameKey(name), ...appColumns(definition) },
  })
  await insertVersion(tx, definition, { termsSha256: null })
  await tx.app.update({ where: { id }, data: { version: definition.version } })
}

/** Stores the first or a further version, in the caller's transaction. */
export async function insertVersion(
  tx: Db,
  definition: AppDefinition,
  { termsSha256 }: { termsSha256: string | null },
): Promise<void> {
  const { id: appId, version } = definition
  const { _max } = await tx.appVersion.aggregate({ where: { appId }, _max: { sequence: true } })
  const sequence = (_max.sequence ?? 0) + 1
  await tx.appVersion.create({
    data: { appId, version, sequence, termsSha256, ...versionColumns(definition) },
  })
  await tx.purchaseOption.createMany({ data: optionRows(definition) })
}

/** Rewrites a version in ways that the caller has found to be harmless. */
export async function amendVersion(tx: Db, definition: AppDefinition): Promise<void> {
  const { id: appId, version } = definition
  await tx.appVersion.update({
    where: { appId_version: { appId, version } },
    data: versionColumns(definition),
  })
  for (const row of optionRows(definition)) {
    const { name, description, order, position } = row
    await tx.purchaseOption.upsert({
      where: { appId_version_id: { appId, version, id: row.id } },
      create: row,
      // Price and model are what was sold: they never change under a version.
      update: { name, description, order, position },
    })
  }
}

/** Writes what belongs to the app whatever its version, and makes a version the latest. */
export async function updateApp(tx: Db, definition: AppDefinition): Promise<void> {
  const { id, name, version } = definition
  await tx.app.update({
    where: { id },
    data: {
      ...appColumns(definition),
      nameKey: nameKey(name),
      version,
      revision: { increment: 1 },
    },
  })
}

function optionRows(definition: AppDefinition) {
  const { id: appId, version } = definition
  return definition.purchaseOptions.map((option, position) => ({
    appId,
    version,
    ...storedOptionOf(option, position),
  }))
}
