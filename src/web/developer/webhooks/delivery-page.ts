import type {
  DeliveryWithAttempts,
  SentHeaders,
  SentRequests,
} from '../../../marketplace/webhooks/delivery-log/delivery.ts'
import type { Endpoint } from '../../../marketplace/webhooks/endpoints/endpoint.ts'
import { stateBadge } from '../../kit/badge.ts'
import { detailPage } from '../../kit/detail-page.ts'
import type { Visit } from '../../kit/frame.ts'
import { card, fact } from '../../shared/page/blocks.ts'
import { copied } from '../../shared/page/copied.ts'
import { type Html, html } from '../../shared/page/html.ts'
import type { HtmlPage } from '../../shared/page/html-page.ts'
import { liveBadge, livePart } from '../../shared/page/live-part.ts'
import { whenExactly } from '../../shared/status/history-view.ts'
import { ownInstallationPath } from '../console-frame.ts'
import { textBox } from '../text-box.ts'
import { deliveryBadge, deliveryState, isUnderWay, reasonText } from './delivery-words.ts'
import { deliveryPath, webhookPath } from './webhook-paths.ts'

type DeliveryPageInput = Visit & {
  endpoint: Endpoint
  delivery: DeliveryWithAttempts
  /** What was sent; undefined once the event is no longer kept. */
  sent: SentRequests | undefined
  now: Date
}

/** One event on its way to one endpoint: what is sent, and each attempt with what was answered. */
export function deliveryPage(input: DeliveryPageInput): HtmlPage {
  const { endpoint, delivery, sent, now } = input
  const isLive = endpoint.status === 'enabled' && isUnderWay(delivery, now)
  const state = deliveryState(delivery, now)
  return detailPage({ console: 'developer', section: 'own-apps' }, input, {
    title: `Delivery of ${delivery.type}`,
    about: endpoint.url,
    back: { href: `${webhookPath(endpoint)}/Deliveries`, label: 'Deliveries' },
    heading: html`${delivery.type}`,
    lead: html`to <bdi>${endpoint.url}</bdi>`,
    badges: liveBadge('state', isLive, deliveryBadge(delivery, now)),
    usual:
      endpoint.status === 'disabled'
        ? []
        : [{ label: 'Send again', post: `${deliveryPath(endpoint, delivery.id)}/Replay` }],
    notices:
      endpoint.status === 'disabled' &&
      html`<div class="notice warning"><p>Enable the endpoint to send this again.</p></div>
`,
    cards: html`${livePart('log', isLive, attemptsCard(delivery, sent), state)}
${eventCard(sent)}`,
    facts: facts(delivery),
  })
}

function attemptsCard({ attempts }: DeliveryWithAttempts, sent: SentRequests | undefined): Html {
  return card(
    'attempts',
    'Attempts',
    attempts.length === 0
      ? html`<p class="muted">No attempt yet.</p>`
      : html`<ol class="attempt-list" reversed>${attempts
          .toReversed()
          .map((one) => attempt(one, sent?.headers.get(one.number)))}</ol>`,
  )
}

function attempt(
  one: DeliveryWithAttempts['attempts'][number],
  headers: SentHeaders | undefined,
): Html {
  const { number, at, durationMs, status, outcome, reason, response } = one
  const isFine = outcome === 'succeeded'
  const answer = status === null ? 'No response' : `HTTP ${status}`
  return html`<li>
<span>Attempt ${number}: ${isFine ? 'delivered' : 'failed'} ${stateBadge(isFine ? 'on' : 'off', answer)}</span>
<span class="fine">${whenExactly(at)}, ${durationMs.toLocaleString('en')} ms</span>
${reason !== null && html`<span>${reasonText(one)}</span>`}
${
  headers !== undefined &&
  html`<details><summary>Request headers<span class="visually-hidden"> of attempt ${number}</span></summary>
${textBox(`Request headers of attempt ${number}`, headerLines(headers))}
<p class="fine">Recreated: signed with the secret as it is now. Values of your own headers are not shown.</p></details>
`
}
${response && textBox(`Response to attempt ${number}`, response)}</li>
`
}

function headerLines(headers: SentHeaders): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value ?? '••••••'}`)
    .join('\n')
}

function eventCard(sent: SentRequests | undefined): Html {
  if (sent === undefined) {
    return card('event', 'Event', html`<p class="muted">The event is no longer kept.</p>`)
  }
  return card(
    'event',
    'Event',
    html`${textBox('The event as JSON', JSON.stringify(JSON.parse(sent.body), null, 2))}
<details><summary>Body as it was signed</summary>
${textBox('The signed body', sent.body, { isCopied: true })}</details>
`,
  )
}

function facts(delivery: DeliveryWithAttempts): Html {
  const { timestamp, position, installationId, dueAt, attemptCount, eventId, id } = delivery
  return html`${fact('Happened', whenExactly(timestamp))}
${fact('Position', position)}
${
  installationId !== null &&
  fact(
    'Installation',
    html`<a href="${ownInstallationPath(installationId)}"><code>${installationId}</code></a>`,
  )
}
${fact('Attempts', attemptCount)}
${dueAt !== null && fact('Next attempt', whenExactly(dueAt))}
${fact('Event ID', copied(eventId))}
${fact('Delivery ID', copied(id))}`
}
