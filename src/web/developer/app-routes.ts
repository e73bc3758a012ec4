import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppPath } from '../../base/values/app-path.ts'
import { COUNTED_IN_LIST_MAX, COUNTED_MAX } from '../../base/values/page-of-list.ts'
import type { App } from '../../http/app-type.ts'
import { sendPage } from '../../http/send-page.ts'
import { developerActor } from '../../identity/guards/actor.ts'
import { developerOf } from '../../identity/guards/audience.ts'
import type { AppRecord } from '../../marketplace/apps/app-record.ts'
import { countInstallations } from '../../marketplace/apps/installation-counts-service.ts'
import { readInstallsByDay } from '../../marketplace/apps/installs-by-day-service.ts'
import { deleteApp, setListed } from '../../marketplace/apps/listing-service.ts'
import { listOwnApps, readOwnApp } from '../../marketplace/apps/read-apps-service.ts'
import {
  compareVersions,
  listVersions,
} from '../../marketplace/apps/versions/read-versions-service.ts'
import { listRecentEvents } from '../../marketplace/events/recent-events-service.ts'
import { listInstallations } from '../../marketplace/installations/developer-installations-service.ts'
import { recentReports } from '../../marketplace/leaks/recent-reports-service.ts'
import { questionPage } from '../kit/question-page.ts'
import { readAttempt, redirectDone, refuse } from '../requests/answers.ts'
import { cursorOf, loadShown, readConsoleHistory } from '../requests/list-pages.ts'
import { takeNotice } from '../requests/notices.ts'
import { visitorShell } from '../requests/visitor.ts'
import { refusalOf } from '../shared/forms/refusal.ts'
import { Fields, type FormFields } from '../shared/forms/settings-form.ts'
import { type Html, html } from '../shared/page/html.ts'
import { ownAppPage } from './app-page.ts'
import { ownAppsPage } from './apps-page.ts'
import { APP_NOTICES, ownAppPath } from './console-frame.ts'
import { versionsPage } from './versions-page.ts'

const PATH = '/Developer/Apps/:appId'
const APPS_PAGE_SIZE = 50
const VERSIONS_PAGE_SIZE = 25
const EVENTS_PAGE_SIZE = 10
const appSchema = { hide: true, params: AppPath, querystring: Fields }
const first = (limit: number) => ({ after: undefined, limit })

type OnApp = FastifyRequest<{ Params: { appId: string }; Querystring: FormFields }>

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
    const [installations, installsByDay, events, sandbox, history] = await Promise.all([
      countInstallations(deps, [own.id], COUNTED_MAX),
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
        installsByDay,
        lastEvent: events.entries[0],
        inSandbox: sandbox.entries.length > 0,
        ...history,
      }),
    )
  })

  app.get(`${PATH}/Unlist`, { schema: appSchema }, (request, reply) =>
    sendQuestion(request, reply, 'Unlist', () => [
      html`Accounts can no longer find the app in the directory, or install it.`,
      html`Accounts that have installed it keep it.`,
      html`You can list it again at any time.`,
    ]),
  )

  app.post(
    `${PATH}/Unlist`,
    { schema: { hide: true, params: AppPath } },
    async (request, reply) => {
      const { appId } = request.params
      const { app: own } = await setListed(deps, developerActor(request), appId, false)
      return redirectDone(request, reply, ownAppPath(appId), APP_NOTICES.unlisted(own.name))
    },
  )

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

  app.get(`${PATH}/Delete`, { schema: appSchema }, (request, reply) =>
    sendQuestion(request, reply, 'Delete', ({ id }) => [
      html`The app disappears from the directory and from your list.`,
      html`The ID <code>${id}</code> can never be reused. The name becomes available again.`,
      html`You cannot undo this. You cannot delete an app while accounts have it installed.`,
    ]),
  )

  app.post(
    `${PATH}/Delete`,
    { config: { actsOnce: true }, schema: { hide: true, params: AppPath } },
    async (request, reply) => {
      const { appId } = request.params
      const author = developerActor(request)
      const { app: own } = await readOwnApp(deps, author.developerId, appId)
      try {
        await deleteApp(deps, author, appId)
      } catch (error) {
        return refuse(request, reply, refusalOf(error, ['app_in_use']))
      }
      return redirectDone(request, reply, '/Developer', APP_NOTICES.deleted(own.name))
    },
  )

  /** Says what an action does to an app, and asks for a last word. */
  async function sendQuestion(
    request: OnApp,
    reply: FastifyReply,
    action: 'Unlist' | 'Delete',
    consequences: (app: AppRecord) => Html[],
  ) {
    const { problems = [] } = readAttempt(request, reply) ?? {}
    const { developerId } = developerOf(request)
    const { app: own } = await readOwnApp(deps, developerId, request.params.appId)
    const back = { href: ownAppPath(own.id), label: own.name }
    return sendPage(
      reply,
      questionPage(
        { console: 'developer', section: 'own-apps' },
        { ...visitorShell(request, reply), problems },
        {
          title: `${action} ${own.name}`,
          back,
          action: `${back.href}/${action}`,
          button: action,
          consequences: consequences(own),
        },
      ),
    )
  }
}
