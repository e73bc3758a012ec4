import type { FieldError } from '../../errors.ts'
import type { AppRecord } from '../../marketplace/apps/app-record.ts'
import { missingForListing } from '../../marketplace/apps/missing-for-listing.ts'
import type { FormProblem } from '../shared/forms/form-problems.ts'
import { card } from '../shared/page/blocks.ts'
import { type Html, html } from '../shared/page/html.ts'
import { csrfField, type HtmlPage } from '../shared/page/html-page.ts'
import { type ConsoleInput, developerPage, formActions, ownAppPath } from './console-frame.ts'

/** What a visitor of the catalogue reads, or is led to; with the members of the definition. */
const CHECKED = [
  ['Name', 'name'],
  ['Description', 'description'],
  ['Permissions', 'permissions'],
  ['Return address', 'authReturnUrl'],
  ['Website', 'websiteUrl'],
  ['Support', 'supportUrl'],
] as const

/** Asks before an app is shown to everybody, with a checklist of what it still lacks. */
export function listingQuestionPage(input: ConsoleInput & { app: AppRecord }): HtmlPage {
  const { app, csrfToken } = input
  const path = ownAppPath(app.id)
  const missing = missingForListing(app)
  return developerPage(input, {
    title: `List ${app.name}`,
    section: 'own-apps',
    layout: 'form',
    back: { href: path, label: app.name },
    head: html`<h1>List <bdi>${app.name}</bdi></h1>`,
    content: html`${card('ready', 'Ready to list?', checklist(app, missing))}
<form class="card" method="post" action="${path}/List">${csrfField(csrfToken)}
<h2>What happens</h2>
<ul class="bullets"><li>Everybody can find the app in the directory and read its listing, also without a sign-in.</li>
<li>Every ${app.partyTypes.join(' and every ')} account can install version <bdi>${app.version}</bdi>.</li>
${app.suspended && html`<li>The operator has suspended this app. The listing appears when the operator resumes it.</li>`}
<li>You can unlist it at any time. Accounts that have installed it keep it.</li></ul>
${
  missing.length === 0
    ? formActions('List', path, 'primary')
    : html`<p class="actions"><a class="button primary large" href="${path}/Definition">Edit definition</a>
<a class="button large" href="${path}">Cancel</a></p>`
}</form>`,
  })
}

function checklist(app: AppRecord, missing: readonly FieldError[]): Html {
  const rows = CHECKED.map(([label, member]) => ({
    label,
    member,
    found: missing.filter(({ pointer }) => pointer.split('/')[1] === member),
  }))
  return html`<ul class="bullets">${rows.map(
    ({ label, member, found }) => html`<li id="lacks-${member}">
<strong>${label}</strong> <span class="badge ${found.length === 0 ? 'badge-on' : 'badge-suspended'}">${stateOf(app[member], found)}</span>
${found.map(({ detail }) => html`<p class="field-error">${detail}</p>`)}</li>
`,
  )}</ul>`
}

function stateOf(value: unknown, found: readonly FieldError[]): string {
  if (found.length > 0) return 'Missing'
  return value === null ? 'None' : 'Ready'
}

/** The problems of a refused listing, each at its row of the checklist. */
export function missingProblems(errors: readonly FieldError[]): FormProblem[] {
  return errors.map(({ pointer, detail }) => ({
    field: `lacks-${pointer.split('/')[1]}`,
    text: detail,
  }))
}
