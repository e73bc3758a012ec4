import type { RecentReport } from '../../leaks/recent-report.ts'
import { type Html, html } from '../shared/page/html.ts'
import { when } from '../shared/status/history-view.ts'

const WORDS: ReadonlyMap<string, string> = new Map([
  ['credential', 'The password of the credential'],
  ['developer_token', 'A developer token of the credential'],
  ['installation_token', 'A token of the installation'],
  ['code', 'A code for the installation'],
  ['webhook_secret', 'The secret of the webhook endpoint'],
])

/** Tells a developer of secrets that were found where they do not belong, and have ended. */
export function reportedSecrets(reports: readonly RecentReport[]): Html | false {
  if (reports.length === 0) return false
  return html`<div class="notice error"><p><strong>Secrets of yours were found in public, and have ended.</strong>
Replace them where you use them, and find out how they got there.</p><ul>${reports.map(
    ({ kind, subjectId, at }) => html`<li>${WORDS.get(kind) ?? 'A secret of'}
<code>${subjectId}</code>, reported ${when(at)}</li>
`,
  )}</ul></div>`
}
