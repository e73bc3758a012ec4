import type { Page } from '../../../base/values/page-of-list.ts'
import type { EventConsumer } from '../../../marketplace/events/event-consumer.ts'
import { EVENTS_KEPT_DAYS } from '../../../marketplace/events/event-record.ts'
import type { Event } from '../../../marketplace/events/event-schemas.ts'
import { EVENT_TYPE_NAMES } from '../../../marketplace/events/event-types.ts'
import { stateBadge } from '../../kit/badge.ts'
import { fileColumn, type ListColumn } from '../../kit/columns.ts'
import { emptyState } from '../../kit/empty-state.ts'
import type { Filter } from '../../kit/list-page.ts'
import { card, fact } from '../../shared/page/blocks.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { when } from '../../shared/status/history-view.ts'
import { YOUR_APPS } from '../console-frame.ts'
import { type AppChoices, appOptions } from '../filter-controls.ts'
import { textBox } from '../text-box.ts'

/** The address of the event log. */
export const EVENTS_PATH = '/Developer/Events'

type EventsInput = {
  choices: AppChoices
  /** What the log holds; undefined while it is empty. */
  span: { newest: number; oldest: number } | undefined
  consumers: readonly EventConsumer[]
}

const COLUMNS: readonly ListColumn<Event>[] = [
  fileColumn('Position', ({ position }) => position),
  fileColumn('Type', ({ type }) => type),
  fileColumn('App ID', ({ data }) => data.appId),
  fileColumn('Installation ID', ({ data }) =>
    'installationId' in data ? data.installationId : null,
  ),
  fileColumn('Time', ({ timestamp }) => timestamp),
  fileColumn('Data', ({ data }) => JSON.stringify(data)),
]

/** The event log of a developer, newest first, and how far its consumers have come. */
export function eventList(input: EventsInput) {
  return {
    title: 'Events',
    lead: html`What happened to your apps, newest first. <a href="/docs/receive-events">How to receive events</a>`,
    filters: filtersOf(input.choices),
    columns: () => COLUMNS,
    draw: ({ entries }: Page<Event>) => html`<ul class="rows">${entries.map(row)}</ul>`,
    empty: emptyState(
      'events',
      'No events yet. List an app, or install one in your sandbox.',
      YOUR_APPS,
    ),
    around: async () => ({
      below: html`<div class="columns">
<div class="column">${consumersCard(input)}</div>
<div class="column">${log(input)}</div></div>`,
    }),
  }
}

function filtersOf(choices: AppChoices): readonly Filter[] {
  return [
    { name: 'appId', label: 'App', kind: 'select', options: appOptions(choices) },
    {
      name: 'type',
      label: 'Type',
      kind: 'select',
      options: [['', 'All types'], ...EVENT_TYPE_NAMES.map((type) => [type, type] as const)],
    },
    { name: 'installationId', label: 'Installation ID', kind: 'text' },
  ]
}

function row(event: Event): Html {
  const { type, position, timestamp, data } = event
  return html`<li class="event"><details>
<summary>${type} <span class="row-note">${position} ·
<bdi>${data.appId ?? 'No app'}</bdi> · ${when(new Date(timestamp))}</span></summary>
${textBox(`The event at position ${position} as JSON`, JSON.stringify(event, null, 2))}</details></li>
`
}

function log({ span }: EventsInput): Html {
  return card(
    'log',
    'Log',
    span === undefined
      ? html`<p class="muted">The log is empty.</p>`
      : html`<dl class="facts">${fact('Newest position', span.newest.toLocaleString('en'))}${fact(
          'Oldest kept',
          span.oldest > span.newest ? 'None' : span.oldest.toLocaleString('en'),
        )}</dl><p class="fine">Events are kept for ${EVENTS_KEPT_DAYS} days.</p>`,
  )
}

function consumersCard({ consumers }: EventsInput): Html {
  return card(
    'consumers',
    'Consumers',
    consumers.length === 0
      ? html`<p class="muted">No consumers yet. A program that reads the log can keep its position here.</p>`
      : html`<ul class="history">${consumers.map(
          ({
            name,
            position,
            behind,
            updatedAt,
          }) => html`<li><span class="history-what"><code>${name}</code> ${
            behind === 0
              ? stateBadge('on', 'Up to date')
              : stateBadge('warn', `${behind.toLocaleString('en')} behind`)
          }</span><span class="fine">at position ${position.toLocaleString('en')}, moved ${when(updatedAt)}.
<a href="${EVENTS_PATH}/Consumers/${encodeURIComponent(name)}/Remove">Remove<span class="visually-hidden"> ${name}</span></a></span></li>
`,
        )}</ul>`,
  )
}
