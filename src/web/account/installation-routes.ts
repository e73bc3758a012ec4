import type { App } from '../../http/app-type.ts'
import { sendDocument } from '../../http/bodies/send-document.ts'
import { sendPage } from '../../http/send-page.ts'
import { readOwnUser } from '../../identity/accounts/own-user-service.ts'
import { countAccountInstallations } from '../../marketplace/installations/account-installations-service.ts'
import { InstallationPath } from '../../marketplace/installations/installation.ts'
import { countRequestsToDecide } from '../../marketplace/installations/requests/requests-shown-service.ts'
import { ofUser } from '../../marketplace/installations/stored-installation-service.ts'
import { installedTerms } from '../../marketplace/installations/terms/installed-terms-service.ts'
import { countWaitingUpgrades } from '../../marketplace/installations/upgrades/waiting-upgrades-service.ts'
import { readUsage } from '../../marketplace/usage/read-usage-service.ts'
import { acceptancePages } from '../requests/acceptance-pages.ts'
import { loadShown } from '../requests/list-pages.ts'
import { listRoutes } from '../requests/lists.ts'
import { takeNotice } from '../requests/notices.ts'
import { chosenAccountId, visitorOf, visitorShell } from '../requests/visitor.ts'
import { readDefinitionNames } from '../shared/app-parts/definition-names-service.ts'
import { readTermsText } from '../shared/app-parts/terms-text-service.ts'
import type { Choose } from '../shared/forms/filter-params.ts'
import { Fields } from '../shared/forms/settings-form.ts'
import { narrowedTo } from '../shared/page/account-of-page.ts'
import { installedPage } from './installation-page.ts'
import { listInstalled, readHistory, readInstalled } from './installation-pages-service.ts'
import type { InstalledRow } from './installation-shown.ts'
import { aroundInstalled, INSTALLED_PATH, installedList } from './installations-page.ts'

const EVENTS_PAGE_SIZE = 20
const PATH = `${INSTALLED_PATH}/:installationId`

/** What is installed for the visitor's accounts: the list, each one, and the way out. */
export async function installationPageRoutes(app: App) {
  const { deps } = app

  listRoutes(app, {
    path: INSTALLED_PATH,
    noun: 'app',
    async open(request) {
      const { id: userId } = visitorOf(request)
      const account = await readOwnUser(deps, userId)
      const parties = account.parties.map(({ id, name, type }) => ({
        partyId: id,
        partyName: name,
        partyType: type,
      }))
      const ids = parties.map(({ partyId }) => partyId)
      const chosenId = chosenAccountId(request)
      const partyId = narrowedTo(parties, request.query.get('partyId')?.trim(), chosenId)
      const isPast = request.query.get('status')?.trim() === 'uninstalled'
      const filters = { partyId, status: isPast ? ('uninstalled' as const) : undefined }
      const list = { ...filters, parties, chosenId }
      return {
        ...installedList(list),
        place: { console: 'account', section: 'installed' },
        owner: [userId, partyId ?? null],
        accountIds: partyId === undefined ? ids : [partyId],
        choose: [
          inPath('partyId', ids.map(String), 'Choose one of your accounts.'),
          inPath('status', ['uninstalled']),
        ],
        load: (_chosen, page) => listInstalled(deps, userId, filters, page),
        count: (_chosen, max) => countAccountInstallations(deps, userId, filters, max),
        around: async (shown: { entries: readonly InstalledRow[]; isWhole: boolean }) =>
          aroundInstalled(list, {
            ...shown,
            requestsToDecide: await countRequestsToDecide(deps, userId, chosenId),
            upgrades: isPast ? 0 : await countWaitingUpgrades(deps, { userId, partyId }),
          }),
      }
    },
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
          termsText: await readTermsText(deps, installed.installation.appId, installed.terms),
          usage: await readUsage(deps, id, ofUser(userId)),
          now: deps.now(),
          message: takeNotice(request, reply)?.text,
        }),
      )
    },
  )

  acceptancePages(app, {
    path: PATH,
    params: InstallationPath,
    place: { console: 'account', section: 'installed' },
    readerOf(request) {
      const { id } = visitorOf(request)
      return { reader: 'account', id, where: ofUser(id) }
    },
  })

  app.get(
    `${PATH}/Terms`,
    { schema: { hide: true, params: InstallationPath } },
    async (request, reply) => {
      const { id: userId } = visitorOf(request)
      const { installationId } = request.params
      return sendDocument(reply, await installedTerms(app.deps, installationId, ofUser(userId)))
    },
  )

  app.get(
    `${PATH}/Terms/Pdf`,
    { schema: { hide: true, params: InstallationPath } },
    async (request, reply) => {
      const where = ofUser(visitorOf(request).id)
      const { installationId } = request.params
      return sendDocument(reply, await installedTerms(deps, installationId, where, 'pdf'))
    },
  )
}

/** What the path of the list has, so that it is no filter beside it: only whether it can be read. */
const inPath =
  (name: string, values: readonly string[], none?: string): Choose =>
  (reader) => {
    reader.oneOf(name, values, none)
    return {}
  }
