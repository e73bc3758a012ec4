import type { Actor } from '../../base/values/actor.ts'
import type { Deps } from '../../deps.ts'
import { recordAuditSql } from '../../identity/audit/record-audit-service.ts'
import { changeCatalogue, developerOfInstallation } from './catalogue-change-service.ts'
import { type BatchResult, type SortedBatch, sortBatch } from './product-batch.ts'
import type { Viewer } from './visibility.ts'
import { ownCatalogue, type Upserted, upsertRecords } from './write-service.ts'

/**
 * Upserts the good records of a batch in one transaction.
 *
 * @returns a result for every row, in their order
 * @throws AppError seller_required
 */
export async function upsertBatch(
  deps: Pick<Deps, 'pool' | 'now'>,
  viewer: Viewer & { installationId: string },
  rows: readonly unknown[],
  actor: Actor,
): Promise<BatchResult[]> {
  const partyId = ownCatalogue(viewer)
  const batch = sortBatch(rows)
  if (batch.good.length === 0) return batch.refused
  const done = await changeCatalogue(deps, partyId, async (change) => {
    const result = await upsertRecords(
      change,
      batch.good.map(({ record }) => record),
    )
    const changed = result.some(({ status }) => status !== 'unchanged')
    if (changed) {
      await recordAuditSql(change.client, {
        actor,
        action: 'products.batch_written',
        subject: { kind: 'party', id: partyId },
        developerId: await developerOfInstallation(change.client, viewer.installationId),
        partyId,
        after: countsOf(batch, result),
      })
    }
    return { changed, result }
  })
  return resultsOf(batch, done)
}

function countsOf({ refused }: SortedBatch, done: readonly Upserted[]) {
  const count = (status: Upserted['status']) => done.filter((one) => one.status === status).length
  return {
    created: count('created'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    refused: refused.length,
  }
}

function resultsOf({ good, refused }: SortedBatch, done: readonly Upserted[]): BatchResult[] {
  const taken = good.map(({ index, warnings }, position): BatchResult => {
    const { id, status } = done[position] as Upserted
    return { index, status, id, ...(warnings.length > 0 && { warnings: [...warnings] }) }
  })
  return [...taken, ...refused].sort((a, b) => a.index - b.index)
}
