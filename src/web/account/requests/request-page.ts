import type { RequestShown } from '../../../marketplace/installations/requests/request-shown.ts'
import { framePage } from '../../kit/frame.ts'
import { consentFields } from '../../shared/app-parts/consent-view.ts'
import {
  type ConsentQuestions,
  describedBy,
  type FormAttempt,
} from '../../shared/forms/form-problems.ts'
import { card } from '../../shared/page/blocks.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { csrfField, type HtmlPage, type UserShell } from '../../shared/page/html-page.ts'
import { REQUESTS_PATH } from '../../shared/status/requests-notice.ts'
import { requestCards } from './request-view.ts'

/** Name of the field that says what becomes of a request. */
export const DECISION_FIELD = 'decision'

type RequestPageInput = UserShell & {
  request: RequestShown
  /** What the admin accepts; undefined when this version of the app cannot be installed now. */
  questions: ConsentQuestions | undefined
  attempt: FormAttempt
  /** What has just happened, in words. */
  message: string | undefined
}

/** One install request: for admins to decide, for its author with the way to take it back. */
export function requestPage(input: RequestPageInput): HtmlPage {
  const { request, attempt, message, ...shell } = input
  const { appId, appName, hasListing, status, isAdmin, isOwn } = request
  const waits = status === 'pending'
  const content = html`${requestCards(request)}
${
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
  return framePage(
    { console: 'account' },
    {
      ...shell,
      problems: attempt.problems.filter(({ field }) => waits || field === undefined),
      message,
    },
    {
      title: `Request for ${appName}`,
      heading: html`Request for <bdi>${appName}</bdi>`,
      back: { href: REQUESTS_PATH, label: 'Install requests' },
      takesFocus: lacksReason(attempt),
      content,
    },
  )
}

/** The field of the reason is far below the problems: there is nothing else to be done about them. */
function lacksReason({ problems }: FormAttempt): boolean {
  return problems.length > 0 && problems.every(({ field }) => field === 'reason')
}

function acceptForm(input: RequestPageInput): Html {
  const { request, questions, attempt } = input
  if (questions === undefined) {
    return html`<div class="notice warning"><p>
The app has changed since, or is not available now. This request cannot be accepted.</p></div>`
  }
  const { acknowledgements, termsDocument } = questions
  const asks = acknowledgements.length > 0 || termsDocument !== null
  const consent = html`${consentFields(request.appId, questions, attempt.typed, attempt.problems)}`
  return form(
    input,
    'accept',
    html`${asks && card('consent', 'Please confirm', consent)}
<p class="actions"><button class="button primary large" type="submit">Approve and install</button></p>`,
  )
}

const withdrawButton = html`<p class="actions">
<button class="button large" type="submit">Withdraw request</button></p>`

function declineForm(input: RequestPageInput): Html {
  const { attempt } = input
  const { attributes, message } = describedBy(attempt.problems, 'reason', ['reason-hint'])
  return form(
    input,
    'decline',
    html`<div class="field"><label for="reason">Reason</label><p class="hint" id="reason-hint">
The person who asked will see it. At most 500 characters.</p>
${message}<textarea id="reason" name="reason" rows="3" dir="auto" aria-required="true"${attributes}${
      lacksReason(attempt) && html` autofocus`
    }>
${attempt.typed.get('reason') ?? ''}</textarea></div>
<p class="actions"><button class="button danger large" type="submit">Decline</button></p>`,
    'card',
  )
}

function form(
  { csrfToken, request }: RequestPageInput,
  decision: 'accept' | 'decline' | 'withdraw',
  content: Html,
  kind: 'card' | 'stack' = 'stack',
): Html {
  return html`<form class="${kind}" method="post" action="${REQUESTS_PATH}/${request.id}">${csrfField(csrfToken)}
<input type="hidden" name="${DECISION_FIELD}" value="${decision}">
${content}</form>`
}
