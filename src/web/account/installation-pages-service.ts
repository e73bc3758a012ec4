import type { Page, PageRequest } from '../../base/values/page-of-list.ts'
import type { Deps } from '../../deps.ts'
import { whoCanFor } from '../../identity/accounts/members/party-members-service.ts'
import type { AuditRecord } from '../../identity/audit/audit-record.ts'
import { listAccountAudit } from '../../identity/audit/audit-trail-service.ts'
import { withIcons } from '../../marketplace/apps/media/icons-service.ts'
import type { PurchaseOption } from '../../marketplace/apps/pricing/purchase-options.ts'
import { quote } from '../../marketplace/apps/pricing/quotes.ts'
import { findApp } from '../../marketplace/apps/read-apps-service.ts'
import type { SettingsConfiguration } from '../../marketplace/apps/settings/definitions.ts'
import { purchaseOptionsOf } from '../../marketplace/apps/stored-definition.ts'
import { installableFor } from '../../marketplace/apps/visibility/visible-apps-service.ts'
import {
  type AccountFilters,
  accountInstallationOf,
  listAccountInstallations,
} from '../../marketplace/installations/account-installations-service.ts'
import { whoAskedFor } from '../../marketplace/installations/requests/requests-shown-service.ts'
import { readProfiles } from '../../marketplace/installations/settings/profiles-service.ts'
import {
  findInstallation,
  ofUser,
} from '../../marketplace/installations/stored-installation-service.ts'
import { suspensionCauses } from '../../marketplace/installations/suspension-causes.ts'
import { withSuspensions } from '../../marketplace/installations/suspension-causes-service.ts'
import { installedTerms } from '../../marketplace/installations/terms/installed-terms-service.ts'
import { countProducts } from '../../marketplace/products/count-service.ts'
import { grantedPermissions } from '../shared/app-parts/granted-permissions-service.ts'
import { storedSettingsOf } from '../shared/forms/settings-form.ts'
import type { InstalledRow, InstalledView } from './installation-shown.ts'
import { installableAgain, readReinstall } from './reinstall-service.ts'

type InstalledDeps = Pick<Deps, 'db' | 'pool' | 'secrets' | 'config'>

/**
 * Installations of the user's accounts in the order that is asked for; else by the name of the app, or
 * oldest first if too many.
 */
export async function listInstalled(
  deps: InstalledDeps,
  userId: string,
  filters: AccountFilters,
  page: PageRequest,
): Promise<Page<InstalledRow>> {
  const { entries, next } = await listAccountInstallations(deps, userId, filters, page)
  if (page.sort === undefined && page.after === undefined && next === undefined) {
    entries.sort(
      (a, b) => a.appName.localeCompare(b.appName, 'en') || a.partyName.localeCompare(b.partyName),
    )
  }
  const again = await installableAgain(
    deps,
    userId,
    entries.filter(({ status }) => status === 'uninstalled').map(({ id }) => id),
  )
  const rows = await withSuspensions(deps, await withIcons(deps, entries))
  return { entries: rows.map((row) => ({ ...row, again: again.get(row.id) ?? null })), next }
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
  // Before the installation: what comes in between shows as new rather than as known.
  const newest = await readHistory(deps, userId, id, { after: undefined, limit: 1 })
  const found = await findInstallation(db, id, ofUser(userId))
  const { row, option, profile } = found
  const version = row.purchaseOption.appVersion
  const [installation, options, developer, records, whoCan, terms, reinstall, askedBy, listings] =
    await Promise.all([
      accountInstallationOf(deps, found),
      db.purchaseOption.findMany({ where: { appId: row.appId, version: row.installedVersion } }),
      db.developer.findUniqueOrThrow({ where: { id: row.developerId } }),
      countProducts(deps, row),
      whoCanFor(db, userId, row.partyId),
      version.termsSha256 === null ? null : installedTerms(deps, id, ofUser(userId)),
      readReinstall(deps, found),
      whoAskedFor(deps, id),
      db.app.count({ where: { id: row.appId, deletedAt: null, ...installableFor(row.partyId) } }),
    ])
  const ofOption = ({ id: purchaseOptionId }: { id: string }) => ({ ...row, purchaseOptionId })
  const profileOf = await readProfiles(db, options.map(ofOption))
  return {
    installation,
    revision: row.revision,
    iconId: row.app.iconId,
    developerName: developer.name,
    hasListing: listings > 0,
    option,
    profile,
    stored: storedSettingsOf(row.settings, 'user'),
    permissions: grantedPermissions(row),
    terms,
    options: purchaseOptionsOf(options).map((one) => ({
      option: one,
      profile: profileOf(ofOption(one)),
      quote: quote(one, records),
    })),
    suspensions: suspensionCauses(row),
    reinstall,
    whoCan,
    askedBy,
    newestEventId: newest.entries[0]?.id ?? 0,
  }
}

/** What was changed of an installation of the user's accounts, newest first. */
export function readHistory(
  deps: Pick<Deps, 'db'>,
  userId: string,
  id: string,
  page: PageRequest,
): Promise<Page<AuditRecord>> {
  const subject = { subjectKind: 'installation', subjectId: id.toLowerCase() }
  return listAccountAudit(deps, userId, { ...subject, changesOnly: true }, page)
}

/** The purchase options of the latest version of an app, with their settings. */
export async function readLatest(
  { db }: Pick<Deps, 'db'>,
  appId: string,
): Promise<{ options: PurchaseOption[]; settings: SettingsConfiguration }> {
  const { definition } = await findApp(db, appId, {})
  return { options: definition.purchaseOptions, settings: definition.settings }
}
