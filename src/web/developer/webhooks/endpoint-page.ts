import type { Delivery } from '../../../marketplace/webhooks/delivery-log/delivery.ts'
import type { Endpoint } from '../../../marketplace/webhooks/endpoints/endpoint.ts'
import { framePage, type Visit } from '../../kit/frame.ts'
import { bdi, card, fact } from '../../shared/page/blocks.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { csrfField, type HtmlPage } from '../../shared/page/html-page.ts'
import {
  type HistoryPage,
  historyPage,
  namesForDeveloper,
  when,
  whenExactly,
} from '../../shared/status/history-view.ts'
import { deliveryRow } from './delivery-words.ts'
import { healthBadge, healthNotice, healthSentence } from './endpoint-words.ts'
import { webhookPath, webhooksPath } from './webhook-paths.ts'

type EndpointPageInput = Visit & {
  endpoint: Endpoint
  /** The newest ones. */
  deliveries: readonly Delivery[]
  history: HistoryPage
  /** The names of the people in its history. */
  people: ReadonlyMap<string, string>
  now: Date
}

/** One webhook endpoint: how it fares, what it was sent, and what can be done with it. */
export function endpointPage(input: EndpointPageInput): HtmlPage {
  const { endpoint, deliveries, history, now } = input
  const path = webhookPath(endpoint)
  return framePage({ console: 'developer', section: 'own-apps' }, input, {
    title: 'Webhook endpoint',
    about: endpoint.url,
    back: { href: webhooksPath(endpoint.appId), label: 'Webhooks' },
    head: html`<div class="page-head"><h1 class="address"><bdi>${endpoint.url}</bdi></h1><p class="badges">
${healthBadge(endpoint)}</p></div>`,
    content: html`${healthNotice(endpoint, now)}
<div class="columns"><div class="column">
<section class="card flush" aria-labelledby="deliveries"><div class="section-head">
<h2 id="deliveries">Recent deliveries</h2><a class="button small" href="${path}/Deliveries">All deliveries</a></div>
${
  deliveries.length === 0
    ? html`<div class="empty"><p class="empty-title">No deliveries yet</p><p>Send a test, or wait for an event.</p></div>`
    : html`<ul class="rows">${deliveries.map((one) => deliveryRow(endpoint, one))}</ul>`
}</section>
${card('history', 'History', historyPage(history, namesForDeveloper(input.people), path))}
</div><div class="column">
${actions(input, path)}
${facts(endpoint, path)}
${deletion(path)}</div></div>`,
  })
}

function actions({ endpoint, csrfToken }: EndpointPageInput, path: string): Html {
  const post = (action: string, label: string, kind = '') =>
    html`<form method="post" action="${path}/${action}">${csrfField(csrfToken)}<button class="button ${kind}"
type="submit">${label}</button></form>
`
  return card(
    'actions',
    'Actions',
    endpoint.status === 'disabled'
      ? html`<p class="muted">Enable it to send events from now on. Then resend the events it has missed.</p>
<div class="actions">${post('Enable', 'Enable', 'primary')}</div>`
      : html`<p class="muted">Sends a test event to this endpoint.</p>
<div class="actions">${post('Test', 'Send a test', 'primary')}</div>
<p class="actions"><a class="button" href="${path}/Recover">Resend missed events…</a><a
class="button" href="${path}/Disable">Disable…</a></p>`,
  )
}

function facts(endpoint: Endpoint, path: string): Html {
  const { events, ordered, headerNames, pendingDeliveries: waiting } = endpoint
  const hasNotice = endpoint.status === 'disabled' || endpoint.failingSince !== null
  const { lastSuccessAt, lastFailureAt, lastFailure, secretRotatesUntil, createdAt } = endpoint
  return html`${card(
    'facts',
    'Details',
    html`<dl class="facts">${!hasNotice && fact('Health', healthSentence(endpoint))}
${fact(
  'Events',
  html`${events.length === 0 ? 'All' : html`<ul class="plain">${events.map((one) => html`<li><code>${one}</code></li>`)}</ul>`}`,
)}${fact('Order', ordered ? 'Kept for each installation' : 'As soon as possible')}
${headerNames.length > 0 && fact('Headers', html`${headerNames.map((name) => html`<bdi><code>${name}</code></bdi> `)}`)}
${fact('Waiting', waiting > 10_000 ? 'More than 10,000' : waiting.toLocaleString('en'))}
${lastSuccessAt !== null && fact('Last success', whenExactly(lastSuccessAt))}${
  lastFailureAt !== null &&
  fact(
    'Last failure',
    html`${whenExactly(lastFailureAt)}${lastFailure !== null && html`<br>${bdi(lastFailure.detail)}`}`,
  )
}${fact('Created', when(createdAt))}${fact('Endpoint ID', html`<code>${endpoint.id}</code>`)}</dl>`,
    html`<a class="button small" href="${path}/Change">Change</a>`,
  )}${card(
    'secret',
    'Secret',
    html`<p class="muted">It signs each request, so that your program can check where it comes from.</p>${
      secretRotatesUntil !== null &&
      html`<p>The former secret signs as well until ${when(secretRotatesUntil)}.</p>`
    }<p><a class="button" href="${path}/Secret">Rotate the secret…</a></p>`,
  )}`
}

function deletion(path: string): Html {
  return card(
    'delete',
    'Delete this endpoint',
    html`<p class="muted">Its deliveries are deleted with it. The events stay in your event log.</p><p>
<a class="button danger" href="${path}/Delete">Delete…</a></p>`,
  )
}
