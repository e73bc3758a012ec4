import type { TermsDocument } from '../../marketplace/apps/app-record.ts'
import type { AskedPermission } from '../../marketplace/apps/permissions.ts'
import type { PurchaseOption } from '../../marketplace/apps/pricing/purchase-options.ts'
import type { Quote } from '../../marketplace/apps/pricing/quotes.ts'
import type { SettingsProfile } from '../../marketplace/apps/settings/definitions.ts'
import type { AccountInstallation } from '../../marketplace/installations/account-installation.ts'
import type { SuspensionCause } from '../../marketplace/installations/suspension-causes.ts'
import type { StoredSettings } from '../shared/forms/settings-form.ts'

/** An installation in a list. */
export type InstalledRow = AccountInstallation & {
  option: PurchaseOption
  iconId: string | null
  suspensions: SuspensionCause[]
  /** Who can install its app again, where it is uninstalled and that is possible; else null. */
  again: 'admin' | 'member' | null
}

/** `bar`: the operator suspended the installation, and keeps the account from the app; else null. */
export type Reinstall = { isPossible: boolean; bar: { reason: string | null } | null }

/** One installation with everything that its pages show. */
export type InstalledView = {
  installation: AccountInstallation
  revision: number
  iconId: string | null
  developerName: string
  /** Whether the account finds the listing of the app. */
  hasListing: boolean
  option: PurchaseOption
  profile: SettingsProfile
  stored: StoredSettings
  permissions: AskedPermission[]
  /** The terms document of the installed version. */
  terms: TermsDocument | null
  /** All purchase options of the installed version, each with its settings and price. */
  options: { option: PurchaseOption; profile: SettingsProfile; quote: Quote }[]
  /** What is suspended and why; empty when nothing is. */
  suspensions: SuspensionCause[]
  /** Whether the account can install the app again once it is uninstalled. */
  reinstall: Reinstall
  /** Who can change it, in words, where the visitor cannot; null for admins of the account. */
  whoCan: string | null
  /** Who asked for it, where an admin has accepted the request of a member. */
  askedBy: string | null
  /** The id of the last entry of its history; 0 if there is none. */
  newestEventId: number
}
