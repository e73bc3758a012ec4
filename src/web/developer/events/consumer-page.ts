import type { EventConsumer } from '../../../marketplace/events/event-consumer.ts'
import { EVENTS_KEPT_DAYS } from '../../../marketplace/events/event-record.ts'
import type { Visit } from '../../kit/frame.ts'
import { questionPage } from '../../kit/question-page.ts'
import { html } from '../../shared/page/html.ts'
import type { HtmlPage } from '../../shared/page/html-page.ts'

export const EVENTS_PATH = '/Developer/Events'

/** Where a consumer is removed. */
export function removeConsumerPath(name: string): string {
  return `${EVENTS_PATH}/Consumers/${encodeURIComponent(name)}/Remove`
}

/** Asks for the last word before a consumer of the event log is removed. */
export function removeConsumerPage(input: Visit & { consumer: EventConsumer }): HtmlPage {
  const { name, position } = input.consumer
  return questionPage({ console: 'developer', section: 'events' }, input, {
    back: { href: EVENTS_PATH, label: 'Events' },
    title: 'Remove the consumer',
    about: name,
    button: 'Remove',
    action: removeConsumerPath(name),
    consequences: [
      html`The position of <code>${name}</code>, ${position.toLocaleString('en')}, is forgotten.`,
      html`A program that reads as <code>${name}</code> begins with the oldest event that is kept, up to
${EVENTS_KEPT_DAYS} days ago.`,
      html`No event is removed.`,
    ],
  })
}
