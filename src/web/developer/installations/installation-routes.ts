import { PARTY_TYPES } from '../../../base/values/party-type.ts'
import type { App } from '../../../http/app-type.ts'
import { sendPage } from '../../../http/send-page.ts'
import { developerActor } from '../../../identity/guards/actor.ts'
import { developerOf } from '../../../identity/guards/audience.ts'
import {
  INSTALLATION_STATUSES,
  InstallationPath,
} from '../../../marketplace/installations/installation.ts'
import { resumeInstallation } from '../../../marketplace/installations/lifecycle-service.ts'
import { countInstallationsWith } from '../../../marketplace/installations/operator/operator-installations-service.ts'
import { readUsage } from '../../../marketplace/usage/read-usage-service.ts'
import type { Chosen } from '../../kit/list-page.ts'
import { acceptancePages } from '../../requests/acceptance-pages.ts'
import { buttonForm } from '../../requests/form-work.ts'
import { readConsoleHistory } from '../../requests/list-pages.ts'
import { listRoutes } from '../../requests/lists.ts'
import { takeNotice } from '../../requests/notices.ts'
import { visitorShell } from '../../requests/visitor.ts'
import { readDefinitionNames } from '../../shared/app-parts/definition-names-service.ts'
import { type Choose, chosenAs, oneOfParam } from '../../shared/forms/filter-params.ts'
import { Fields } from '../../shared/forms/settings-form.ts'
import { appChoices } from '../app-choices-service.ts'
import { OWN_INSTALLATION_NOTICES, ownInstallationPath } from '../console-frame.ts'
import { backTo } from './installation-frame.ts'
import { ownInstallationPage } from './installation-page.ts'
import { listOwnInstallations, readInstallationPage } from './installation-page-service.ts'
import { ownInstallationList } from './installations-page.ts'

const LIST = '/Developer/Installations'
const PATH = `${LIST}/:installationId`
const EVENTS_PAGE_SIZE = 20

/** The installations of a developer's apps, and each of them. */
export async function ownInstallationPageRoutes(app: App) {
  const { deps } = app

  listRoutes(app, {
    path: LIST,
    noun: 'installation',
    async open(request) {
      const { developerId } = developerOf(request)
      const appId = request.query.get('appId')?.trim() || undefined
      const choices = await appChoices(deps, developerId, appId)
      const filtersOf = (chosen: Chosen) => ({ ...chosen, developerId })
      return {
        ...ownInstallationList(choices),
        place: { console: 'developer', section: 'installations' },
        owner: [developerId],
        choose: [
          ownAppParam(choices),
          oneOfParam('partyType', PARTY_TYPES),
          oneOfParam('status', INSTALLATION_STATUSES),
        ],
        load: (chosen, page) => listOwnInstallations(deps, filtersOf(chosen), page),
        count: (chosen, max) => countInstallationsWith(deps, filtersOf(chosen), max),
      }
    },
  })

  const schema = { hide: true, params: InstallationPath, querystring: Fields }
  app.get(PATH, { schema }, async (request, reply) => {
    const { developerId } = developerOf(request)
    const own = await readInstallationPage(deps, developerId, request.params.installationId)
    const { installation, profile } = own
    const subject = { subjectKind: 'installation', subjectId: installation.id } as const
    const { history, people } = await readConsoleHistory(request, subject, EVENTS_PAGE_SIZE)
    const names = await readDefinitionNames(deps, installation.id, profile, history.entries)
    const usage = await readUsage(deps, installation.id, { developerId })
    const message = takeNotice(request, reply)?.text
    const shell = { ...visitorShell(request, reply), message, now: deps.now() }
    return sendPage(reply, ownInstallationPage({ ...shell, own, history, names, people, usage }))
  })

  acceptancePages(app, {
    path: PATH,
    params: InstallationPath,
    place: { console: 'developer', section: 'installations' },
    readerOf(request) {
      const { developerId } = developerOf(request)
      return { reader: 'developer', id: developerId, where: { developerId } }
    },
  })

  buttonForm(app, {
    path: `${PATH}/Resume`,
    params: InstallationPath,
    page: ({ installationId }) => ownInstallationPath(installationId),
    async submit(request, _typed, { installationId }) {
      const { developerId, actor } = developerActor(request)
      const own = await readInstallationPage(deps, developerId, installationId)
      await resumeInstallation(deps, { installationId, where: { developerId }, actor })
      const { href, label } = backTo(own)
      return { path: href, text: OWN_INSTALLATION_NOTICES.resumed(label) }
    },
  })
}

/** The app, which must be one of the developer's. */
const ownAppParam =
  ({ isOwn }: { isOwn: boolean }): Choose =>
  (reader) => {
    const appId = reader.text('appId')
    return appId === undefined || isOwn
      ? chosenAs('appId', appId)
      : chosenAs('appId', reader.refuse('appId', 'You have no app with this ID.'))
  }
