import type { PublicApp } from '../../marketplace/apps/app-record.ts'
import type { AppListing } from '../../marketplace/apps/listing/app-listing.ts'
import type { PurchaseOption } from '../../marketplace/apps/pricing/purchase-options.ts'
import type { Quote } from '../../marketplace/apps/pricing/quotes.ts'
import type { Visibility } from '../../marketplace/apps/visibility/visibility.ts'
import type { SuspensionCause } from '../../marketplace/installations/suspension-causes.ts'
import type { PageParty } from '../shared/page/page-party.ts'

/** Nothing of its settings, which may have a megabyte: only an install asks for them. */
export type ListedApp = Omit<PublicApp, 'settings'>

/** Purchase option -> the names of the settings that have to be entered for it. */
export type AskedSettings = ReadonlyMap<string, readonly string[]>

/** One of the visitor's accounts, as an app sees it. */
export type Account = PageParty & {
  /** Whether the app is meant for accounts like this one. */
  offered: boolean
  /** Why the app cannot be installed for it, in words, or null. */
  obstacle: string | null
  /** Who can install apps for it, in words, where the visitor cannot; null for its admins. */
  whoCan: string | null
  /** The live installation of the app, if the account has it. */
  installationId: string | null
  /** Whether that is suspended, by whatever suspends it. */
  isSuspended: boolean
  /** The visitor's own request for the app that waits for an admin, where the visitor is none. */
  requestId: string | null
  /** Whether that can be opened now. */
  canOpen: boolean
  /** The app's own site, where it opens from there. */
  site: string | null
  /** What each purchase option would cost it now, in the order of the options. */
  quotes: Quote[]
}

/** An app with what a visitor needs to decide on it. */
export type Listing = {
  app: ListedApp
  /** What its developer says beside the definition. */
  words: AppListing
  /** False for an app of one's own sandbox that nobody else sees. */
  visibility: Visibility
  /** Whether it works without being opened: it has no return address. */
  background: boolean
  /** Whose suspension stops it, and why; shown only to those who have the app. */
  suspensions: SuspensionCause[]
  options: PurchaseOption[]
  accounts: Account[]
}

/** A listing with the settings that an install asks for. */
export type InstallListing = Listing & { app: PublicApp }

/** Says that an app is not meant for accounts of a type. */
export function notOfferedTo(type: PageParty['partyType']): string {
  return type === 'None'
    ? 'Not offered to the sandboxes of other developers.'
    : `Not offered to ${type}s.`
}

/** Whether the visitor can install an app for the account. */
export function canInstall({ obstacle, whoCan, installationId }: Account): boolean {
  return obstacle === null && whoCan === null && installationId === null
}

/** Whether a member can ask the admins of the account for an app. */
export function canRequest(account: Account): boolean {
  const { obstacle, whoCan, installationId, requestId } = account
  return obstacle === null && whoCan !== null && installationId === null && requestId === null
}

/** Whether an install of an app can be begun for the account: at once, or as a request. */
export function canBegin(account: Account): boolean {
  return canInstall(account) || canRequest(account)
}

/**
 * The accounts that an install is offered for: where none can have it at once, by request, which
 * may have been made already.
 */
export function accountsToBegin(accounts: readonly Account[]): Account[] {
  const able = accounts.filter(canInstall)
  if (able.length > 0) return able
  return accounts.filter((account) => canRequest(account) || account.requestId !== null)
}

/** The accounts that a page about an app names: the sandboxes of other developers are none. */
export function accountsListed(accounts: readonly Account[]): Account[] {
  return accounts.filter(({ partyType, offered }) => partyType !== 'None' || offered)
}

/**
 * The account that a listing is about: the one that was asked for, otherwise the one that the
 * visitor has chosen, otherwise one that has the app, otherwise the first that may install it. A
 * sandbox comes last.
 */
export function accountShown(
  accounts: readonly Account[],
  partyId: number | undefined,
  chosenId: number | undefined,
): Account | undefined {
  const listed = accountsListed(accounts)
  const best = (some: readonly Account[]) =>
    some.find(({ installationId }) => installationId !== null) ??
    some.find(canInstall) ??
    some.find(({ obstacle }) => obstacle === null)
  return (
    accounts.find((account) => account.partyId === partyId) ??
    accounts.find((account) => account.partyId === chosenId) ??
    best(listed.filter(({ partyType }) => partyType !== 'None')) ??
    best(listed) ??
    listed[0] ??
    accounts[0]
  )
}
