import type { App } from '../../http/app-type.ts'
import { sendPage } from '../../http/send-page.ts'
import { anyVisitorShell, chosenAccountId } from '../requests/visitor.ts'
import { Fields } from '../shared/forms/settings-form.ts'
import { narrowedTo, requireOwnAccount } from '../shared/page/account-of-page.ts'
import { homePage } from './home-page.ts'
import { type Home, readHome } from './home-service.ts'

/** What visitors see who are not signed in. */
const NOTHING: Home = {
  parties: [],
  apps: [],
  requestsToDecide: 0,
  invitations: 0,
  ownRequests: [],
}

/** The start page; open to everybody. */
export async function homeRoutes(app: App) {
  app.get('/', { schema: { hide: true, querystring: Fields } }, async (request, reply) => {
    const { visitor } = request
    const chosenId = chosenAccountId(request)
    const { parties, apps, requestsToDecide, invitations, ownRequests } =
      visitor === null ? NOTHING : await readHome(app.deps, visitor.id, chosenId)
    const named = request.query.get('partyId')?.trim()
    if (visitor !== null) requireOwnAccount(parties, named)
    return sendPage(
      reply,
      homePage({
        ...anyVisitorShell(request, reply),
        parties,
        partyId: narrowedTo(parties, named, chosenId),
        apps,
        requestsToDecide,
        invitations,
        ownRequests,
        baseUrl: app.deps.config.publicUrl,
      }),
    )
  })
}
