import { z } from 'zod'
import { AppError, ignoring } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { listDeveloperAudit } from '../../../identity/audit/audit-trail-service.ts'
import { developerActor } from '../../../identity/guards/actor.ts'
import { developerOf } from '../../../identity/guards/audience.ts'
import {
  type ConsumerSubject,
  listConsumers,
  removeConsumer,
} from '../../../marketplace/events/event-consumers-service.ts'
import { EVENTS_KEPT_DAYS } from '../../../marketplace/events/event-record.ts'
import { formPage } from '../../requests/form-page.ts'
import { html } from '../../shared/page/html.ts'
import { EVENTS_PATH } from './events-page.ts'

/** Removing a consumer of the event log, after a last word. */
export async function consumerPageRoutes(app: App) {
  const { deps } = app

  formPage(app, {
    path: `${EVENTS_PATH}/Consumers/:name/Remove`,
    params: z.object({ name: z.string() }),
    place: { console: 'developer', section: 'events' },
    refused: [],
    async page(request, _, _reply, { name }) {
      const { entries } = await listConsumers(deps, developerOf(request).developerId)
      const consumer = entries.find((one) => one.name === name)
      if (consumer === undefined) throw new AppError('not_found')
      return {
        title: 'Remove the consumer',
        about: name,
        back: { href: EVENTS_PATH, label: 'Events' },
        consequences: [
          html`The position of <code>${name}</code>, ${consumer.position.toLocaleString('en')}, is forgotten.`,
          html`A program that reads as <code>${name}</code> begins with the oldest event that is kept, up to
${EVENTS_KEPT_DAYS} days ago.`,
          'No event is removed.',
        ],
        button: 'Remove',
        kind: 'danger',
      }
    },
    async submit(request, _, { name }) {
      const subject = { ...developerActor(request), name }
      // A second click finds it done.
      if (await isRemoved(subject)) await ignoring('not_found', removeConsumer(deps, subject))
      else await removeConsumer(deps, subject)
      return { path: EVENTS_PATH, text: 'The consumer was removed.' }
    },
  })

  async function isRemoved({ developerId, name }: ConsumerSubject): Promise<boolean> {
    const subject = { subjectKind: 'event_consumer', subjectId: name }
    const filters = { ...subject, action: 'event_consumer.removed' }
    const newest = { after: undefined, limit: 1 }
    return (await listDeveloperAudit(deps, developerId, filters, newest)).entries.length > 0
  }
}
