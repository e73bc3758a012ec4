import { z } from 'zod'
import { AppError, ignoring } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { sendPage } from '../../../http/send-page.ts'
import { listDeveloperAudit } from '../../../identity/audit/audit-trail-service.ts'
import { developerActor } from '../../../identity/guards/actor.ts'
import { developerOf } from '../../../identity/guards/audience.ts'
import {
  type ConsumerSubject,
  listConsumers,
  removeConsumer,
} from '../../../marketplace/events/event-consumers-service.ts'
import { readAttempt, redirectDone } from '../../requests/kept-forms.ts'
import { visitorShell } from '../../requests/visitor.ts'
import { Fields } from '../../shared/forms/settings-form.ts'
import { EVENTS_PATH, removeConsumerPage } from './consumer-page.ts'

const PATH = `${EVENTS_PATH}/Consumers/:name/Remove`
const params = z.object({ name: z.string() })

/** Removing a consumer of the event log, after a last word. */
export async function consumerPageRoutes(app: App) {
  const { deps } = app

  app.get(PATH, { schema: { hide: true, params, querystring: Fields } }, async (request, reply) => {
    const { entries } = await listConsumers(deps, developerOf(request).developerId)
    const consumer = entries.find(({ name }) => name === request.params.name)
    if (consumer === undefined) throw new AppError('not_found')
    const { problems = [] } = readAttempt(request, reply) ?? {}
    const shell = visitorShell(request, reply)
    return sendPage(reply, removeConsumerPage({ ...shell, consumer, problems }))
  })

  app.post(PATH, { schema: { hide: true, params, body: Fields } }, async (request, reply) => {
    const subject = { ...developerActor(request), ...request.params }
    // A second click finds it done.
    if (await isRemoved(subject)) await ignoring('not_found', removeConsumer(deps, subject))
    else await removeConsumer(deps, subject)
    return redirectDone(request, reply, EVENTS_PATH, 'The consumer was removed.')
  })

  async function isRemoved({ developerId, name }: ConsumerSubject): Promise<boolean> {
    const subject = { subjectKind: 'event_consumer', subjectId: name }
    const action = 'event_consumer.removed'
    const newest = { after: undefined, limit: 1 }
    const filters = { ...subject, action }
    return (await listDeveloperAudit(deps, developerId, filters, newest)).entries.length > 0
  }
}
