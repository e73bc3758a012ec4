import type { FastifyRequest } from 'fastify'
import { AppPath } from '../../base/values/app-path.ts'
import { COUNTED_IN_LIST_MAX, COUNTED_MAX } from '../../base/values/page-of-list.ts'
import type { App } from '../../http/app-type.ts'
import { sendPage } from '../../http/send-page.ts'
import { developerActor } from '../../identity/guards/actor.ts'
import { developerOf } from '../../identity/guards/audience.ts'
import { deleteApp } from '../../marketplace/apps/delete-app-service.ts'
import {
  countInstallations,
  countInstallationsOfVersions,
} from '../../marketplace/apps/installation-counts-service.ts'
import { readInstallsByDay } from '../../marketplace/apps/installs-by-day-service.ts'
import { listOwnApps, readOwnApp } from '../../marketplace/apps/read-apps-service.ts'
import {
  compareVersions,
  listVersions,
} from '../../marketplace/apps/versions/read-versions-service.ts'
import { setListed } from '../../marketplace/apps/visibility/visibility-service.ts'
import { listRecentEvents } from '../../marketplace/events/recent-events-service.ts'
import { listInstallations } from '../../marketplace/installations/developer-installations-service.ts'
import { recentReports } from '../../marketplace/leaks/recent-reports-service.ts'
import { formPage } from '../requests/form-page.ts'
import { cursorOf, loadShown, readConsoleHistory } from '../requests/list-pages.ts'
import { takeNotice } from '../requests/notices.ts'
import { visitorShell } from '../requests/visitor.ts'
import { Fields } from '../shared/forms/settings-form.ts'
import { html } from '../shared/page/html.ts'
import { ownAppPage } from './app-page.ts'
import { ownAppsPage } from './apps-page.ts'
import { APP_NOTICES, ownAppPath } from './console-frame.ts'
import { versionsPage } from './versions-page.ts'

const PATH = '/Developer/Apps/:appId'
const PLACE = { console: 'developer', section: 'own-apps' } as const
const APPS_PAGE_SIZE = 50
const VERSIONS_PAGE_SIZE = 25
const EVENTS_PAGE_SIZE = 10
const appSchema = { hide: true, params: AppPath, querystring: Fields }
const first = (limit: number) => ({ after: undefined, limit })

/** A developer's own apps: the list, each one, its versions, and what happens to it as a whole. */
export async function ownAppRoutes(app: App) {
  const { deps } = app
  app.get('/Developer', { schema: { hide: true, querystring: Fields } }, async (request, reply) => {
    const { developerId } = developerOf(request)
    const [apps, sandbox] = await Promise.all([
      loadShown(request, ['console apps', developerId], APPS_PAGE_SIZE, (page) =>
        listOwnApps(deps, developerId, page),
      ),
      listInstallations(deps, developerId, { partyType: 'None' }, first(APPS_PAGE_SIZE)),
    ])
    return sendPage(
      reply,
      ownAppsPage({
        ...visitorShell(request, reply),
        message: takeNotice(request, reply)?.text,
        apps: apps.entries,
        installations: await countInstallations(
          deps,
          apps.entries.map(({ id }) => id),
          COUNTED_IN_LIST_MAX,
        ),
        sandbox,
        reports: await recentReports(deps, developerId),
        cursor: apps.cursor,
      }),
    )
  })

  app.get('/Developer/Apps', { schema: { hide: true } }, async (_request, reply) =>
    reply.redirect('/Developer', 303),
  )

  app.get(PATH, { schema: appSchema }, async (request, reply) => {
    const { developerId } = developerOf(request)
    const { app: own } = await readOwnApp(deps, developerId, request.params.appId)
    const subject = { subjectKind: 'app', subjectId: own.id } as const
    const [installations, onVersion, installsByDay, events, sandbox, history] = await Promise.all([
      countInstallations(deps, [own.id], COUNTED_MAX),
      countInstallationsOfVersions(deps, own.id, [own.version]),
      readInstallsByDay(deps, developerId, own.id),
      listRecentEvents(deps, developerId, { appId: own.id }, first(1)),
      listInstallations(deps, developerId, { appId: own.id, partyType: 'None' }, first(1)),
      readConsoleHistory(request, subject, EVENTS_PAGE_SIZE),
    ])
    return sendPage(
      reply,
      ownAppPage({
        ...visitorShell(request, reply),
        message: takeNotice(request, reply)?.text,
        app: own,
        installations: installations.get(own.id) ?? 0,
        onNewest: onVersion.get(own.version) ?? 0,
        installsByDay,
        lastEvent: events.entries[0],
        inSandbox: sandbox.entries.length > 0,
        ...history,
      }),
    )
  })

  app.get(`${PATH}/Versions`, { schema: appSchema }, async (request, reply) => {
    const { developerId } = developerOf(request)
    const { appId } = request.params
    const { app: own } = await readOwnApp(deps, developerId, appId)
    const versions = await loadShown(
      request,
      ['console versions', developerId, appId],
      VERSIONS_PAGE_SIZE,
      (page) => listVersions(deps, developerId, appId, page),
    )
    const from = request.query.get('from')
    const to = request.query.get('to')
    const comparison =
      from === undefined || to === undefined
        ? undefined
        : { from, to, changes: await compareVersions(deps, developerId, appId, { from, to }) }
    return sendPage(
      reply,
      versionsPage({
        ...visitorShell(request, reply),
        app: own,
        versions: versions.entries,
        comparison,
        shown: cursorOf(request),
        cursor: versions.cursor,
      }),
    )
  })

  formPage(app, {
    path: `${PATH}/Unlist`,
    params: AppPath,
    place: PLACE,
    refused: [],
    page: async (request, _, _reply, params) => ({
      ...(await question('Unlist', request, params)),
      consequences: [
        'The app is no longer in the directory. Whoever has the address of its page still finds it and can install it.',
        'Accounts that have installed it keep it.',
        'You can list it again at any time.',
      ],
    }),
    async submit(request, _, { appId }) {
      const { app: own } = await setListed(deps, developerActor(request), appId, false)
      return { path: ownAppPath(appId), text: APP_NOTICES.unlisted(own.name) }
    },
  })

  formPage(app, {
    path: `${PATH}/Delete`,
    params: AppPath,
    place: PLACE,
    refused: ['app_in_use'],
    page: async (request, _, _reply, params) => ({
      ...(await question('Delete', request, params)),
      consequences: [
        'The app disappears from the directory and from your list.',
        html`The ID <code>${params.appId}</code> can never be reused. The name becomes available again.`,
        'You cannot undo this. You cannot delete an app while accounts have it installed.',
      ],
    }),
    async submit(request, _, { appId }) {
      const author = developerActor(request)
      const { app: own } = await readOwnApp(deps, author.developerId, appId)
      await deleteApp(deps, author, appId)
      return { path: '/Developer', text: APP_NOTICES.deleted(own.name) }
    },
  })

  async function question(
    button: 'Unlist' | 'Delete',
    request: FastifyRequest,
    { appId }: { appId: string },
  ) {
    const { app: own } = await readOwnApp(deps, developerOf(request).developerId, appId)
    const back = { href: ownAppPath(own.id), label: own.name }
    return { title: `${button} ${own.name}`, back, button, kind: 'danger' as const }
  }
}
