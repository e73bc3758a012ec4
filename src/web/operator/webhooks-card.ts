import { healthOf } from '../../marketplace/webhooks/endpoints/endpoint-health.ts'
import type { EndpointSummary } from '../../marketplace/webhooks/endpoints/endpoint-summary.ts'
import { stateBadge } from '../kit/badge.ts'
import { bdi, card } from '../shared/page/blocks.ts'
import { type Html, html } from '../shared/page/html.ts'
import { when } from '../shared/status/history-view.ts'

/** Whether the endpoints of an app work, and how much waits for each. */
export function webhooksCard(endpoints: readonly EndpointSummary[]): Html {
  return card(
    'webhooks',
    'Webhooks',
    endpoints.length === 0
      ? html`<p class="muted">This app has no webhook endpoints.</p>`
      : html`<p>${countsText(endpoints)}</p><ul class="history">${endpoints.map(item)}</ul>`,
  )
}

const STATES = {
  healthy: { badge: stateBadge('on', 'Healthy'), words: 'healthy' },
  untried: {
    badge: stateBadge('idle', 'No deliveries yet'),
    words: 'without deliveries yet',
  },
  failing: { badge: stateBadge('warn', 'Failing'), words: 'failing' },
  disabled: { badge: stateBadge('off', 'Disabled'), words: 'disabled' },
} as const

function stateOf(endpoint: EndpointSummary): keyof typeof STATES {
  return endpoint.disabledAt === null ? healthOf(endpoint) : 'disabled'
}

/** `3 endpoints: 2 healthy, 1 failing. 12 deliveries waiting.` */
function countsText(endpoints: readonly EndpointSummary[]): string {
  const counts = (Object.keys(STATES) as (keyof typeof STATES)[]).flatMap((state) => {
    const count = endpoints.filter((one) => stateOf(one) === state).length
    return count === 0 ? [] : [`${count} ${STATES[state].words}`]
  })
  const noun = endpoints.length === 1 ? 'endpoint' : 'endpoints'
  return `${endpoints.length} ${noun}: ${counts.join(', ')}.`
}

const REASONS: Readonly<Record<string, string>> = {
  developer: 'by its developer',
  failing: 'after it failed for five days',
  gone: 'after it answered 410 Gone',
}

function item(endpoint: EndpointSummary): Html {
  const { origin, disabledAt, disabledReason, failingSince, pendingDeliveries: waiting } = endpoint
  const since =
    disabledAt !== null
      ? html`Since ${when(disabledAt)}, ${REASONS[disabledReason ?? ''] ?? 'by its developer'} · `
      : failingSince !== null && html`Since ${when(failingSince)} · `
  return html`<li><span class="history-what">${bdi(origin)} ${STATES[stateOf(endpoint)].badge}</span><span
class="fine">${since}${waiting > 10_000 ? 'more than 10,000' : waiting.toLocaleString('en')} waiting</span></li>
`
}
