import { PARTY_TYPES } from '../../../base/values/party-type.ts'
import type { App } from '../../../http/app-type.ts'
import { sendPage } from '../../../http/send-page.ts'
import { developerActor } from '../../../identity/guards/actor.ts'
import { developerOf } from '../../../identity/guards/audience.ts'
import { listInstallations } from '../../../marketplace/installations/developer-installations-service.ts'
import {
  INSTALLATION_STATUSES,
  InstallationPath,
} from '../../../marketplace/installations/installation.ts'
import { resumeInstallation } from '../../../marketplace/installations/lifecycle-service.ts'
import { optionsOfInstallations } from '../../../marketplace/installations/operator/operator-installations-service.ts'
import { withSuspensions } from '../../../marketplace/installations/suspension-causes-service.ts'
import { buttonForm } from '../../requests/form-work.ts'
import { loadShown, readConsoleHistory } from '../../requests/list-pages.ts'
import { takeNotice } from '../../requests/notices.ts'
import { visitorShell } from '../../requests/visitor.ts'
import { readDefinitionNames } from '../../shared/app-parts/definition-names-service.ts'
import { chosenFilters, filterReader } from '../../shared/forms/filter-reading.ts'
import { Fields, type FormFields } from '../../shared/forms/settings-form.ts'
import { appChoices } from '../app-choices-service.ts'
import { OWN_INSTALLATION_NOTICES, ownInstallationPath } from '../console-frame.ts'
import { backTo } from './installation-frame.ts'
import { ownInstallationPage } from './installation-page.ts'
import { readInstallationPage } from './installation-page-service.ts'
import { ownInstallationsPage } from './installations-page.ts'

const LIST = '/Developer/Installations'
const PATH = `${LIST}/:installationId`
const PAGE_SIZE = 50
const EVENTS_PAGE_SIZE = 20

/** The installations of a developer's apps, and each of them. */
export async function ownInstallationPageRoutes(app: App) {
  const { deps } = app

  app.get(LIST, { schema: { hide: true, querystring: Fields } }, async (request, reply) => {
    const { developerId } = developerOf(request)
    const appId = request.query.get('appId')?.trim() || undefined
    const choices = await appChoices(deps, developerId, appId)
    const { problems, ...filters } = filtersOf(request.query, choices.isOwn)
    if (problems.length > 0) reply.code(422)
    const { entries, ...page } =
      problems.length > 0
        ? { entries: [], isContinued: false, cursor: undefined }
        : await loadShown(
            request,
            ['console installations', developerId, filters],
            PAGE_SIZE,
            (wanted) => listInstallations(deps, developerId, filters, wanted),
          )
    const chosen = chosenFilters(request.query, Object.keys(LABELS))
    const message = takeNotice(request, reply)?.text
    const shown = { typed: request.query, chosen, choices, problems, message, ...page }
    const [standing, options] = await Promise.all([
      withSuspensions(deps, entries),
      optionsOfInstallations(
        deps,
        entries.map(({ id }) => id),
      ),
    ])
    const installations = standing.map((one) => ({
      ...one,
      optionName: options.get(one.id)?.name ?? one.purchaseOptionId,
    }))
    const shell = visitorShell(request, reply)
    return sendPage(reply, ownInstallationsPage({ ...shell, ...shown, installations }))
  })

  const schema = { hide: true, params: InstallationPath, querystring: Fields }
  app.get(PATH, { schema }, async (request, reply) => {
    const { developerId } = developerOf(request)
    const own = await readInstallationPage(deps, developerId, request.params.installationId)
    const { installation, profile } = own
    const subject = { subjectKind: 'installation', subjectId: installation.id } as const
    const { history, people } = await readConsoleHistory(request, subject, EVENTS_PAGE_SIZE)
    const names = await readDefinitionNames(deps, installation.id, profile, history.entries)
    const message = takeNotice(request, reply)?.text
    const shell = { ...visitorShell(request, reply), message }
    return sendPage(reply, ownInstallationPage({ ...shell, own, history, names, people }))
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

const LABELS = { appId: 'App', partyType: 'Installed by', status: 'State' }

/** The filters of an address, and what cannot be read of them. */
function filtersOf(fields: FormFields, isOwn: boolean) {
  const reader = filterReader(fields, LABELS)
  const appId = reader.text('appId')
  const isKnown = appId === undefined || isOwn
  return {
    appId: isKnown ? appId : reader.refuse('appId', 'You have no app with this ID.'),
    partyType: reader.oneOf('partyType', PARTY_TYPES),
    status: reader.oneOf('status', INSTALLATION_STATUSES),
    problems: reader.problems,
  }
}
