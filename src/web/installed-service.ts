import type { PurchaseOption } from '../apps/purchase-options.ts'
import { quote } from '../apps/quotes.ts'
import { findApp } from '../apps/read-service.ts'
import type { SettingsConfiguration } from '../apps/setting-definitions.ts'
import type { SettingValue } from '../apps/setting-value-types.ts'
import { purchaseOptionOf } from '../apps/stored-definition.ts'
import { listAccountAudit } from '../audit/read-service.ts'
import type { Deps } from '../deps.ts'
import type { AccountInstallation } from '../installations/account-installation.ts'
import {
  type AccountFilters,
  accountInstallationOf,
  listAccountInstallations,
} from '../installations/account-service.ts'
import { findInstallation, ofUser } from '../installations/record-service.ts'
import { storedProfile } from '../installations/transition.ts'
import type { Page, PageRequest } from '../page.ts'
import { countProducts } from '../products/count-service.ts'
import type { InstalledView } from './installed.ts'
import type { StoredSettings } from './settings-form.ts'

type InstalledDeps = Pick<Deps, 'db' | 'secrets' | 'config'>

const HISTORY_MAX = 20

/** Installations of the user's accounts: by the name of the app, or oldest first if too many. */
export async function listInstalled(
  deps: InstalledDeps,
  userId: string,
  filters: AccountFilters,
  page: PageRequest,
): Promise<Page<AccountInstallation>> {
  const { entries, next } = await listAccountInstallations(deps, userId, filters, page)
  if (page.after === undefined && next === undefined) {
    entries.sort(
      (a, b) => a.appName.localeCompare(b.appName, 'en') || a.partyName.localeCompare(b.partyName),
    )
  }
  return { entries, next }
}

/**
 * One installation of the user's accounts, uninstalled ones included.
 *
 * @throws AppError not_found
 */
export async function readInstalled(
  deps: InstalledDeps,
  userId: string,
  id: string,
): Promise<InstalledView> {
  const { db } = deps
  const found = await findInstallation(db, id, ofUser(userId))
  const { row, option, profile } = found
  const version = row.purchaseOption.appVersion
  const [installation, options, developer, party, history, records] = await Promise.all([
    accountInstallationOf(deps, found),
    db.purchaseOption.findMany({
      where: { appId: row.appId, version: row.installedVersion },
      orderBy: [{ order: 'asc' }, { id: 'asc' }],
    }),
    db.developer.findUniqueOrThrow({ where: { id: row.developerId } }),
    db.party.findUniqueOrThrow({ where: { id: row.partyId } }),
    listAccountAudit(
      deps,
      userId,
      { subjectKind: 'installation', subjectId: row.id },
      { after: undefined, limit: HISTORY_MAX },
    ),
    countProducts(deps, row),
  ])
  const asked = version.permissions as { id: string; purpose: string }[]
  const suspended = [
    { what: 'This installation', at: row.suspendedAt, reason: row.suspendedReason },
    { what: 'The app', at: row.app.suspendedAt, reason: row.app.suspendedReason },
    { what: 'The app’s developer', at: developer.suspendedAt, reason: developer.suspendedReason },
    { what: 'Your account', at: party.suspendedAt, reason: party.suspendedReason },
  ]
  return {
    installation,
    revision: row.revision,
    developerName: developer.name,
    listed: row.app.listed && row.app.suspendedAt === null && developer.suspendedAt === null,
    option,
    profile,
    stored: storedSettingsOf(row.settings),
    permissions: row.permissions.map((permission) => ({
      id: permission,
      purpose: asked.find((one) => one.id === permission)?.purpose ?? null,
    })),
    options: options.map(purchaseOptionOf).map((one) => ({
      option: one,
      profile: storedProfile(version.settings as SettingsConfiguration, one.id),
      quote: quote(one, records),
    })),
    suspensions:
      row.status === 'uninstalled'
        ? []
        : suspended.filter(({ at }) => at !== null).map(({ what, reason }) => ({ what, reason })),
    history: history.entries,
  }
}

function storedSettingsOf(
  settings: readonly { scope: string; key: string; value: unknown; secret: unknown }[],
): StoredSettings {
  const own = settings.filter(({ scope }) => scope === 'user')
  return {
    values: new Map(
      own
        .filter(({ secret }) => secret === null)
        .map(({ key, value }) => [key, value as SettingValue]),
    ),
    passwordsSet: new Set(own.filter(({ secret }) => secret !== null).map(({ key }) => key)),
  }
}

/** The purchase options of the latest version of an app, with their settings. */
export async function readLatest(
  { db }: Pick<Deps, 'db'>,
  appId: string,
): Promise<{ options: PurchaseOption[]; settings: SettingsConfiguration }> {
  const { definition } = await findApp(db, appId, {})
  return { options: definition.purchaseOptions, settings: definition.settings }
}
