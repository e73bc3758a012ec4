import type { Db } from '../../database/transaction.ts'
import type { AppDefinition } from '../definition.ts'
import type { Change } from './change-kinds.ts'

/**
 * Makes the removal of an acknowledgement breaking where an account has accepted it in this version:
 * the evidence holds the hash of the words, and the version holds the words.
 *
 * @param changes of a definition that keeps its version string
 */
export async function keepAcceptedWords(
  db: Db,
  { id: appId, version }: Pick<AppDefinition, 'id' | 'version'>,
  changes: Change[],
): Promise<Change[]> {
  const removed = changes.filter(({ kind }) => kind === 'acknowledgement_removed')
  if (removed.length === 0) return changes
  const accepted = await db.acceptance.groupBy({
    by: 'subjectId',
    where: {
      kind: 'acknowledgement',
      version,
      subjectId: { in: removed.map(idOf) },
      installation: { appId },
    },
  })
  const kept = new Set(accepted.map(({ subjectId }) => subjectId))
  return changes.map((one) =>
    removed.includes(one) && kept.has(idOf(one))
      ? { ...one, breaking: true, detail: 'An acknowledgement was removed that somebody accepted.' }
      : one,
  )
}

/** The last part of the pointer; an id needs no escapes. */
function idOf({ pointer }: Change): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1)
}
