import { type Db, inTransaction } from '../../base/database/transaction.ts'
import type { Actor } from '../../base/values/actor.ts'
import { unprocessable } from '../../base/values/field-errors.ts'
import { isOffered, type PartyType } from '../../base/values/party-type.ts'
import type { Deps } from '../../deps.ts'
import { AppError, type FieldError, ignoring } from '../../errors.ts'
import { holdName } from '../../identity/accounts/parties-service.ts'
import { recordAudit } from '../../identity/audit/record-audit-service.ts'
import { findApp, type StoredApp } from '../apps/read-apps-service.ts'
import type { SettingValue } from '../apps/settings/value-types.ts'
import { validateSettings } from '../apps/settings/values.ts'
import { installableFor } from '../apps/visibility/visible-apps-service.ts'
import { FIRST_SEQUENCE, recordFirstEvent } from '../events/record-event-service.ts'
import { type Consent, type ConsentAsked, checkConsent } from './consent.ts'
import { recordAcceptances } from './consent-service.ts'
import { explainingRefusals } from './install-refusals-service.ts'
import { readProfiles } from './settings/profiles-service.ts'
import { writeSettings } from './settings/settings-service.ts'
import { BARRED } from './stored-installation-service.ts'

export type InstallRequest = {
  appId: string
  purchaseOptionId: string
  userSettings: unknown
  /** The version that the user has looked at; without it the latest one. */
  version?: string | undefined
} & Consent

/** The party that an app is installed for, as the checks need it. */
type InstallingParty = {
  id: number
  type: PartyType
}

/** The party that an install is for; without one, `problems` says why. */
export type ChosenParty = {
  party: InstallingParty | undefined
  problems?: readonly FieldError[]
}

/**
 * Installs an app for a party, in one transaction: the record with the current version and
 * permissions, the settings, and the evidence of what was accepted.
 *
 * @param author when its party cannot be used, the reason is reported with all other problems;
 *   `check` refuses who has lost the right to install while others held the app or the installation
 * @returns the id of the installation
 * @throws AppError unprocessable with all problems at once, acknowledgement_changed when the only
 *   problem is that words have changed since they were read, already_installed, conflict when
 *   another version was published since the app was looked at or the operator keeps the account
 *   from installing the app again
 */
export async function installApp(
  deps: Pick<Deps, 'db' | 'secrets'>,
  { actor, check, ...chosen }: ChosenParty & { actor: Actor; check?: (tx: Db) => Promise<void> },
  request: InstallRequest,
): Promise<string> {
  return explainingRefusals(deps.db, { partyId: chosen.party?.id, appId: request.appId }, () =>
    inTransaction(deps.db, async (tx) => {
      const id = await installIn({ ...deps, db: tx }, chosen, actor, request)
      await check?.(tx)
      return id
    }),
  )
}

/**
 * Checks an install as `installApp` does, and installs nothing.
 *
 * @returns the values of the settings as they would be stored
 * @throws AppError unprocessable, acknowledgement_changed, conflict
 */
export async function checkInstall(
  { db }: Pick<Deps, 'db'>,
  chosen: ChosenParty,
  request: InstallRequest,
): Promise<ReadonlyMap<string, SettingValue>> {
  const { settings } = await inTransaction(db, (tx) => planInstall(tx, chosen, request))
  return settings.values
}

/**
 * Everything that an install writes, once all checks have passed.
 *
 * @throws AppError unprocessable, acknowledgement_changed, conflict
 */
export async function planInstall(
  tx: Db,
  { party, problems = [] }: ChosenParty,
  request: InstallRequest,
) {
  const app = await findInstallable(tx, { party, problems }, request.appId)
  if (party !== undefined) {
    await holdName(tx, party.id)
    await requireNoBar(tx, request.appId, party.id)
  }
  const { definition, facts } = app
  const { purchaseOptionId } = request
  requireLookedAt(definition.version, request.version)
  const asked: ConsentAsked = {
    acknowledgements: definition.acknowledgements,
    termsSha256: facts.termsDocument?.sha256 ?? null,
  }
  const wanted = { appId: definition.id, installedVersion: definition.version, purchaseOptionId }
  const profileOf = await readProfiles(tx, [wanted])
  const profile = profileOf(wanted)
  const settings = validateSettings({
    profile,
    scope: 'user',
    input: request.userSettings,
    pointer: '/userSettings',
  })
  const option = optionProblems(app, purchaseOptionId)
  refuseProblems({
    errors: [
      ...(party === undefined ? problems : await partyProblems(tx, app, party)),
      ...option,
      // Without a purchase option there is no profile to check the settings against.
      ...(settings.ok || option.length > 0 ? [] : settings.errors),
    ],
    consent: checkConsent(asked, request),
  })
  if (!settings.ok || party === undefined)
    throw new Error('a request with problems was not refused')
  return { app, party, profile, settings, asked }
}

/**
 * Installs an app as a part of the caller's transaction; see `explainingRefusals`.
 *
 * @throws AppError unprocessable, acknowledgement_changed, conflict
 */
