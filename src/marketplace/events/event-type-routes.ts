import { z } from 'zod'
import { pageOfFixed } from '../../base/values/keyset.ts'
import type { App } from '../../http/app-type.ts'
import { tagContent } from '../../http/content-etag.ts'
import { conciseSchema } from '../../http/openapi/schemas.ts'
import { answerPage } from '../../http/paged-list.ts'
import { PageQuery } from '../../http/pagination.ts'
import { NOT_MODIFIED } from '../../http/problem.ts'
import { describeEventTypes, EventTypeRecord } from './event-catalogue.ts'

/** The types of events there are, for everybody. */
export async function eventTypeRoutes(app: App) {
  tagContent(app)
  let types: EventTypeRecord[] | undefined

  app.get(
    '/v1/EventTypes',
    {
      config: { anyOrigin: true },
      schema: {
        operationId: 'listEventTypes',
        tags: ['Events'],
        summary: 'List all types of events',
        description:
          'Each with the JSON Schema of the whole event and an example. Later releases may add types and members.',
        querystring: z.strictObject(PageQuery),
        response: { 200: z.array(EventTypeRecord), ...NOT_MODIFIED },
      },
    },
    (request, reply) =>
      answerPage(request, reply, ['event types'], async (page) => {
        types ??= describeEventTypes(conciseSchema)
        return pageOfFixed(types, page)
      }),
  )
}
