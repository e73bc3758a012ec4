import type { FieldError } from '../../errors.ts'
import type { AppRecord } from '../../marketplace/apps/app-record.ts'
import { missingForListing } from '../../marketplace/apps/missing-for-listing.ts'
import { stateBadge } from '../kit/badge.ts'
import { whatHappens } from '../kit/form-view.ts'
import type { FormShown } from '../requests/form-page.ts'
import type { FormProblem } from '../shared/forms/form-problems.ts'
import { card } from '../shared/page/blocks.ts'
import { type Html, html } from '../shared/page/html.ts'
import { ownAppPath } from './console-frame.ts'

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
export function listingQuestion(app: AppRecord): FormShown {
  const path = ownAppPath(app.id)
  const missing = missingForListing(app)
  const ready = card('ready', 'Ready to list?', checklist(app, missing))
  const shown = {
    title: `List ${app.name}`,
    heading: html`List <bdi>${app.name}</bdi>`,
    back: { href: path, label: app.name },
  }
  const consequences = [
    'Everybody can find the app in the directory and read its listing, also without a sign-in.',
    html`Every ${app.partyTypes.join(' and every ')} account can install version <bdi>${app.version}</bdi>.`,
    ...(app.suspended
      ? ['The operator has suspended this app. The listing appears when the operator resumes it.']
      : []),
    'You can unlist it at any time. Accounts that have installed it keep it.',
  ]
  if (missing.length === 0) return { ...shown, above: ready, consequences, button: 'List' }
  return {
    ...shown,
    above: html`${ready}<div class="card">${whatHappens(consequences)}<p class="actions">
<a class="button primary" href="${path}/Definition">Edit definition</a> <a class="button" href="${path}">Cancel</a></p></div>`,
  }
}

function checklist(app: AppRecord, missing: readonly FieldError[]): Html {
  const rows = CHECKED.map(([label, member]) => ({
    label,
    member,
    found: missing.filter(({ pointer }) => pointer.split('/')[1] === member),
  }))
  return html`<ul class="bullets">${rows.map(
    ({ label, member, found }) => html`<li id="lacks-${member}">
<strong>${label}</strong> ${stateBadge(found.length === 0 ? 'on' : 'off', stateOf(app[member], found))}
${found.map(({ detail }) => html`<p class="field-error">${detail}</p>`)}</li>
`,
  )}</ul>`
}

function stateOf(value: unknown, found: readonly FieldError[]): string {
  if (found.length > 0) return 'Missing'
  return value === null ? 'None' : 'Ready'
}

/** What an app still lacks to be listed, each with the member of its definition. */
export function missingList(missing: readonly FieldError[]): Html {
  return html`<ul class="bullets">${missing.map(
    ({ pointer, detail }) => html`<li><code>${pointer.split('/')[1]}</code> ${detail}</li>
`,
  )}</ul>`
}

/** The problems of a refused listing, each at its row of the checklist. */
export function missingProblems(errors: readonly FieldError[]): FormProblem[] {
  return errors.map(({ pointer, detail }) => ({
    field: `lacks-${pointer.split('/')[1]}`,
    text: detail,
  }))
}
