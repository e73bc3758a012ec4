import { EVENT_TYPE_NAMES } from '../../../marketplace/events/event-types.ts'
import { type Delivery, deliveryName } from '../../../marketplace/webhooks/delivery-log/delivery.ts'
import type { Endpoint } from '../../../marketplace/webhooks/endpoints/endpoint.ts'
import type { BulkChoice } from '../../kit/bulk-choice.ts'
import { fileColumn, type ListColumn } from '../../kit/columns.ts'
import { emptyState } from '../../kit/empty-state.ts'
import type { Chosen, Filter } from '../../kit/list-page.ts'
import { html } from '../../shared/page/html.ts'
import { DELIVERY_STATUSES, deliveryColumns } from './delivery-words.ts'
import { webhookPath } from './webhook-paths.ts'

const FILTERS: readonly Filter[] = [
  {
    name: 'status',
    label: 'State',
    kind: 'select',
    options: [
      ['', 'Any state'],
      ...Object.entries(DELIVERY_STATUSES).map(([status, { text }]) => [status, text] as const),
    ],
  },
  {
    name: 'type',
    label: 'Type of event',
    kind: 'select',
    options: [['', 'All types'], ...EVENT_TYPE_NAMES.map((type) => [type, type] as const)],
  },
  { name: 'installationId', label: 'Installation ID', kind: 'text' },
  { name: 'since', label: 'Since (UTC)', kind: 'datetime-local' },
]

const IN_FILE: readonly ListColumn<Delivery>[] = [
  fileColumn('Event ID', ({ eventId }) => eventId),
  fileColumn('Type', ({ type }) => type),
  fileColumn('Installation ID', ({ installationId }) => installationId),
  fileColumn('State', ({ status }) => DELIVERY_STATUSES[status].text),
  fileColumn('Attempts', ({ attemptCount }) => attemptCount),
  fileColumn('Next attempt', ({ dueAt }) => dueAt),
  fileColumn('Created', ({ createdAt }) => createdAt),
  fileColumn('Finished', ({ finishedAt }) => finishedAt),
]

/** What was sent to an endpoint and what waits for it, newest event first. */
export function deliveryList(endpoint: Endpoint, now: Date) {
  return {
    title: 'Deliveries',
    about: endpoint.url,
    back: { href: webhookPath(endpoint), label: 'Endpoint' },
    lead: html`What was sent to <bdi>${endpoint.url}</bdi> and what is pending, newest event first.`,
    path: `${webhookPath(endpoint)}/Deliveries`,
    filters: FILTERS,
    columns: () => [...deliveryColumns(endpoint, now), ...IN_FILE],
    bulk: (_chosen: Chosen, deliveries: readonly Delivery[]) => bulkOfFailed(endpoint, deliveries),
    empty: emptyState('events', 'No deliveries yet. Send a test, or wait for an event.'),
  }
}

/** The failed ones can be sent again. */
function bulkOfFailed(
  endpoint: Endpoint,
  deliveries: readonly Delivery[],
): BulkChoice<Delivery> | false {
  if (endpoint.status === 'disabled') return false
  if (!deliveries.some(({ status }) => status === 'failed')) return false
  return {
    actions: { 'Send again…': `${webhookPath(endpoint)}/Deliveries/Replay` },
    choiceOf: (one) =>
      one.status === 'failed' ? { id: one.id, name: deliveryName(one) } : undefined,
  }
}
