import { type Html, html } from '../shared/page/html.ts'
import { csrfField } from '../shared/page/html-page.ts'
import { type Account, accountsListed, canInstall } from './account-on-listing.ts'

/** With more, the list of accounts on the listing has them all. */
const ALTERNATIVES_MAX = 5

type OtherAccountInput = {
  /** The account that the page is about, for which the app cannot be installed. */
  account: Account
  accounts: readonly Account[]
  csrfToken: string
  /** Path of this site that a switch of the account leads to. */
  next: string
}

/**
 * Why an app cannot be installed for an account, and which of the user's other accounts can have
 * it: a click makes one of those the account that the pages are about.
 */
export function otherAccountNotice({
  account,
  accounts,
  csrfToken,
  next,
}: OtherAccountInput): Html {
  const others = accountsListed(accounts).filter(canInstall).slice(0, ALTERNATIVES_MAX)
  const why = reason(account)
  if (others.length === 0) return html`<div class="notice warning"><p>${why}</p></div>`
  return html`<div class="notice warning">
    <p><strong>${why}</strong> Install for ${alternatives(others)} instead?</p>
    <form class="actions" method="post" action="/Account/Choose">
      ${csrfField(csrfToken)}
      <input type="hidden" name="next" value="${next}">
      ${others.map(
        ({
          partyId,
          partyName,
        }) => html`<button class="button" type="submit" name="partyId" value="${partyId}">
          <span>Switch to <bdi>${partyName}</bdi></span>
        </button>`,
      )}
    </form>
  </div>`
}

function reason({ installationId, partyName, requestId, obstacle, whoCan }: Account): Html {
  if (installationId !== null) return html`<bdi>${partyName}</bdi> already has this app.`
  if (requestId === null || obstacle !== null) return html`${obstacle ?? whoCan}`
  return html`You asked for this app. An admin of <bdi>${partyName}</bdi> will decide.
    <a href="/Account/Requests/${requestId}">View your request</a>`
}

/** `A`, `A or B`, `A, B or C`. */
function alternatives(accounts: readonly Account[]): Html[] {
  const last = accounts.length - 1
  return accounts.map(
    ({ partyName }, index) =>
      html`${index > 0 && (index === last ? ' or ' : ', ')}<bdi>${partyName}</bdi>`,
  )
}
