import type { RecentReport } from '../../../marketplace/leaks/recent-report.ts'
import { type Html, html } from '../page/html.ts'
import { when } from './history-view.ts'

/** Kind of a secret, or what a link was for -> what it was. */
const OF_SUBJECT: ReadonlyMap<string, string> = new Map([
  ['credential', 'The password of the credential'],
  ['developer_token', 'A developer token of the credential'],
  ['installation_token', 'A token of the installation'],
  ['code', 'A code for the installation'],
  ['install_link', 'An install link'],
  ['webhook_secret', 'The secret of the webhook endpoint'],
  ['invitation', 'The link of the invitation'],
])
/** The names of secrets that belong to the user who reads the page. */
const OWN: ReadonlyMap<string, string> = new Map([
  ['account_token', 'An account token'],
  ['password_reset', 'A link for a new password'],
  ['email_change', 'A link to confirm a change of your email'],
  ['sign_in', 'A link to sign in'],
])

/** Tells of secrets that were found where they do not belong, and have ended. */
export function reportedSecrets(reports: readonly RecentReport[]): Html | false {
  if (reports.length === 0) return false
  return html`<div class="notice error"><p><strong>Secrets of yours were found in public, and have ended.</strong>
Replace them where you use them, and find out how they got there.</p><ul>${reports.map(
    (report) => html`<li>${nameOf(report)}, reported ${when(report.at)}</li>
`,
  )}</ul></div>`
}

function nameOf({ kind, purpose = kind, subjectId }: RecentReport): Html {
  const own = OWN.get(purpose)
  if (own !== undefined) return html`${own}`
  return html`${OF_SUBJECT.get(purpose) ?? 'A secret of'}
<code>${subjectId}</code>`
}
