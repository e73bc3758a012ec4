import { type Db, inTransaction } from '../../base/database/transaction.ts'
import type { DeveloperAuthor } from '../../base/values/actor.ts'
import type { ExpectedRevisions } from '../../base/values/etags.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { recordAudit } from '../../identity/audit/record-audit-service.ts'
import { recordAppEvent } from '../events/record-event-service.ts'
import {
  deleteEndpointsOfApp,
  removeLongLogOfApp,
} from '../webhooks/endpoints/app-webhooks-service.ts'
import { deleteListingOfApp } from './media/pictures-service.ts'
import { lockApp } from './publish-service.ts'

/**
 * Deletes an app that nobody has installed, with its webhook endpoints, its listing and its pictures.
 * Its id is never used again; its name is free. When somebody installs the app while a long log of its webhooks is removed, the
 * app stays, and its endpoints are disabled.
 *
 * @param expectedRevisions those that the caller means, if it sent any
 * @throws AppError app_in_use while there are live installations, not_found, precondition_failed
 */
export async function deleteApp(
  deps: Pick<Deps, 'db' | 'pool' | 'now'>,
  { developerId, actor }: DeveloperAuthor,
  id: string,
  expectedRevisions?: ExpectedRevisions,
): Promise<void> {
  const { db, now } = deps
  const takeDeletable = async (tx: Db) => {
    const stored = await lockApp(tx, developerId, id, expectedRevisions)
    await requireNotInstalled(tx, id)
    return stored
  }
  await inTransaction(db, takeDeletable)
  await removeLongLogOfApp(deps, { id, developerId }, actor)
  await inTransaction(db, async (tx) => {
    const { definition, facts } = await takeDeletable(tx)
    if (facts.listed) await recordAppEvent(tx, 'app.unlisted', { appId: id, developerId })
    await deleteEndpointsOfApp(tx, { id, developerId })
    await deleteListingOfApp(tx, { appId: id, developerId })
    await tx.app.update({
      where: { id },
      data: { deletedAt: now(), nameKey: null, visibility: 'draft', revision: { increment: 1 } },
    })
    await tx.installLink.deleteMany({ where: { appId: id } })
    await tx.appAudience.deleteMany({ where: { appId: id } })
    await recordAudit(tx, {
      actor,
      action: 'app.deleted',
      subject: { kind: 'app', id },
      developerId,
      before: { name: definition.name, version: definition.version },
    })
  })
}

async function requireNotInstalled(tx: Db, appId: string): Promise<void> {
  const installations = await tx.installation.count({ where: { appId, live: true } })
  if (installations === 0) return
  throw new AppError('app_in_use', {
    detail: `The app has ${installations} live installation${installations === 1 ? '' : 's'}. Uninstall them first, or make the app a draft.`,
    members: { installations },
  })
}