export async function installIn(
  { db: tx, secrets }: Pick<Deps, 'db' | 'secrets'>,
  chosen: ChosenParty,
  actor: Actor,
  request: InstallRequest,
): Promise<string> {
  const { app, party, profile, settings, asked } = await planInstall(tx, chosen, request)
  const { definition, developerId } = app
  const { purchaseOptionId } = request
  const { version } = definition
  const installation = await tx.installation.create({
    data: {
      appId: definition.id,
      developerId,
      partyId: party.id,
      partyType: party.type,
      purchaseOptionId,
      installedVersion: version,
      permissions: definition.permissions.map((permission) => permission.id),
      eventSequence: FIRST_SEQUENCE,
    },
  })
  const { id } = installation
  await writeSettings({ db: tx, secrets }, id, 'user', { profile, ...settings })
  const { permissions } = definition
  await recordAcceptances(tx, { installationId: id, version, actor }, { ...asked, permissions })
  await recordAudit(tx, {
    actor,
    action: 'installation.created',
    subject: { kind: 'installation', id },
    developerId,
    partyId: party.id,
    after: { appId: definition.id, version, purchaseOptionId },
  })
  await recordFirstEvent(tx, 'installation.created', installation, { version, purchaseOptionId })
  return id
}

/**
 * The user agrees to the price and permissions that the page showed, so the version must be the
 * same.
 */
function requireLookedAt(latest: string, lookedAt: string | undefined): void {
  if (lookedAt === undefined || lookedAt === latest) return
  throw new AppError('conflict', {
    detail: `The app has changed: version ${latest} is now the latest. Look at its price and permissions again, then install it.`,
    errors: [{ pointer: '/version', detail: `The latest version is ${latest}.` }],
  })
}

/**
 * The latest version of an app that the party may install, without its settings. Locks the app's row
 * until the end of the transaction, so that a version published meanwhile is seen as a whole or not
 * at all.
 */
async function findInstallable(
  tx: Db,
  { party, problems = [] }: ChosenParty,
  appId: string,
): Promise<StoredApp> {
  await tx.$queryRaw`SELECT 1 FROM apps WHERE id = ${appId} FOR SHARE`
  const where = installableFor(party?.id)
  const app = await ignoring('not_found', findApp(tx, appId, where, { withSettings: false }))
  if (app !== undefined) return app
  const detail = 'There is no such app in the catalogue.'
  throw new AppError('unprocessable', {
    detail,
    errors: [...problems, { pointer: '/appId', detail }],
  })
}

/**
 * Refuses an account whose installation an operator suspended, even when it was uninstalled since.
 * Locks the live installation, so that one that is just being uninstalled is seen.
 *
 * @throws AppError conflict with the reason of the suspension
 */
async function requireNoBar(tx: Db, appId: string, partyId: number): Promise<void> {
  await tx.$queryRaw`
    SELECT 1 FROM installations WHERE app_id = ${appId} AND party_id = ${partyId} AND live FOR SHARE`
  const barred = await tx.installation.findFirst({
    where: { appId, partyId, ...BARRED },
    orderBy: { uninstalledAt: 'desc' },
  })
  if (barred === null) return
  throw new AppError('conflict', {
    detail:
      "The marketplace's operator suspended this account's installation of the app, " +
      `with the reason: ${barred.suspendedReason ?? 'none given'}. The app can be ` +
      'installed again when the operator lifts the suspension.',
    members: { installationId: barred.id },
  })
}

async function partyProblems(
  tx: Db,
  { definition: { partyTypes }, developer }: StoredApp,
  party: InstallingParty,
): Promise<FieldError[]> {
  const problem = (detail: string) => [{ pointer: '/partyId', detail }]
  // Read here: the party may have been suspended while the install waited for the app.
  const where = { id: party.id, suspendedAt: { not: null } }
  if ((await tx.party.count({ where })) > 0) return problem('This account is suspended.')
  if (isOffered({ partyTypes, developer }, party)) return []
  const whom = party.type === 'None' ? "another developer's sandbox" : party.type
  return problem(`The app is offered to ${partyTypes.join(' and ')}, not to ${whom}.`)
}

function optionProblems({ definition }: StoredApp, purchaseOptionId: string): FieldError[] {
  const ids = definition.purchaseOptions.map(({ id }) => id)
  return ids.includes(purchaseOptionId)
    ? []
    : [{ pointer: '/purchaseOptionId', detail: `The app has the options ${ids.join(', ')}.` }]
}

/**
 * Reports all problems at once.
 *
 * @throws AppError unprocessable; acknowledgement_changed when nothing else is wrong
 */
export function refuseProblems({
  errors,
  consent,
}: {
  errors: readonly FieldError[]
  consent: ReturnType<typeof checkConsent>
}): void {
  const all = [...errors, ...consent.errors]
  if (all.length === 0) return
  if (errors.length === 0 && consent.stale) {
    throw new AppError('acknowledgement_changed', {
      detail: 'What the app asks you to accept has changed. Read it again and accept the new text.',
      errors: all,
    })
  }
  throw unprocessable(all)
}
