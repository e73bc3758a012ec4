import type { Acceptance, Prisma } from '../../base/database/generated/client.ts'
import { type Db, inTransaction } from '../../base/database/transaction.ts'
import { nextTick } from '../../base/fair-share/next-tick.ts'
import type { Actor } from '../../base/values/actor.ts'
import type { ExpectedRevisions } from '../../base/values/etags.ts'
import { isOffered, type PartyType } from '../../base/values/party-type.ts'
import type { Deps } from '../../deps.ts'
import { AppError, type FieldError } from '../../errors.ts'
import { recordAudit } from '../../identity/audit/record-audit-service.ts'
import { type AppDefinition, acknowledgementSha256 } from '../apps/definition.ts'
import { type Quote, quote } from '../apps/pricing/quotes.ts'
import { findApp, type StoredApp } from '../apps/read-apps-service.ts'
import { withoutAdminSettings } from '../apps/settings/definitions.ts'
import { definitionOf } from '../apps/stored-definition.ts'
import { compareDefinitions } from '../apps/versions/compare-definitions.ts'
import { recordInstallationEvent } from '../events/record-event-service.ts'
import { countProducts } from '../products/count-service.ts'
import type { Upgrade } from './account-installation.ts'
import {
  type Consent,
  type ConsentAsked,
  checkConsent,
  newlyAccepted,
  stillToAccept,
} from './consent.ts'
import { recordAcceptances } from './consent-service.ts'
import { refuseProblems } from './install-service.ts'
import { storedProfile } from './settings/settings-kept-and-lost.ts'
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
 * Shows what the latest version would change for an installation, and changes nothing.
 *
 * @param purchaseOptionId the option to upgrade to; without it the current one
 * @throws AppError not_found
 */
export async function previewUpgrade(
  { db }: Pick<Deps, 'db'>,
  installationId: string,
  where: Where,
  purchaseOptionId?: string,
): Promise<Upgrade> {
  const stored = await findInstallation(db, installationId, { ...where, live: true })
  const plan = await planUpgrade(db, stored, purchaseOptionId)
  const { latest, installed, toAccept, option } = plan
  const records = await countProducts({ db }, stored.row)
  // Comparing two large definitions takes 20 ms, and so does writing down what changed.
  await nextTick()
  const changes = compareDefinitions(
    forAccounts(installed.definition),
    forAccounts(latest.definition),
    { before: installed.termsSha256, after: latest.facts.termsDocument?.sha256 ?? null },
  )
  await nextTick()
  const transition = transitionTo(stored, plan.profile)
  const before = new Set(stored.row.permissions)
  const after = latest.definition.permissions
  return {
    from: stored.row.installedVersion,
    to: latest.definition.version,
    upToDate: plan.upToDate,
    releaseNotes: latest.definition.releaseNotes,
    offered: plan.offered,
    changes,
    permissions: {
      added: after.filter(({ id }) => !before.has(id)),
      removed: [...before].filter((id) => !after.some((permission) => permission.id === id)),
    },
    settings: {
      kept: transition.kept,
      dropped: transition.lost,
      needed: transition.needed,
    },
    purchaseOptionId: plan.purchaseOptionId,
    purchaseOptionAvailable: option !== undefined,
    price: {
      before: quote(stored.option, records),
      after: option === undefined ? null : quote(option, records),
    } satisfies { before: Quote; after: Quote | null },
    acknowledgements: toAccept.acknowledgements.map((one) => ({
      ...one,
      sha256: acknowledgementSha256(one),
    })),
    termsDocument: toAccept.termsSha256 === null ? null : latest.facts.termsDocument,
  }
}

export type UpgradeRequest = {
  installationId: string
  where: Where
  /** The version that the preview showed. */
  version: string
  purchaseOptionId?: string | undefined
  userSettings: unknown
  consent: Consent
  expectedRevisions: ExpectedRevisions
  actor: Actor
}

/**
 * Upgrades an installation to the latest version and keeps its id. Version, permissions, settings
 * and evidence change in one transaction. Tokens with other permissions are refused from then on.
 *
 * @throws AppError conflict when another version came meanwhile or it is up to date;
 *   unprocessable with all problems; acknowledgement_changed; installation_suspended; not_found
 */
