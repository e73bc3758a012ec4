import type { Actor } from '../../base/values/actor.ts'
import type { Deps } from '../../deps.ts'
import type { AuditAction } from '../../identity/audit/audit-actions.ts'
import {
  type CatalogueChange,
  changeCatalogue,
  developerOfInstallation,
} from './catalogue-change-service.ts'
import type { Viewer } from './visibility.ts'

/** The installation that changes products, and as whom the audit trail names it. */
export type ProductAuthor = { viewer: Viewer & { installationId: string }; actor: Actor }

/** What a change of one product did to it. */
type Done = Extract<AuditAction, 'products.added' | 'products.changed' | 'products.deleted'>

/**
 * Changes a product of a party in one transaction. The audit trail counts such changes by the hour:
 * apps make too many for an entry each.
 *
 * @param work returns what it did; undefined when it changed nothing
 */
export async function changeOneProduct<T>(
  deps: Pick<Deps, 'pool' | 'now' | 'auditCounts'>,
  partyId: number,
  { viewer, actor }: ProductAuthor,
  work: (change: CatalogueChange) => Promise<{ done: Done | undefined; result: T }>,
): Promise<T> {
  let counted: { action: Done; developerId: string | undefined } | undefined
  const result = await changeCatalogue(deps, partyId, async (change) => {
    const { done, result } = await work(change)
    if (done !== undefined) {
      const developerId = await developerOfInstallation(change.client, viewer.installationId)
      counted = { action: done, developerId }
    }
    return { changed: done !== undefined, result }
  })
  if (counted !== undefined) {
    const subject = { kind: 'party', id: String(partyId) }
    deps.auditCounts.add({ ...counted, actor, subject, partyId, perAddress: true })
  }
  return result
}
