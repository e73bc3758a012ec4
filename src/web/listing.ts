import type { PublicApp } from '../apps/app-record.ts'
import type { Quote } from '../apps/quotes.ts'
import type { PageParty } from './page.ts'

export type ListedApp = PublicApp

/** One of the visitor's accounts, as an app sees it. */
export type Account = PageParty & {
  /** Why the app cannot be installed for it, in words, or null. */
  obstacle: string | null
  /** The live installation of the app, if the account has it. */
  installationId: string | null
  /** Whether that can be opened now. */
  canOpen: boolean
  /** What each purchase option would cost it now, in the order of the options. */
  quotes: Quote[]
}

/**
 * The account that a listing shows prices for: the one that was asked for, otherwise the one that
 * the visitor has chosen, otherwise one that has the app, otherwise the first that may install it.
 */
export function accountShown(
  accounts: readonly Account[],
  partyId: number | undefined,
  chosenId: number | undefined,
): Account | undefined {
  return (
    accounts.find((account) => account.partyId === partyId) ??
    accounts.find((account) => account.partyId === chosenId) ??
    accounts.find(({ installationId }) => installationId !== null) ??
    accounts.find(({ obstacle }) => obstacle === null) ??
    accounts[0]
  )
}
