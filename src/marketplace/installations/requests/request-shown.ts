import type { PartyType } from '../../../base/values/party-type.ts'
import type { PurchaseOption } from '../../apps/pricing/purchase-options.ts'
import type { SettingsProfile } from '../../apps/settings/definitions.ts'
import type { InstallRequestRecord } from './install-request.ts'

/** A request without its settings, its permissions and the texts that are accepted with it. */
export type RequestSummary = Omit<
  InstallRequestRecord,
  'userSettings' | 'permissions' | 'acknowledgements' | 'termsDocument'
>

/** A request with the names of what it is about, as one reader sees it on pages. */
export type RequestListed = RequestSummary & {
  appName: string
  iconId: string | null
  partyName: string
  partyType: PartyType
  option: PurchaseOption
  /** The name of who decided it, or `you`; null while it waits, and when nobody knows any more. */
  decidedBy: string | null
  /** Whether the reader asked. */
  isOwn: boolean
  /** Whether the reader is an admin of the account. */
  isAdmin: boolean
}

/** A request as its own page shows it. */
export type RequestShown = RequestListed &
  Pick<InstallRequestRecord, 'userSettings' | 'permissions'> & {
    /** The settings of the option, in the version that was looked at. */
    profile: SettingsProfile
    /** Whether the reader finds the app in the directory. */
    hasListing: boolean
  }
