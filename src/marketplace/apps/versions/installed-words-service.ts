import type { Db } from '../../../base/database/transaction.ts'
import type { AppDefinition } from '../definition.ts'
import { countInstallationsOfVersions } from '../installation-counts-service.ts'
import type { Change } from './change-kinds.ts'

/**
 * Makes the removal of an acknowledgement breaking while an account has this version installed: it
 * has accepted the acknowledgement by the hash of its words, and the version holds the words.
 *
 * @param changes of a definition that keeps its version string
 */
export async function keepInstalledWords(
  db: Db,
  { id: appId, version }: Pick<AppDefinition, 'id' | 'version'>,
  changes: Change[],
): Promise<Change[]> {
  const isRemoval = ({ kind }: Change) => kind === 'acknowledgement_removed'
  if (!changes.some(isRemoval)) return changes
  const counts = await countInstallationsOfVersions({ db }, appId, [version])
  if (!counts.get(version)) return changes
  const detail = 'An acknowledgement was removed that accounts have accepted.'
  return changes.map((one) => (isRemoval(one) ? { ...one, breaking: true, detail } : one))
}
