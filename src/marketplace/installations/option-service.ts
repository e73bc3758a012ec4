import type { Prisma } from '../../base/database/generated/client.ts'
import { type Db, inTransaction } from '../../base/database/transaction.ts'
import type { Actor } from '../../base/values/actor.ts'
import type { ExpectedRevisions } from '../../base/values/etags.ts'
import { unprocessable } from '../../base/values/field-errors.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { recordAudit } from '../../identity/audit/record-audit-service.ts'
import { quote } from '../apps/pricing/quotes.ts'
import { purchaseOptionsOf } from '../apps/stored-definition.ts'
import { recordInstallationEvent } from '../events/record-event-service.ts'
import { countProducts } from '../products/count-service.ts'
import type { OptionChange } from './account-installation.ts'
import { readProfiles } from './settings/profiles-service.ts'
import {
  checkTransition,
  droppedBy,
  transitionTo,
  writeTransition,
} from './settings/settings-transition-service.ts'
import {
  findInstallation,
  lockInstallation,
  type StoredInstallation,
  TOUCH,
} from './stored-installation-service.ts'
import { requireNoSuspension, suspensionCauses } from './suspension-causes.ts'

type Where = Prisma.InstallationWhereInput

/**
 * Shows what a change of the purchase option would do, and does nothing: which settings stay, which
 * are lost, which are needed, and the difference in price.
 *
 * @throws AppError not_found; unprocessable when the installed version has no such option
 */
export async function previewOption(
  { db }: Pick<Deps, 'db'>,
  installationId: string,
  where: Where,
  purchaseOptionId: string,
): Promise<OptionChange> {
  const stored = await findInstallation(db, installationId, { ...where, live: true })
  const { option, profile } = await findTarget(db, stored, purchaseOptionId)
  const { kept, lost, needed } = transitionTo(stored, profile)
  const records = await countProducts({ db }, stored.row)
  return {
    from: stored.row.purchaseOptionId,
    to: purchaseOptionId,
    settings: { kept, dropped: lost, needed },
    price: { before: quote(stored.option, records), after: quote(option, records) },
  }
}

/**
 * Changes the purchase option; settings that the new option does not have are lost. The option that
 * the installation has already, without other settings, changes nothing.
 *
 * @throws AppError unprocessable with all problems, installation_suspended, precondition_failed,
 *   not_found
 */
export async function changeOption(
  { db, secrets }: Pick<Deps, 'db' | 'secrets'>,
  input: {
    installationId: string
    where: Where
    purchaseOptionId: string
    userSettings: unknown
    expectedRevisions: ExpectedRevisions
    actor: Actor
  },
): Promise<StoredInstallation> {
  const { installationId, where, purchaseOptionId, userSettings, actor } = input
  return inTransaction(db, async (tx) => {
    const stored = await lockInstallation(tx, installationId, where, input.expectedRevisions)
    requireNoSuspension(suspensionCauses(stored.row))
    const { profile } = await findTarget(tx, stored, purchaseOptionId)
    const transition = transitionTo(stored, profile)
    const checked = checkTransition(profile, transition, userSettings)
    if (!checked.ok) throw unprocessable(checked.errors)
    const keys = await writeTransition(
      { db: tx, secrets },
      installationId,
      profile,
      transition,
      checked,
    )
    if (purchaseOptionId === stored.row.purchaseOptionId && keys.length === 0) return stored
    await tx.installation.update({
      where: { id: installationId },
      data: { ...TOUCH, purchaseOptionId },
    })
    await recordAudit(tx, {
      actor,
      action: 'installation.option_changed',
      subject: { kind: 'installation', id: installationId },
      developerId: stored.row.developerId,
      partyId: stored.row.partyId,
      before: { purchaseOptionId: stored.row.purchaseOptionId },
      after: { purchaseOptionId, ...droppedBy(transition) },
    })
    await recordInstallationEvent(tx, 'installation.option_changed', installationId, {
      purchaseOptionId,
      previousPurchaseOptionId: stored.row.purchaseOptionId,
      keys,
    })
    return findInstallation(tx, installationId, where)
  })
}

async function findTarget(db: Db, { row }: StoredInstallation, purchaseOptionId: string) {
  const { appId, installedVersion: version } = row
  const options = purchaseOptionsOf(await db.purchaseOption.findMany({ where: { appId, version } }))
  const target = options.find(({ id }) => id === purchaseOptionId)
  if (target === undefined) {
    const ids = options.map(({ id }) => id).join(', ')
    throw new AppError('unprocessable', {
      detail: `Version ${version} of the app has no such purchase option.`,
      errors: [{ pointer: '/purchaseOptionId', detail: `The app has the options ${ids}.` }],
    })
  }
  const chosen = { ...row, purchaseOptionId }
  const profileOf = await readProfiles(db, [chosen])
  return { option: target, profile: profileOf(chosen) }
}
