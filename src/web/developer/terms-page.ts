import type { AppRecord } from '../../marketplace/apps/app-record.ts'
import { framePage, type Visit } from '../kit/frame.ts'
import { documentKind } from '../shared/app-parts/consent-view.ts'
import { describedBy } from '../shared/forms/form-problems.ts'
import { isTooLong, lengthText, SHOWN_TEXT_MAX_LENGTH } from '../shared/forms/long-text.ts'
import { carriedField, type FormFields } from '../shared/forms/settings-form.ts'
import { card } from '../shared/page/blocks.ts'
import { type Html, html } from '../shared/page/html.ts'
import { csrfField, type HtmlPage } from '../shared/page/html-page.ts'
import { formActions, ownAppPath } from './console-frame.ts'

/** Where the reference tells how to attach a document. */
const REFERENCE = '/docs/api#tag/apps/PUT/v1/Developer/Apps/%7BappId%7D/TermsDocument'

/** Media types of what can be typed into the page -> their name. */
export const TYPED_TERMS = { 'text/markdown': 'Markdown', 'text/plain': 'Plain text' } as const
export type TypedTerms = keyof typeof TYPED_TERMS

/** Name of the field with the SHA-256 of the document that the form was made of; empty without one. */
export const SEEN_FIELD = 'seen'

type TermsPageInput = Visit & {
  app: AppRecord
  /** What the editor holds: the document that there is, or what was typed last. */
  fields: FormFields
}

/** The terms document of an app, to be typed, changed or removed. */
export function ownTermsPage(input: TermsPageInput): HtmlPage {
  const { app, fields, csrfToken, problems = [] } = input
  const path = ownAppPath(app.id)
  const typed = fields.get('document') ?? ''
  const seen = html`<input type="hidden" name="${SEEN_FIELD}" value="${fields.get(SEEN_FIELD) ?? ''}">`
  const document = describedBy(problems, 'document', ['document-hint'])
  const version = describedBy(problems, 'version', ['version-hint'])
  const removal = describedBy(problems, 'removalVersion', ['removal-hint'])
  return framePage({ console: 'developer', section: 'own-apps' }, input, {
    title: `Terms document of ${app.name}`,
    layout: 'form',
    back: { href: path, label: app.name },
    heading: html`Terms document of <bdi>${app.name}</bdi>`,
    lead: 'Accounts accept this document when they install the app.',
    content: html`${
      app.termsDocument !== null &&
      html`${card(
        'now',
        'Current document',
        html`<p>
<a href="${path}/Terms/Document">Download the terms</a> <span class="fine">(${documentKind(app.termsDocument)})</span>
</p><form class="stack" method="post" action="${path}/Terms">${csrfField(csrfToken)}${seen}<div class="field">
<label for="removalVersion">New version without a document</label><p class="hint" id="removal-hint">
Required if an account has installed version <bdi>${app.version}</bdi>.</p>
${removal.message}<input type="text" id="removalVersion" name="removalVersion" maxlength="64" autocomplete="off"
dir="auto" value="${fields.get('removalVersion') ?? ''}"${removal.attributes}>
</div><p class="actions"><button class="button danger" type="submit" name="do" value="remove">Remove</button></p></form>`,
      )}`
    }
<form class="card" method="post" action="${path}/Terms">
${csrfField(csrfToken)}${seen}
<h2>${app.termsDocument === null ? 'Add a document' : 'Change the document'}</h2>
<div class="field"><label for="mediaType">Kind of text</label>
<select id="mediaType" name="mediaType">${Object.entries(TYPED_TERMS).map(
      ([
        type,
        name,
      ]) => html`<option value="${type}"${type === fields.get('mediaType') && html` selected`}>${name}</option>
`,
    )}</select></div>
<div class="field"><label for="document">Document</label>${unshown(app, typed)}<p class="hint" id="document-hint">
To upload a PDF or a very long text, use the <a href="${REFERENCE}">API</a>: <code>PUT /v1/Developer/Apps/${app.id}/TermsDocument</code>
</p>${document.message}<textarea id="document" name="document" rows="16" dir="auto" aria-required="true"${document.attributes}>
${!isTooLong(typed) && typed}</textarea></div>
<div class="field"><label for="version">New version</label><p class="hint" id="version-hint">
Required if an account has installed version <bdi>${app.version}</bdi>. The document is then published with the new version.
</p>${version.message}<input type="text" id="version" name="version" maxlength="64" dir="auto"
value="${fields.get('version') ?? ''}"${version.attributes}></div>
${formActions('Save', path, 'primary')}</form>`,
  })
}

/** What is said of a text that is too long for the field; one that was typed goes along with the form. */
function unshown({ id, termsDocument }: AppRecord, typed: string): Html | false {
  if (isTooLong(typed)) {
    return html`<p>Your text of ${lengthText(typed.length)} is kept, but too long to show here. Send the form again,
or paste another text.</p>${carriedField('document')}`
  }
  const isLong = termsDocument !== null && termsDocument.size > SHOWN_TEXT_MAX_LENGTH
  if (!isLong || typed !== '') return false
  return html`<p>The current document of ${lengthText(termsDocument.size)} is too long to show here.
<a href="${ownAppPath(id)}/Terms/Document">Download it</a>, or paste a new one.</p>`
}
