import type { App } from '../../http/app-type.ts'
import { sendDocument } from '../../http/bodies/send-document.ts'
import { sendPage } from '../../http/send-page.ts'
import { readOwnUser } from '../../identity/accounts/own-user-service.ts'
import { InstallationPath } from '../../marketplace/installations/installation.ts'
import { countRequestsToDecide } from '../../marketplace/installations/requests/requests-shown-service.ts'
import { ofUser } from '../../marketplace/installations/stored-installation-service.ts'
import { installedTerms } from '../../marketplace/installations/terms/installed-terms-service.ts'
import { loadShown } from '../requests/list-pages.ts'
import { takeNotice } from '../requests/notices.ts'
import { chosenAccountId, visitorOf, visitorShell } from '../requests/visitor.ts'
import { readDefinitionNames } from '../shared/app-parts/definition-names-service.ts'
import { filterReader } from '../shared/forms/filter-reading.ts'
import { Fields } from '../shared/forms/settings-form.ts'
import { narrowedTo } from '../shared/page/account-of-page.ts'
import { installedPage } from './installation-page.ts'
import { listInstalled, readHistory, readInstalled } from './installation-pages-service.ts'
import { installedListPage } from './installations-page.ts'

const PAGE_SIZE = 40
const EVENTS_PAGE_SIZE = 20
const PATH = '/Installed/:installationId'

/** What is installed for the visitor's accounts: the list, each one, and the way out. */
export async function installationPageRoutes(app: App) {
  app.get('/Installed', { schema: { hide: true, querystring: Fields } }, async (request, reply) => {
    const { id: userId } = visitorOf(request)
    const account = await readOwnUser(app.deps, userId)
    const parties = account.parties.map(({ id, name, type }) => ({
      partyId: id,
      partyName: name,
      partyType: type,
    }))
    const chosenId = chosenAccountId(request)
    const reader = filterReader(request.query, parties.length > 1 ? { partyId: 'Account' } : {})
    reader.oneOf(
      'partyId',
      parties.map((party) => String(party.partyId)),
      'Choose one of your accounts.',
    )
    const status = reader.oneOf('status', ['uninstalled'])
    const partyId = narrowedTo(parties, request.query.get('partyId')?.trim(), chosenId)
    const { problems } = reader
    const shell = { ...visitorShell(request, reply), status, parties, partyId, chosenId, problems }
    if (problems.length > 0) {
      reply.code(422)
      const nothing = {
        installations: [],
        cursor: undefined,
        isContinued: false,
        message: undefined,
        requestsToDecide: 0,
      }
      return sendPage(reply, installedListPage({ ...shell, ...nothing }))
    }
    const { entries, cursor, isContinued } = await loadShown(
      request,
      ['installed', userId, partyId ?? null, status ?? null],
      PAGE_SIZE,
      (page) => listInstalled(app.deps, userId, { partyId, status }, page),
    )
    return sendPage(
      reply,
      installedListPage({
        ...shell,
        installations: entries,
        cursor,
        isContinued,
        message: takeNotice(request, reply)?.text,
        requestsToDecide: await countRequestsToDecide(app.deps, userId, chosenId),
      }),
    )
  })

  app.get(
    PATH,
    { schema: { hide: true, params: InstallationPath, querystring: Fields } },
    async (request, reply) => {
      const { id: userId } = visitorOf(request)
      const installed = await readInstalled(app.deps, userId, request.params.installationId)
      const { id } = installed.installation
      const history = await loadShown(request, ['history', userId, id], EVENTS_PAGE_SIZE, (page) =>
        readHistory(app.deps, userId, id, page),
      )
      return sendPage(
        reply,
        installedPage({
          ...visitorShell(request, reply),
          installed,
          history,
          names: await readDefinitionNames(app.deps, id, installed.profile, history.entries),
          userId,
          message: takeNotice(request, reply)?.text,
        }),
      )
    },
  )

  app.get(
    `${PATH}/Terms`,
    { schema: { hide: true, params: InstallationPath } },
    async (request, reply) => {
      const { id: userId } = visitorOf(request)
      const { installationId } = request.params
      return sendDocument(reply, await installedTerms(app.deps, installationId, ofUser(userId)))
    },
  )
}
