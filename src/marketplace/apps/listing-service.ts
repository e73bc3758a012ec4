import { type Db, inTransaction } from '../../base/database/transaction.ts'
import type { DeveloperAuthor } from '../../base/values/actor.ts'
import type { ExpectedRevisions } from '../../base/values/etags.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { holdOpenDeveloper } from '../../identity/accounts/developers-service.ts'
import { recordAudit } from '../../identity/audit/record-audit-service.ts'
import { recordAppEvent } from '../events/record-event-service.ts'
import {
  deleteEndpointsOfApp,
  removeLongLogOfApp,
} from '../webhooks/endpoints/app-webhooks-service.ts'
import { lockApp, requireComplete } from './publish-service.ts'
import { findApp, type Published, publishedOf } from './read-apps-service.ts'

type AppDeps = Pick<Deps, 'db'>

/**
 * Shows an app in the public catalogue, or takes it out. Installations do not change. Repeating the
 * call changes nothing.
 *
 * @param expectedRevisions those that the caller means, if it sent any
 * @throws AppError unprocessable naming all that an incomplete app lacks, not_found,
 *   precondition_failed; conflict when the developer is closed meanwhile
 */
export async function setListed(
  { db }: AppDeps,
  { developerId, actor }: DeveloperAuthor,
  id: string,
  listed: boolean,
  expectedRevisions?: ExpectedRevisions,
): Promise<Published> {
  return inTransaction(db, async (tx) => {
    const stored = await lockApp(tx, developerId, id, expectedRevisions)
    if (listed) {
      await holdOpenDeveloper(tx, developerId)
      requireComplete(stored.definition)
    }
    if (stored.facts.listed === listed) return publishedOf(tx, stored)
    await tx.app.update({ where: { id }, data: { listed, revision: { increment: 1 } } })
    await recordAudit(tx, {
      actor,
      action: listed ? 'app.listed' : 'app.unlisted',
      subject: { kind: 'app', id },
      developerId,
    })
    await recordAppEvent(tx, listed ? 'app.listed' : 'app.unlisted', {
      appId: id,
      developerId,
    })
    return publishedOf(tx, await findApp(tx, id, { developerId }))
  })
}

/**
 * Deletes an app that nobody has installed, with its webhook endpoints. Its id is never used again;
 * its name is free. When somebody installs the app while a long log of its webhooks is removed, the
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
    await tx.app.update({
      where: { id },
      data: { deletedAt: now(), nameKey: null, listed: false, revision: { increment: 1 } },
    })
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
    detail: `The app has ${installations} live installation${installations === 1 ? '' : 's'}. Uninstall them first, or unlist the app.`,
    members: { installations },
  })
}
