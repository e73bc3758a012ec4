import { EVENT_TYPE_NAMES } from '../../../marketplace/events/event-types.ts'
import type { Delivery } from '../../../marketplace/webhooks/delivery-log/delivery.ts'
import type { Endpoint } from '../../../marketplace/webhooks/endpoints/endpoint.ts'
import { framePage, type Visit } from '../../kit/frame.ts'
import type { FormFields } from '../../shared/forms/settings-form.ts'
import { type Html, html } from '../../shared/page/html.ts'
import type { HtmlPage } from '../../shared/page/html-page.ts'
import { nextAndFirst, selectFilter, textFilter } from '../filter-controls.ts'
import { DELIVERY_STATUSES, deliveryRow } from './delivery-words.ts'
import { webhookPath } from './webhook-paths.ts'

type DeliveriesPageInput = Visit & {
  endpoint: Endpoint
  /** The filters as the address has them. */
  typed: FormFields
  /** The filters as a query, empty when nothing is filtered. */
  query: string
  deliveries: readonly Delivery[]
  isContinued: boolean
  cursor: string | undefined
}

/** What was sent to an endpoint and what waits for it, newest event first. */
export function deliveriesPage(input: DeliveriesPageInput): HtmlPage {
  const { endpoint, deliveries, isContinued, cursor, query, problems = [] } = input
  const path = `${webhookPath(endpoint)}/Deliveries`
  const isNarrowed = query !== '' || isContinued || problems.length > 0
  return framePage({ console: 'developer', section: 'own-apps' }, input, {
    title: 'Deliveries',
    about: endpoint.url,
    back: { href: webhookPath(endpoint), label: 'Endpoint' },
    lead: html`What was sent to <bdi>${endpoint.url}</bdi> and what waits, newest event first.`,
    content: html`${filterForm(input, path)}
${
  deliveries.length === 0
    ? empty(isNarrowed, path)
    : html`<div class="card flush"><ul class="rows">${deliveries.map((one) => deliveryRow(endpoint, one))}</ul></div>`
}
${nextAndFirst({ path, query, isContinued, cursor })}`,
  })
}

function filterForm({ typed, problems = [] }: DeliveriesPageInput, path: string): Html {
  const statuses = Object.entries(DELIVERY_STATUSES).map(
    ([status, { text }]) => [status, text] as const,
  )
  const types = EVENT_TYPE_NAMES.map((type) => [type, type] as const)
  return html`<form class="search even" method="get" action="${path}">
${selectFilter({ name: 'status', label: 'Status', all: 'Any status', options: statuses, typed, problems })}
${selectFilter({ name: 'type', label: 'Type of event', all: 'All types', options: types, typed, problems })}
${textFilter({ name: 'installationId', label: 'Installation ID', typed, problems })}
${textFilter({ name: 'since', label: 'Since (UTC)', type: 'datetime-local', typed, problems })}
<button class="button" type="submit">Show</button></form>`
}

function empty(isNarrowed: boolean, path: string): Html {
  return isNarrowed
    ? html`<div class="card"><div class="empty"><p class="empty-title">No results</p><p>
<a href="${path}">Show all deliveries</a></p></div></div>`
    : html`<div class="card"><div class="empty"><p class="empty-title">No deliveries yet</p><p>
Send a test, or wait for an event.</p></div></div>`
}
