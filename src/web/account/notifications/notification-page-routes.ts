import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { integerText } from '../../../base/values/shapes.ts'
import { AppError, ignoring } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { sendPage } from '../../../http/send-page.ts'
import { chooseDeveloper } from '../../../identity/auth/developer-person-service.ts'
import {
  kindOf,
  NOTIFICATION_KINDS,
  type NotificationKind,
} from '../../../identity/notifications/kinds.ts'
import {
  keepMailedKinds,
  listNotifications,
  markNotificationsRead,
  openNotification,
  readMailedKinds,
} from '../../../identity/notifications/own-notifications-service.ts'
import { sendsMail } from '../../../identity/people/deliver-link-service.ts'
import { formPage } from '../../requests/form-page.ts'
import { buttonForm } from '../../requests/form-work.ts'
import { loadShown } from '../../requests/list-pages.ts'
import { takeNotice } from '../../requests/notices.ts'
import { sessionCookie } from '../../requests/pages.ts'
import { visitorOf, visitorShell } from '../../requests/visitor.ts'
import { Fields } from '../../shared/forms/settings-form.ts'
import { html } from '../../shared/page/html.ts'
import { NOTIFICATIONS_PATH, notificationsPage } from './notifications-page.ts'

const PAGE_SIZE = 40
const IdText = integerText(Number.MAX_SAFE_INTEGER)
const NotificationPath = z.object({ id: z.string() })

/** What the visitor was told of, and which kinds of it are mailed. */
export async function notificationPages(app: App) {
  const { deps } = app

  app.get(
    NOTIFICATIONS_PATH,
    { schema: { hide: true, querystring: Fields } },
    async (request, reply) => {
      const { id } = visitorOf(request)
      const { entries, ...place } = await loadShown(
        request,
        ['notifications page', id],
        PAGE_SIZE,
        (page) => listNotifications(deps, id, page),
      )
      const message = takeNotice(request, reply)?.text
      const shell = visitorShell(request, reply)
      return sendPage(
        reply,
        notificationsPage({ ...shell, ...place, notifications: entries, message }),
      )
    },
  )

  buttonForm(app, {
    path: `${NOTIFICATIONS_PATH}/Read`,
    page: () => NOTIFICATIONS_PATH,
    async submit(request, typed) {
      const upTo = IdText.safeParse(typed.get('upTo'))
      if (!upTo.success) throw new AppError('invalid_request')
      await markNotificationsRead(deps, visitorOf(request).id, { upTo: Number(upTo.data) })
      return { path: NOTIFICATIONS_PATH, text: 'All notifications are marked as read.' }
    },
  })

  buttonForm(app, {
    path: `${NOTIFICATIONS_PATH}/:id/Open`,
    params: NotificationPath,
    page: () => NOTIFICATIONS_PATH,
    async submit(request, _typed, params) {
      const { id: userId } = visitorOf(request)
      const id = IdText.safeParse(params.id)
      const opened = id.success && (await openNotification(deps, userId, Number(id.data)))
      if (!opened) throw new AppError('not_found')
      const { path = NOTIFICATIONS_PATH, developerId } = opened
      const cookie = sessionCookie(request)
      if (path.startsWith('/Developer') && developerId !== null && cookie !== undefined) {
        await ignoring('not_found', chooseDeveloper(deps, cookie, developerId))
      }
      return { path }
    },
  })

  formPage(app, {
    path: `${NOTIFICATIONS_PATH}/Mail`,
    place: { console: 'account' },
    fields: (request) =>
      Object.fromEntries(
        kindsFor(request).map((kind) => [kind, { label: kindOf(kind).label, kind: 'check' }]),
      ),
    refused: [],
    async page(request) {
      const back = { href: NOTIFICATIONS_PATH, label: 'Notifications' }
      const shown = { title: 'Notification emails', back }
      if (!sendsMail(deps)) {
        return {
          ...shown,
          above: html`<div class="card"><p>This marketplace sends no mails.</p></div>`,
        }
      }
      const mailed = await readMailedKinds(deps, visitorOf(request).id)
      return {
        ...shown,
        lead: 'At most one mail a day, with what you have not read. Choose what is in it.',
        button: 'Save',
        stored: new Map([...mailed].map((kind) => [kind, 'true'])),
      }
    },
    async submit(request, typed) {
      const mails = kindsFor(request).map((kind) => [kind, typed.get(kind) === 'true'])
      await keepMailedKinds(deps, visitorOf(request).id, Object.fromEntries(mails))
      return { path: NOTIFICATIONS_PATH, text: 'Your choice was saved.' }
    },
  })
}

/** The kinds that the visitor can be told of. */
function kindsFor(request: FastifyRequest): NotificationKind[] {
  const { operator, worksForDevelopers = false } = visitorOf(request)
  const as = { admin: true, requester: true, developer: worksForDevelopers, operator }
  return NOTIFICATION_KINDS.filter((kind) => as[kindOf(kind).as])
}
