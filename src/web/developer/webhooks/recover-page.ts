import { EVENTS_KEPT_DAYS } from '../../../marketplace/events/event-record.ts'
import type { Endpoint } from '../../../marketplace/webhooks/endpoints/endpoint.ts'
import { framePage, type Visit } from '../../kit/frame.ts'
import { describedBy } from '../../shared/forms/form-problems.ts'
import { html } from '../../shared/page/html.ts'
import { csrfField, type HtmlPage } from '../../shared/page/html-page.ts'
import { formActions } from '../console-frame.ts'
import { webhookPath } from './webhook-paths.ts'

type RecoverPageInput = Visit & {
  endpoint: Endpoint
  since: string
  /** Also what it has received. */
  all: boolean
  /** Up to which position of the log an earlier request came. */
  after: number | undefined
}

/** What a recovery is asked for. Another one begins anew, and not where an earlier one came to. */
export function recoveryText(since: string, all: boolean): string {
  return `${since}${all ? ', all' : ''}`
}

/** Asks since when an endpoint is to be sent what it has missed, or everything. */
export function recoverPage(input: RecoverPageInput): HtmlPage {
  const { endpoint, since, all, after, csrfToken, problems = [] } = input
  const path = webhookPath(endpoint)
  const { attributes, message: problem } = describedBy(problems, 'since', ['since-hint'])
  const message =
    after === undefined
      ? input.message
      : `Up to the event ${after}, all is on the way. There are more: recover again to go on.`
  return framePage(
    { console: 'developer', section: 'own-apps' },
    { ...input, message },
    {
      title: 'Resend missed events',
      about: endpoint.url,
      layout: 'form',
      back: { href: path, label: 'Endpoint' },
      lead: html`Send <bdi>${endpoint.url}</bdi> again what it has not received, or everything since a time.`,
      content: html`<form class="card" method="post" action="${path}/Recover">
${csrfField(csrfToken)}
<div class="field"><label for="since">Since (UTC) <span class="must">(required)</span></label>
<p class="hint" id="since-hint">Events are kept for ${EVENTS_KEPT_DAYS} days.</p>
${problem}<input type="datetime-local" id="since" name="since" value="${since}" aria-required="true"${attributes}></div>
<div class="field"><div class="check"><input type="checkbox" id="all" name="all" value="yes"
aria-describedby="all-hint"${all && html` checked`}><label for="all">Also send what it has received</label></div>
<p class="hint" id="all-hint">For a receiver that has lost its data: it gets every event since then once more.</p></div>
${
  after !== undefined &&
  html`<input type="hidden" name="after" value="${after}"><input type="hidden" name="afterOf"
value="${recoveryText(since, all)}">`
}
<h2>What happens</h2>
<ul class="bullets"><li>Deliveries that failed, or that wait for another attempt, are sent now.</li>
<li>Events that were never sent there are sent, for example those while it was disabled.</li>
<li>What it has received is not sent again, unless you choose so above. Events keep their IDs.</li></ul>
${formActions('Resend events', path, 'primary')}</form>`,
    },
  )
}
