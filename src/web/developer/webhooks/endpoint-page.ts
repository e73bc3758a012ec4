import type {
  AttemptFigures,
  Delivery,
  RecentAttempt,
} from '../../../marketplace/webhooks/delivery-log/delivery.ts'
import type { Endpoint } from '../../../marketplace/webhooks/endpoints/endpoint.ts'
import { detailPage, type RecordAction } from '../../kit/detail-page.ts'
import { emptyState } from '../../kit/empty-state.ts'
import type { Visit } from '../../kit/frame.ts'
import { tableView } from '../../kit/table.ts'
import { bdi, card, fact } from '../../shared/page/blocks.ts'
import { copied } from '../../shared/page/copied.ts'
import { countText } from '../../shared/page/counts.ts'
import { type Html, html } from '../../shared/page/html.ts'
import type { HtmlPage } from '../../shared/page/html-page.ts'
import { liveBadge, livePart } from '../../shared/page/live-part.ts'
import {
  type HistoryPage,
  historyPage,
  namesForDeveloper,
  when,
  whenExactly,
} from '../../shared/status/history-view.ts'
import { attemptsView } from './attempts-view.ts'
import { deliveryColumns, deliveryState, isUnderWay } from './delivery-words.ts'
import { errorRate, healthBadge, healthNotice, healthSentence } from './endpoint-words.ts'
import { webhookPath, webhooksPath } from './webhook-paths.ts'

type EndpointPageInput = Visit & {
  endpoint: Endpoint
  /** The newest ones. */
  deliveries: readonly Delivery[]
  attempts: readonly RecentAttempt[]
  /** Of more attempts than are shown. */
  figures: AttemptFigures
  /** Whether an event about it is not laid out as a delivery yet. */
  hasNewEvent: boolean
  history: HistoryPage
  /** The names of the people in its history. */
  people: ReadonlyMap<string, string>
  now: Date
}

/** One webhook endpoint: how it fares, what it was sent, and what can be done with it. */
export function endpointPage(input: EndpointPageInput): HtmlPage {
  const { endpoint, deliveries, attempts, history, people, now } = input
  const path = webhookPath(endpoint)
  const isLive = isPending(input)
  const [newest] = deliveries
  const says = newest && `${newest.type}: ${deliveryState(newest, now)}`
  return detailPage({ console: 'developer', section: 'own-apps' }, input, {
    title: 'Webhook endpoint',
    about: endpoint.url,
    back: { href: webhooksPath(endpoint.appId), label: 'Webhooks' },
    heading: html`<bdi class="address">${endpoint.url}</bdi>`,
    badges: liveBadge('health', isLive, healthBadge(endpoint)),
    ...actionsOf(endpoint, path),
    notices: livePart(
      'log',
      isLive,
      html`${healthNotice(endpoint, now)}
${attemptsView(attempts)}
${deliveriesCard(input, path)}`,
      says,
    ),
    cards: card('history', 'History', historyPage(history, namesForDeveloper(people), path)),
    facts: facts(endpoint, input.figures),
    below: html`<p class="actions"><a class="button small" href="${path}/Change">Change</a></p>`,
  })
}

/** Whether the page will soon say something else. */
function isPending({ endpoint, deliveries, hasNewEvent, now }: EndpointPageInput): boolean {
  if (endpoint.status === 'disabled') return false
  const isSending = endpoint.failingSince === null && endpoint.pendingDeliveries > 0
  return hasNewEvent || isSending || deliveries.some((one) => isUnderWay(one, now))
}

function actionsOf({ status, appId, secretRotatesUntil }: Endpoint, path: string) {
  const isOff = status === 'disabled'
  const usual: RecordAction[] = isOff
    ? [{ label: 'Enable', post: `${path}/Enable` }]
    : [
        { label: 'Send a test', post: `${path}/Test` },
        { label: 'Resend missed events…', href: `${path}/Recover` },
      ]
  const former =
    secretRotatesUntil !== null &&
    html` The former secret signs as well until ${when(secretRotatesUntil)}.`
  return {
    usual,
    others: [
      { label: 'Change the endpoint', href: `${path}/Change` },
      { label: 'All deliveries', href: `${path}/Deliveries` },
      { label: 'Event log', href: `/Developer/Events?appId=${encodeURIComponent(appId)}` },
    ],
    dangers: [
      {
        title: 'Rotate the secret',
        effect: html`It signs each request, so that your program can check where it comes from.${former}`,
        label: 'Rotate the secret…',
        href: `${path}/Secret`,
      },
      ...(isOff
        ? []
        : [
            {
              title: 'Disable this endpoint',
              effect: 'Nothing is sent to it until you enable it again.',
              label: 'Disable…',
              href: `${path}/Disable`,
            },
          ]),
      {
        title: 'Delete this endpoint',
        effect: 'Its deliveries are deleted with it. The events stay in your event log.',
        label: 'Delete…',
        href: `${path}/Delete`,
      },
    ],
  }
}

function deliveriesCard({ endpoint, deliveries, now }: EndpointPageInput, path: string): Html {
  return html`<section class="card flush" aria-labelledby="deliveries">
<div class="section-head"><h2 id="deliveries">Recent deliveries</h2>
<a class="button small" href="${path}/Deliveries">All deliveries</a></div>
${
  deliveries.length === 0
    ? emptyState('events', 'No deliveries yet. Send a test, or wait for an event.')
    : tableView({
        caption: 'Recent deliveries',
        columns: deliveryColumns(endpoint, now),
        entries: deliveries,
      })
}</section>
`
}

function facts(endpoint: Endpoint, figures: AttemptFigures): Html {
  const { url, events, ordered, headerNames, pendingDeliveries, createdAt, id } = endpoint
  const { lastSuccessAt, lastFailureAt, lastFailure, disabledAt, failingSince } = endpoint
  const types = html`<ul class="plain">${events.map((one) => html`<li><code>${one}</code></li>\n`)}</ul>`
  const headers = headerNames.map((name) => html`<bdi><code>${name}</code></bdi>\n`)
  const why = lastFailure !== null && html`<br>${bdi(lastFailure.detail)}`
  return html`${fact('URL', copied(url))}
${disabledAt === null && failingSince === null && fact('Health', healthSentence(endpoint))}
${fact('Events', events.length === 0 ? 'All' : types)}
${fact('Order', ordered ? 'Kept for each installation' : 'As soon as possible')}
${headerNames.length > 0 && fact('Headers', headers)}
${figures.attempts > 0 && fact('Error rate', errorRate(figures))}
${fact('Pending', countText(pendingDeliveries))}
${lastSuccessAt !== null && fact('Last success', whenExactly(lastSuccessAt))}
${lastFailureAt !== null && fact('Last failure', html`${whenExactly(lastFailureAt)}${why}`)}
${fact('Created', when(createdAt))}
${fact('Endpoint ID', copied(id))}`
}
