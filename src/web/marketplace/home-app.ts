import type { SuspensionCause } from '../../marketplace/installations/suspension-causes.ts'
import type { PageParty } from '../shared/page/page-party.ts'

/** One of the user's accounts, and what keeps it from having apps that work, if anything does. */
export type HomeParty = PageParty & {
  suspension: SuspensionCause | null
  /** Whether the user manages it. */
  isAdmin: boolean
  /** Whether other people belong to it, too. */
  hasColleagues: boolean
}

/** So many apps of an account are on the start page; the page Installed has all. */
export const APPS_OF_ACCOUNT_SHOWN = 20

/** An app installed for one of the user's accounts. */
export type HomeApp = {
  id: string
  iconId: string | null
  installationId: string
  name: string
  partyId: number
  partyName: string
  suspensions: readonly SuspensionCause[]
  /** The version that its account can upgrade to, if there is one. */
  upgrade: string | null
  /** Since when one of its endpoints does not work. */
  failingSince: Date | null
  /** False when it cannot be opened from here: suspended, or it runs in the background. */
  canOpen: boolean
  /** The app's own site, where it opens from there. */
  site: string | null
}
