import type { RequestShown } from '../../../installations/requests/request-shown.ts'
import { consentFields } from '../../shared/app-parts/consent-view.ts'
import {
  type ConsentQuestions,
  type FormAttempt,
  problemSummary,
  tie,
} from '../../shared/forms/form-problems.ts'
import { card } from '../../shared/page/blocks.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { csrfField, page, type UserShell } from '../../shared/page/html-page.ts'
import { messageView } from '../../shared/page/message-view.ts'
import { REQUESTS_PATH, requestCards } from './request-view.ts'

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
export function requestPage(input: RequestPageInput): string {
  const { user, csrfToken, assetVersion, request, attempt, message } = input
  const { appName, status, isAdmin, isOwn } = request
  const waits = status === 'pending'
  const body = html`<p><a href="${REQUESTS_PATH}">← Install requests</a></p>
<div class="page-head"><h1>Request for <bdi>${appName}</bdi></h1></div>
${messageView(message)}
${problemSummary(attempt.problems)}
${requestCards(request)}
${
  waits &&
  isAdmin &&
  html`${acceptForm(input)}
${declineForm(input)}`
}
${waits && isOwn && form(input, 'withdraw', html`<button class="button large" type="submit">Withdraw request</button>`)}`
  const title = `${attempt.problems.length > 0 ? 'Error: ' : ''}Request for ${appName}`
  return page({ user, csrfToken, assetVersion, title, section: 'account', layout: 'form', body })
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
<p class="actions"><button class="button primary large" type="submit">Accept and install</button></p>`,
  )
}

function declineForm(input: RequestPageInput): Html {
  const { attempt } = input
  const { attributes, message } = tie(attempt.problems, 'reason', ['reason-hint'])
  return form(
    input,
    'decline',
    html`<div class="field"><label for="reason">Reason</label><p class="hint" id="reason-hint">
Shown to who asked. At most 500 characters.</p>
${message}<textarea id="reason" name="reason" rows="3" dir="auto" aria-required="true"${attributes}>
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