export async function upgradeInstallation(
  { db, secrets }: Pick<Deps, 'db' | 'secrets'>,
  input: UpgradeRequest,
): Promise<StoredInstallation> {
  const { installationId, where, actor } = input
  return inTransaction(db, async (tx) => {
    await lockAppOf(tx, installationId)
    const stored = await lockInstallation(tx, installationId, where, input.expectedRevisions)
    requireNoSuspension(suspensionCauses(stored.row))
    const plan = await planUpgrade(tx, stored, input.purchaseOptionId)
    requireWantedVersion(plan, input.version)
    const { profile, purchaseOptionId, toAccept } = plan
    const transition = transitionTo(stored, profile)
    const checked = checkTransition(profile, transition, input.userSettings)
    const optionErrors = optionProblems(plan)
    refuseProblems({
      errors: [
        ...offerProblems(plan, stored.row),
        ...optionErrors,
        ...(checked.ok || optionErrors.length > 0 ? [] : checked.errors),
      ],
      consent: checkConsent(plan.asked, input.consent, toAccept),
    })
    if (!checked.ok) throw new Error('settings with problems were not refused')

    const { row } = stored
    const { version, permissions } = plan.latest.definition
    const ids = permissions.map(({ id }) => id)
    await tx.$executeRaw`SELECT set_config('app_marketplace.upgrading', ${installationId}, true)`
    await tx.installation.update({
      where: { id: installationId },
      data: {
        ...TOUCH,
        installedVersion: version,
        purchaseOptionId,
        permissions: ids,
        ...(sameSet(ids, row.permissions) ? {} : { tokenGeneration: { increment: 1 } }),
      },
    })
    const keys = await writeTransition(
      { db: tx, secrets },
      installationId,
      profile,
      transition,
      checked,
    )
    const accepted = { ...toAccept, permissions: newlyAccepted(permissions, plan.accepted) }
    await recordAcceptances(tx, { installationId, version, actor }, accepted)
    await recordAudit(tx, {
      actor,
      action: 'installation.upgraded',
      subject: { kind: 'installation', id: installationId },
      developerId: row.developerId,
      partyId: row.partyId,
      before: {
        version: row.installedVersion,
        purchaseOptionId: row.purchaseOptionId,
        permissions: row.permissions,
      },
      after: { version, purchaseOptionId, permissions: ids, ...droppedBy(transition) },
    })
    await recordInstallationEvent(tx, 'installation.upgraded', installationId, {
      version,
      previousVersion: row.installedVersion,
      purchaseOptionId,
      keys,
    })
    return findInstallation(tx, installationId, where)
  })
}

/** Everything that an upgrade of one installation to the latest version needs. */
type Plan = {
  latest: StoredApp
  installed: { definition: AppDefinition; termsSha256: string | null }
  upToDate: boolean
  /** Whether the app is offered to accounts of this type now. */
  offered: boolean
  purchaseOptionId: string
  /** Undefined when the latest version does not have it. */
  option: AppDefinition['purchaseOptions'][number] | undefined
  profile: ReturnType<typeof storedProfile>
  asked: ConsentAsked
  /** What the user has not accepted before in the same wording. */
  toAccept: ConsentAsked
  /** What was accepted before. */
  accepted: Acceptance[]
}

async function planUpgrade(
  db: Db,
  { row }: StoredInstallation,
  wantedOptionId: string | undefined,
): Promise<Plan> {
  const latest = await findApp(db, row.appId, {})
  const version = await db.appVersion.findUniqueOrThrow({
    where: { appId_version: { appId: row.appId, version: row.installedVersion } },
    include: { purchaseOptions: true },
  })
  const accepted = await db.acceptance.findMany({ where: { installationId: row.id } })
  const purchaseOptionId = wantedOptionId ?? row.purchaseOptionId
  const { definition, facts } = latest
  const { partyTypes } = definition
  const party = { id: row.partyId, type: row.partyType }
  const asked = {
    acknowledgements: definition.acknowledgements,
    termsSha256: facts.termsDocument?.sha256 ?? null,
  }
  return {
    latest,
    installed: {
      // Members that do not belong to a version are the same before and after, but that the app was
      // offered to the account.
      definition: definitionOf({
        app: {
          ...definition,
          partyTypes: offeredBefore(partyTypes, row.partyType),
        },
        version,
      }),
      termsSha256: version.termsSha256,
    },
    upToDate: definition.version === row.installedVersion,
    offered: isOffered({ partyTypes, developer: latest.developer }, party),
    purchaseOptionId,
    option: definition.purchaseOptions.find(({ id }) => id === purchaseOptionId),
    profile: storedProfile(definition.settings, purchaseOptionId),
    asked,
    toAccept: stillToAccept(asked, accepted),
    accepted,
  }
}

/**
 * Locks the latest version until the end of the transaction: the app first, then the installation,
 * as the sandbox does.
 */
async function lockAppOf(tx: Db, installationId: string): Promise<void> {
  await tx.$queryRaw`
    SELECT 1 FROM apps
    WHERE id = (SELECT app_id FROM installations WHERE id = ${installationId}::uuid) FOR SHARE`
}

function requireWantedVersion({ latest, upToDate }: Plan, wanted: string): void {
  const { version } = latest.definition
  if (upToDate) {
    throw new AppError('conflict', { detail: `The installation has the latest version already.` })
  }
  if (wanted === version) return
  throw new AppError('conflict', {
    detail: `The latest version is now ${version}. Read the upgrade again and decide on that version.`,
    errors: [{ pointer: '/version', detail: `The latest version is ${version}.` }],
  })
}

function offeredBefore(now: AppDefinition['partyTypes'], type: PartyType) {
  return type === 'None' || now.includes(type) ? now : [...now, type]
}

/** A definition as users read it. */
const forAccounts = (definition: AppDefinition): AppDefinition => ({
  ...definition,
  settings: withoutAdminSettings(definition.settings),
})

function offerProblems({ offered, latest }: Plan, { partyType }: StoredInstallation['row']) {
  if (offered) return []
  const whom = latest.definition.partyTypes.join(' and ')
  return [
    { pointer: '/version', detail: `The app is offered to ${whom} only now, not to ${partyType}.` },
  ]
}

function optionProblems({ option, latest }: Plan): FieldError[] {
  if (option !== undefined) return []
  const ids = latest.definition.purchaseOptions.map(({ id }) => id).join(', ')
  return [
    {
      pointer: '/purchaseOptionId',
      detail: `The latest version does not have this option. It has ${ids}.`,
    },
  ]
}

function sameSet(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((one) => right.includes(one))
}
