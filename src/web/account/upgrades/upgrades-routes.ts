import type { App } from '../../../http/app-type.ts'
import { sendPage } from '../../../http/send-page.ts'
import {
  listWaitingUpgrades,
  UPGRADES_PAGE_MAX,
} from '../../../marketplace/installations/upgrades/waiting-upgrades-service.ts'
import { loadShown } from '../../requests/list-pages.ts'
import { takeNotice } from '../../requests/notices.ts'
import { chosenAccountId, visitorOf, visitorShell } from '../../requests/visitor.ts'
import { Fields } from '../../shared/forms/settings-form.ts'
import { UPGRADES_PATH } from '../../shared/status/upgrades-notice.ts'
import { upgradesPage } from './upgrades-page.ts'

/** The later versions that wait for the visitor's accounts. */
export async function upgradesRoutes(app: App) {
  app.get(
    UPGRADES_PATH,
    { schema: { hide: true, querystring: Fields } },
    async (request, reply) => {
      const of = { userId: visitorOf(request).id, partyId: chosenAccountId(request) }
      const scope = ['upgrades page', of.userId, of.partyId ?? null]
      const { entries, cursor } = await loadShown(request, scope, UPGRADES_PAGE_MAX, (page) =>
        listWaitingUpgrades(app.deps, of, page),
      )
      const visit = { ...visitorShell(request, reply), message: takeNotice(request, reply)?.text }
      return sendPage(reply, upgradesPage(visit, entries, cursor))
    },
  )
}
