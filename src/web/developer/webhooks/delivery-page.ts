import type { DeliveryWithAttempts } from '../../../marketplace/webhooks/delivery-log/delivery.ts'
import type { Endpoint } from '../../../marketplace/webhooks/endpoints/endpoint.ts'
import { stateBadge } from '../../kit/badge.ts'
import { framePage, type Visit } from '../../kit/frame.ts'
import { bdi, card, fact } from '../../shared/page/blocks.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { csrfField, type HtmlPage } from '../../shared/page/html-page.ts'
import { whenExactly } from '../../shared/status/history-view.ts'
import { ownInstallationPath } from '../console-frame.ts'
import { textBox } from '../text-box.ts'
import { deliveryBadge, reasonText } from './delivery-words.ts'
import { deliveryPath, webhookPath } from './webhook-paths.ts'

type DeliveryPageInput = Visit & {
  endpoint: Endpoint
  delivery: DeliveryWithAttempts
  /** The event as it is sent; undefined once it is no longer kept. */
  event: string | undefined
}

/** One event on its way to one endpoint: what is sent, and each attempt with what was answered. */
export function deliveryPage(input: DeliveryPageInput): HtmlPage {
  const { endpoint, delivery, event } = input
  return framePage({ console: 'developer', section: 'own-apps' }, input, {
    title: `Delivery of ${delivery.type}`,
    about: endpoint.url,
    back: { href: `${webhookPath(endpoint)}/Deliveries`, label: 'Deliveries' },
    head: html`<div class="listing-head"><div class="listing-title"><h1>${delivery.type}</h1><p class="row-note">
to <bdi>${endpoint.url}</bdi></p><p class="badges">${deliveryBadge(delivery)}</p></div>
${replay(input)}</div>`,
    content: html`<div class="columns"><div class="column">
${card(
  'attempts',
  'Attempts',
  delivery.attempts.length === 0
    ? html`<p class="muted">No attempt yet.</p>`
    : html`<ol class="history">${delivery.attempts.toReversed().map(attempt)}</ol>`,
)}
${card(
  'event',
  'Event',
  event === undefined
    ? html`<p class="muted">The event is no longer kept.</p>`
    : textBox('The event as JSON', indented(event)),
)}
</div><div class="column">${facts(delivery)}</div></div>`,
  })
}

function replay({ endpoint, delivery, csrfToken }: DeliveryPageInput): Html {
  if (endpoint.status === 'disabled') {
    return html`<p class="muted">Enable the endpoint to send this again.</p>`
  }
  return html`<form class="actions" method="post" action="${deliveryPath(endpoint, delivery.id)}/Replay">
${csrfField(csrfToken)}<button class="button" type="submit">Send again</button></form>`
}

function facts(delivery: DeliveryWithAttempts): Html {
  const { timestamp, position, installationId, dueAt, attemptCount, eventId, id } = delivery
  return card(
    'facts',
    'Details',
    html`<dl class="facts">${fact('Happened', whenExactly(timestamp))}
${fact('Position', position)}${
  installationId !== null &&
  fact(
    'Installation',
    html`<a href="${ownInstallationPath(installationId)}"><code>${installationId}</code></a>`,
  )
}${fact('Attempts', attemptCount)}${dueAt !== null && fact('Next attempt', whenExactly(dueAt))}
${fact('Event ID', html`<code>${eventId}</code>`)}${fact('Delivery ID', html`<code>${id}</code>`)}</dl>`,
  )
}

function attempt(one: DeliveryWithAttempts['attempts'][number]): Html {
  const { number, at, durationMs, status, outcome, reason, response } = one
  const isFine = outcome === 'succeeded'
  return html`<li><span class="history-what">Attempt ${number}: ${isFine ? 'delivered' : 'failed'} ${stateBadge(
    isFine ? 'on' : 'off',
    status === null ? 'No response' : `Status ${status}`,
  )}</span><span
class="fine">${whenExactly(at)}, ${durationMs.toLocaleString('en')} ms</span>${
    reason !== null && html`<span>${bdi(reasonText(one))}</span>`
  }${response && html`${textBox(`Response to attempt ${number}`, response)}`}</li>
`
}

/** JSON for readers. */
function indented(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2)
}
