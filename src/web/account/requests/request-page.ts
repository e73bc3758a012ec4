import type { RequestShown } from '../../../marketplace/installations/requests/request-shown.ts'
import { controlsView } from '../../kit/fields.ts'
import { consentFields } from '../../shared/app-parts/consent-view.ts'
import type { TermsText } from '../../shared/app-parts/terms-text.ts'
import type { ConsentQuestions, FormAttempt } from '../../shared/forms/form-problems.ts'
import { card } from '../../shared/page/blocks.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { csrfField } from '../../shared/page/html-page.ts'
import { REQUESTS_PATH } from '../../shared/status/requests-notice.ts'

/** Name of the field that says what becomes of a request. */
export const DECISION_FIELD = 'decision'

type RequestForms = {
  request: RequestShown
  /** What the admin accepts; undefined when this version of the app cannot be installed now. */
  questions: ConsentQuestions | undefined
  /** The terms among it, where they are text. */
  termsText: TermsText | undefined
  attempt: FormAttempt
  csrfToken: string
}

/** What an admin can decide of an install request, and its author take back. */
export function requestForms(input: RequestForms): Html {
  const { appId, hasListing, status, isAdmin, isOwn } = input.request
  const waits = status === 'pending'
  return html`${
    waits &&
    isAdmin &&
    html`${acceptForm(input)}
${declineForm(input)}`
  }
${waits && isOwn && form(input, 'withdraw', withdrawButton)}${
  isOwn &&
  hasListing &&
  (status === 'declined' || status === 'withdrawn') &&
  html`<p class="actions"><a class="button" href="/Apps/${encodeURIComponent(appId)}/Install">Request again</a></p>`
}`
}

/** Whether the reason, far below, is all that is wrong: there is nothing else to be done about it. */
export function lacksReason({ problems }: FormAttempt): boolean {
  return problems.length > 0 && problems.every(({ field }) => field === 'reason')
}

function acceptForm(input: RequestForms): Html {
  const { request, questions, termsText, attempt } = input
  if (questions === undefined) {
    return html`<div class="notice warning"><p>
The app has changed since, or is not available now. This request cannot be accepted.</p></div>`
  }
  const { acknowledgements, termsDocument } = questions
  const asks = acknowledgements.length > 0 || termsDocument !== null
  const { typed, problems } = attempt
  const consent = consentFields(request.appId, questions, typed, problems, termsText)
  return form(
    input,
    'accept',
    html`${asks && card('consent', 'Please confirm', consent)}
<p class="actions"><button class="button primary large" type="submit">Approve and install</button></p>`,
  )
}

const withdrawButton = html`<p class="actions">
<button class="button large" type="submit">Withdraw request</button></p>`

/** The reason of a refusal. */
const REASON = {
  label: 'Reason',
  kind: 'lines',
  rows: 3,
  hint: 'The person who asked will see it. At most 500 characters.',
} as const

function declineForm(input: RequestForms): Html {
  const { attempt } = input
  return form(
    input,
    'decline',
    html`${controlsView({ reason: { ...REASON, takesFocus: lacksReason(attempt) } }, attempt)}
<p class="actions"><button class="button danger large" type="submit">Decline</button></p>`,
    'card',
  )
}

function form(
  { csrfToken, request }: RequestForms,
  decision: 'accept' | 'decline' | 'withdraw',
  content: Html,
  kind: 'card' | 'stack' = 'stack',
): Html {
  return html`<form class="${kind}" method="post" action="${REQUESTS_PATH}/${request.id}">${csrfField(csrfToken)}
<input type="hidden" name="${DECISION_FIELD}" value="${decision}">
${content}</form>`
}
