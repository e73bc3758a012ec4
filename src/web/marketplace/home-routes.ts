import type { App } from '../../http/app-type.ts'
import { sendPage } from '../../http/send-page.ts'
import { anyVisitorShell, chosenAccountId } from '../requests/visitor.ts'
import { Fields } from '../shared/forms/settings-form.ts'
import { narrowedTo, requireOwnAccount } from '../shared/page/account-of-page.ts'
import { readNewestApps } from './directory-service.ts'
import { homePage } from './home-page.ts'
import { readHome } from './home-service.ts'
import { landingPage } from './landing-page.ts'

/** So many apps are shown to who is not signed in. */
const FEATURED = 3

/** The start page; open to everybody. */
export async function homeRoutes(app: App) {
  app.get('/', { schema: { hide: true, querystring: Fields } }, async (request, reply) => {
    const { visitor } = request.page
    const shell = anyVisitorShell(request, reply)
    if (visitor === null) {
      return sendPage(reply, landingPage(shell, await readNewestApps(app.deps, FEATURED)))
    }
    const chosenId = chosenAccountId(request)
    const home = await readHome(app.deps, visitor.id, chosenId)
    const named = request.query.get('partyId')?.trim()
    requireOwnAccount(home.parties, named)
    const partyId = narrowedTo(home.parties, named, chosenId)
    return sendPage(reply, homePage({ ...shell, ...home, partyId }))
  })
}
