import { z } from 'zod'
import type { App } from '../../http/app-type.ts'
import { answerPage } from '../../http/paged-list.ts'
import { PageQuery } from '../../http/pagination.ts'
import { userOf } from '../guards/audience.ts'
import { plainSentence } from './kinds.ts'
import {
  NOTIFICATIONS_KEPT_DAYS,
  NOTIFICATIONS_MAX,
  NotificationRecord,
  NotificationsRead,
} from './notification.ts'
import { listNotifications, markNotificationsRead } from './own-notifications-service.ts'

const PATH = '/v1/Account/Notifications'
const tags = ['Accounts']

/** What the user of a token is told of. */
export async function notificationRoutes(app: App) {
  const { deps } = app
  app.get(
    PATH,
    {
      schema: {
        operationId: 'listNotifications',
        tags,
        summary: 'List your notifications',
        description:
          `Newest first: what concerns you in your accounts, developers and role. The newest ` +
          `${NOTIFICATIONS_MAX} are kept, for ${NOTIFICATIONS_KEPT_DAYS} days. Of what you may not ` +
          'see any more, `text` names nothing, and the ids are null.',
        querystring: z.strictObject(PageQuery),
        response: { 200: z.array(NotificationRecord) },
      },
    },
    (request, reply) => {
      const { userId } = userOf(request)
      return answerPage(request, reply, ['notifications', userId], async (page) => {
        const { entries, next } = await listNotifications(deps, userId, page)
        const records = entries.map(({ sentence, path, ...record }) => ({
          ...record,
          text: plainSentence(sentence),
          url: path === undefined ? null : `${deps.config.publicUrl}${path}`,
        }))
        return { entries: records, next }
      })
    },
  )

  app.post(
    `${PATH}/Read`,
    {
      schema: {
        operationId: 'markNotificationsRead',
        tags,
        summary: 'Mark notifications as read',
        description:
          'Those with the given ids, or one and all that are older. Unknown ids are passed over. ' +
          'Repeating the call changes nothing.',
        body: NotificationsRead,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await markNotificationsRead(deps, userOf(request).userId, request.body)
      return reply.code(204).send(null)
    },
  )
}
