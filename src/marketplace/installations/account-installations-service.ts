import type { Prisma } from '../../base/database/generated/client.ts'
import type { Db } from '../../base/database/transaction.ts'
import type { UserAuthor } from '../../base/values/actor.ts'
import type { Page, PageRequest } from '../../base/values/page-of-list.ts'
import { isOffered } from '../../base/values/party-type.ts'
import type { Deps } from '../../deps.ts'
import { requireAdmin } from '../../identity/accounts/members/party-members-service.ts'
import { ownSite } from '../apps/own-site.ts'
import type { PurchaseOption } from '../apps/pricing/purchase-options.ts'
import { quote } from '../apps/pricing/quotes.ts'
import type { SettingValue } from '../apps/settings/value-types.ts'
import { countProducts, countProductsOfEach } from '../products/count-service.ts'
import { webhookStatesOfApps } from '../webhooks/endpoints/app-webhooks-service.ts'
import { stateOfAll, type WebhooksState } from '../webhooks/endpoints/endpoint-health.ts'
import type { AccountInstallation } from './account-installation.ts'
import {
  type ChosenParty,
  checkInstall,
  type InstallRequest,
  installApp,
} from './install-service.ts'
import {
  findInstallation,
  installationRecordOf,
  ofUser,
  pageOfInstallations,
  type StoredInstallation,
} from './stored-installation-service.ts'
import { canOpen } from './suspension-causes.ts'

type AccountDeps = Pick<Deps, 'db' | 'secrets' | 'config'>

/**
 * Installs an app for one of the user's accounts.
 *
 * @param input `partyId` may be left out by a user of one party
 * @returns the id of the installation
 * @throws AppError admin_required, unprocessable, acknowledgement_changed, already_installed, conflict
 */
export async function installForUser(
  deps: AccountDeps & Pick<Deps, 'measures'>,
  { userId, actor }: UserAuthor,
  { partyId, ...request }: InstallRequest & { partyId?: number | undefined },
): Promise<string> {
  const chosen = await chooseParty(deps.db, userId, partyId)
  const check = async (db: Db) => {
    if (chosen.party !== undefined) await requireAdmin(db, userId, chosen.party.id)
  }
  await check(deps.db)
  const id = await installApp(deps, { ...chosen, actor, check }, request)
  deps.measures.installs += 1
  return id
}

/**
 * Checks an install for one of the user's accounts, and installs nothing.
 *
 * @returns the values of the settings as the database would keep them
 * @throws AppError unprocessable, acknowledgement_changed, conflict
 */
export async function checkInstallForUser(
  deps: Pick<Deps, 'db'>,
  userId: string,
  { partyId, ...request }: InstallRequest & { partyId?: number | undefined },
): Promise<ReadonlyMap<string, SettingValue>> {
  return checkInstall(deps, await chooseParty(deps.db, userId, partyId), request)
}

/** The party, or the reason why there is none, which is reported with all other problems. */
async function chooseParty(
  db: Db,
  userId: string,
  partyId: number | undefined,
): Promise<ChosenParty> {
  const parties = await db.party.findMany({
    where: {
      memberships: { some: { userId } },
      ...(partyId === undefined ? {} : { id: partyId }),
    },
    take: 2,
  })
  const [party] = parties
  if (party !== undefined && parties.length === 1) return { party, problems: [] }
  const accounts = party === undefined ? 'no account' : 'several accounts; name one'
  const detail =
    partyId === undefined ? `You belong to ${accounts}.` : 'You do not belong to this account.'
  return { party: undefined, problems: [{ pointer: '/partyId', detail }] }
}

/**
 * One installation of the user's accounts, uninstalled ones included.
 *
 * @throws AppError not_found
 */
export async function readAccountInstallation(
  deps: AccountDeps,
  userId: string,
  id: string,
): Promise<{ installation: AccountInstallation; revision: number }> {
  const stored = await findInstallation(deps.db, id, ofUser(userId))
  return {
    installation: await accountInstallationOf(deps, stored),
    revision: stored.row.revision,
  }
}

export type AccountFilters = {
  partyId?: number | undefined
  appId?: string | undefined
  status?: AccountInstallation['status'] | undefined
}

function installationsOf(
  userId: string,
  { partyId, appId, status }: AccountFilters,
): Prisma.InstallationWhereInput {
  return {
    ...ofUser(userId),
    ...(partyId === undefined ? {} : { partyId }),
    ...(appId === undefined ? {} : { appId }),
    ...(status === undefined ? { live: true } : { status }),
  }
}

/** How many there are with these filters, up to a number that means that or more. */
export function countAccountInstallations(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  filters: AccountFilters,
  max: number,
): Promise<number> {
  const orderBy = [{ installDate: 'asc' as const }, { id: 'asc' as const }]
  return db.installation.count({ where: installationsOf(userId, filters), orderBy, take: max })
}

/**
 * The installations of the user's accounts with their purchase options, oldest first unless another
 * order is asked for; uninstalled ones only when the status asks for them.
 */
export async function listAccountInstallations(
  deps: AccountDeps,
  userId: string,
  filters: AccountFilters,
  page: PageRequest,
): Promise<Page<AccountInstallation & { option: PurchaseOption }>> {
  const where = installationsOf(userId, filters)
  const { entries, next } = await pageOfInstallations(deps.db, where, page)
  const records = await countProductsOfEach(
    deps,
    entries.map(({ row }) => row),
  )
  const webhooks = await webhookStatesOfApps(
    deps,
    entries.map(({ row }) => row.appId),
  )
  return {
    entries: entries.map((stored) => {
      const { row, option } = stored
      const count = records.get(row.partyId) ?? 0
      return { ...accountView(deps, stored, count, webhooks.get(row.appId)), option }
    }),
    next,
  }
}

/** An installation with what its users need next: missing settings, price, available upgrade. */
export async function accountInstallationOf(
  deps: AccountDeps,
  stored: StoredInstallation,
): Promise<AccountInstallation> {
  const webhooks = await webhookStatesOfApps(deps, [stored.row.appId])
  const records = await countProducts(deps, stored.row)
  return accountView(deps, stored, records, webhooks.get(stored.row.appId))
}

function accountView(
  deps: AccountDeps,
  { row, profile, option }: StoredInstallation,
  records: number,
  webhooks: WebhooksState = stateOfAll([]),
): AccountInstallation {
  const { adminSettings: _adminSettings, ...record } = installationRecordOf(deps, row, 'omit')
  const mine = row.settings.filter(({ scope }) => scope === 'user')
  const { app } = row
  return {
    ...record,
    passwordsSet: mine
      .filter(({ secret }) => secret !== null)
      .map(({ key }) => key)
      .sort(),
    missingSettings: Object.entries(profile)
      .filter(
        ([key, setting]) =>
          setting.scope === 'user' && setting.mandatory && !mine.some((one) => one.key === key),
      )
      .map(([key]) => key)
      .sort(),
    quote: quote(option, records),
    upgrade: upgradeOf(row),
    openUrl: canOpen(row)
      ? (ownSite(app) ??
        `${deps.config.publicUrl}/Apps/Authenticate/${row.appId}?partyId=${row.partyId}`)
      : null,
    webhooks,
  }
}

/** The latest version, if it is another one that the account may have. */
function upgradeOf(row: StoredInstallation['row']): AccountInstallation['upgrade'] {
  const { live, app, installedVersion, partyId: id, partyType: type } = row
  const { version } = app
  if (live === null || version === null || version === installedVersion) return null
  return isOffered(app, { id, type }) ? { version } : null
}
