import { EVENTS_KEPT_DAYS } from '../../../events/kept-days.ts'
import type { Endpoint } from '../../../webhooks/endpoints/endpoint.ts'
import { tie } from '../../shared/forms/form-problems.ts'
import { html } from '../../shared/page/html.ts'
import { csrfField } from '../../shared/page/html-page.ts'
import { type ConsoleInput, developerPage, formActions } from '../console-frame.ts'
import { webhookPath } from './webhook-paths.ts'

type RecoverPageInput = ConsoleInput & { endpoint: Endpoint; since: string }

/** Asks since when an endpoint is to be sent what it has missed. */
export function recoverPage(input: RecoverPageInput): string {
  const { endpoint, since, csrfToken, problems = [] } = input
  const path = webhookPath(endpoint)
  const { attributes, message } = tie(problems, 'since', ['since-hint'])
  return developerPage(input, {
    title: 'Recover',
    section: 'own-apps',
    layout: 'form',
    back: { href: path, label: 'the endpoint' },
    head: html`<div class="page-head"><h1>Recover</h1><p class="lead">
Send <bdi>${endpoint.url}</bdi> everything again that it has not received.</p></div>`,
    content: html`<form class="card" method="post" action="${path}/Recover">
${csrfField(csrfToken)}
<div class="field"><label for="since">Since (UTC) <span class="must">(required)</span></label>
<p class="hint" id="since-hint">Events are kept for ${EVENTS_KEPT_DAYS} days.</p>
${message}<input type="datetime-local" id="since" name="since" value="${since}" aria-required="true"${attributes}></div>
<h2>What happens</h2>
<ul class="bullets"><li>Deliveries that failed, or that wait for another attempt, are sent now.</li>
<li>Events that were never sent there are sent, for example those while it was disabled.</li>
<li>What it has received is not sent again.</li></ul>
${formActions('Recover', path, 'primary')}</form>`,
  })
}
