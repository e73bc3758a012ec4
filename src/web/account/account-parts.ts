import { type Html, html } from '../shared/page/html.ts'
import { REQUESTS_PATH } from '../shared/status/requests-notice.ts'

/** The pages of the visitor's own account, by the name in their list. */
export const ACCOUNT_PARTS = {
  Profile: '/Account',
  Accounts: '/Account/Accounts',
  Requests: REQUESTS_PATH,
  Security: '/Account/Security',
  'Your data': '/Account/Data',
} as const

/** The way back to a part of the account. */
export function backToPart(label: keyof typeof ACCOUNT_PARTS) {
  return { href: ACCOUNT_PARTS[label], label }
}

/**
 * The list of these pages, beside each of them.
 *
 * @param requestsToDecide how many install requests wait for the visitor as an admin
 */
export function accountParts(current: keyof typeof ACCOUNT_PARTS, requestsToDecide: number): Html {
  const links = Object.entries(ACCOUNT_PARTS).map(
    ([
      label,
      href,
    ]) => html`<li><a href="${href}"${label === current && html` aria-current="page"`}>${label}${
      href === REQUESTS_PATH && requestsToDecide > 0 && waiting(requestsToDecide)
    }</a></li>
`,
  )
  return html`<nav class="aside-nav" aria-label="Your account">
<ul>${links}</ul></nav>
`
}

function waiting(count: number): Html {
  return html` <span class="count">${count}<span class="visually-hidden"> to review</span></span>`
}
