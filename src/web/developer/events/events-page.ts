import type { EventConsumer } from '../../../marketplace/events/event-consumer.ts'
import { EVENTS_KEPT_DAYS } from '../../../marketplace/events/event-record.ts'
import type { Event } from '../../../marketplace/events/event-schemas.ts'
import { EVENT_TYPE_NAMES } from '../../../marketplace/events/event-types.ts'
import { stateBadge } from '../../kit/badge.ts'
import { framePage, type Visit } from '../../kit/frame.ts'
import type { FormFields } from '../../shared/forms/settings-form.ts'
import { card, fact } from '../../shared/page/blocks.ts'
import { type Html, html } from '../../shared/page/html.ts'
import type { HtmlPage } from '../../shared/page/html-page.ts'
import { when } from '../../shared/status/history-view.ts'
import {
  type AppChoices,
  appFilter,
  nextAndFirst,
  selectFilter,
  textFilter,
} from '../filter-controls.ts'
import { textBox } from '../text-box.ts'
import { EVENTS_PATH, removeConsumerPath } from './consumer-page.ts'

const PATH = EVENTS_PATH

type EventsPageInput = Visit & {
  choices: AppChoices
  /** The filters as the address has them. */
  typed: FormFields
  /** The filters as a query, empty when nothing is filtered. */
  query: string
  events: readonly Event[]
  isContinued: boolean
  cursor: string | undefined
  /** What the log holds; undefined while it is empty. */
  span: { newest: number; oldest: number } | undefined
  consumers: readonly EventConsumer[]
}

/** The event log of a developer, newest first, and how far its consumers have come. */
export function eventsPage(input: EventsPageInput): HtmlPage {
  const { events, query, isContinued, cursor, problems = [] } = input
  const isNarrowed = query !== '' || isContinued || problems.length > 0
  return framePage({ console: 'developer', section: 'events' }, input, {
    title: 'Events',
    lead: html`What happened to your apps, newest first. <a href="/docs/receive-events">How to receive events</a>`,
    content: html`${filterForm(input)}
<div class="columns"><div class="column">
${
  events.length === 0
    ? empty(isNarrowed)
    : html`<div class="card flush"><ul class="rows">${events.map(row)}</ul></div>`
}
${nextAndFirst({ path: PATH, query, isContinued, cursor })}</div>
<div class="column">${log(input)}${consumersCard(input)}</div></div>`,
  })
}

function filterForm({ choices, typed, problems = [] }: EventsPageInput): Html {
  const types = EVENT_TYPE_NAMES.map((type) => [type, type] as const)
  return html`<form class="search even" method="get" action="${PATH}">
${appFilter({ ...choices, typed, problems })}
${selectFilter({ name: 'type', label: 'Type', all: 'All types', options: types, typed, problems })}
${textFilter({ name: 'installationId', label: 'Installation ID', typed, problems })}
<button class="button" type="submit">Show</button></form>`
}

function row(event: Event): Html {
  const { type, position, timestamp, data } = event
  return html`<li class="event"><details><summary>${type} <span class="row-note">${position} ·
<bdi>${data.appId ?? 'No app'}</bdi> · ${when(new Date(timestamp))}</span></summary>${textBox(
    `The event at position ${position} as JSON`,
    JSON.stringify(event, null, 2),
  )}</details></li>
`
}

function log({ span }: EventsPageInput): Html {
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

function consumersCard({ consumers }: EventsPageInput): Html {
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
<a href="${removeConsumerPath(name)}">Remove<span class="visually-hidden"> ${name}</span></a></span></li>
`,
        )}</ul>`,
  )
}

function empty(isNarrowed: boolean): Html {
  return isNarrowed
    ? html`<div class="card"><div class="empty"><p class="empty-title">No results</p><p>
<a href="${PATH}">Show all events</a></p></div></div>`
    : html`<div class="card"><div class="empty"><p class="empty-title">No events yet</p><p>
List an app, or <a href="/Developer">install one in your sandbox</a>.</p></div></div>`
}
