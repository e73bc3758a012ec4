import type { AskedPermission } from '../../../marketplace/apps/permissions.ts'
import type { PurchaseOption } from '../../../marketplace/apps/pricing/purchase-options.ts'
import type { Quote } from '../../../marketplace/apps/pricing/quotes.ts'
import type { SettingsProfile } from '../../../marketplace/apps/settings/definitions.ts'
import type { Installation } from '../../../marketplace/installations/installation.ts'
import type { OperatorInstallation } from '../../../marketplace/installations/operator/operator-installation.ts'
import type { SuspensionCause } from '../../../marketplace/installations/suspension-causes.ts'
import type { StoredSettings } from '../../shared/forms/settings-form.ts'

/** One installation of a developer's app with everything that its pages show. */
export type OwnInstallation = {
  /** Without passwords. */
  installation: Installation
  revision: number
  /** Whether users can open the app; it runs in the background otherwise. */
  canOpen: boolean
  option: PurchaseOption
  profile: SettingsProfile
  /** The settings of each side: of passwords only whether they are set. */
  stored: { user: StoredSettings; admin: StoredSettings }
  permissions: AskedPermission[]
  quote: Quote
  /** What is suspended, by whom, and why as far as the developer may know. */
  suspensions: SuspensionCause[]
}

/** One installation of the list of them. */
export type OwnRow = OperatorInstallation & {
  suspensions: readonly SuspensionCause[]
  optionName: string
}
