import type { TermsDocument } from '../../../marketplace/apps/app-record.ts'
import {
  acknowledgementControlId,
  acknowledgementField,
  type ConsentQuestions,
  describedBy,
  type FormProblem,
  TERMS_FIELD,
} from '../forms/form-problems.ts'
import type { FormFields } from '../forms/settings-form.ts'
import { type Html, html } from '../page/html.ts'
import { paragraphs } from '../page/paragraphs.ts'
import { type TermsText, termsBox } from './terms-text.ts'

const KIND = {
  'application/pdf': 'PDF',
  'text/plain': 'text',
  'text/markdown': 'Markdown text',
} as const satisfies Record<string, string>

/** `PDF, 120 kB`. */
export function documentKind({ mediaType, size }: { mediaType: string; size: number }): string {
  const kind = Object.hasOwn(KIND, mediaType) ? KIND[mediaType as keyof typeof KIND] : mediaType
  const amount = size < 1000 ? `${size} bytes` : `${Math.ceil(size / 1000).toLocaleString('en')} kB`
  return `${kind}, ${amount}`
}

/** Links to the file of terms, and to the PDF beside it if there is one. */
export function termsLinks(terms: TermsDocument, href: string, label = 'Download the terms'): Html {
  const { pdf } = terms
  return html`<p><a href="${href}">${label}</a> <span class="fine">(${documentKind(terms)})</span></p>
${
  pdf &&
  html`<p><a href="${href}/Pdf">Download as PDF</a>
<span class="fine">(${documentKind({ ...pdf, mediaType: 'application/pdf' })})</span></p>
`
}`
}

/** Where the terms document of an app is downloaded. */
export function termsPath(appId: string): string {
  return `/Apps/${encodeURIComponent(appId)}/Terms`
}

/**
 * A checkbox for each statement and for the terms; ticked only while the words are the same.
 *
 * @param terms the text of the terms, where a page shows it
 */
export function consentFields(
  appId: string,
  questions: ConsentQuestions,
  typed: FormFields | undefined,
  problems: readonly FormProblem[],
  terms?: TermsText | undefined,
): Html {
  const { acknowledgements, termsDocument } = questions
  return html`${acknowledgements.map((one) => {
    const id = acknowledgementControlId(one.id)
    return box({
      id,
      name: acknowledgementField(one.id),
      sha256: one.sha256,
      typed,
      problems,
      label: html`<bdi>${one.title}</bdi>`,
      text: paragraphs(one.text),
    })
  })}${
    termsDocument !== null &&
    box({
      id: TERMS_FIELD,
      name: TERMS_FIELD,
      sha256: termsDocument.sha256,
      typed,
      problems,
      label: html`I accept the terms and conditions`,
      text: termsLinks(termsDocument, termsPath(appId)),
      above: terms && termsBox(terms),
    })
  }`
}

type Box = {
  id: string
  name: string
  sha256: string
  typed: FormFields | undefined
  problems: readonly FormProblem[]
  label: Html
  text: Html
  /** What is accepted, where it is too long to describe the checkbox. */
  above?: Html | undefined
}

function box({ id, name, sha256, typed, problems, label, text, above }: Box): Html {
  const { attributes, message } = describedBy(problems, id, [`${id}-text`])
  const checked = typed?.get(name) === sha256 && html` checked`
  return html`<div class="consent">
    ${above}
    ${message}
    <div class="check">
      <input type="checkbox" id="${id}" name="${name}" value="${sha256}" aria-required="true"${attributes}${checked}>
      <label for="${id}">${label}</label>
    </div>
    <div class="consent-text" id="${id}-text">${text}</div>
  </div>`
}
