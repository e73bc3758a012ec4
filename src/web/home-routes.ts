import type { App } from '../http/app-type.ts'
import { sendPage } from '../http/pages.ts'
import { anyVisitorShell, chosenAccountId } from '../http/visitor.ts'
import { narrowedTo } from './account-choice.ts'
import { homePage } from './home-page.ts'
import { readHome } from './home-service.ts'
import { Fields } from './settings-form.ts'

/** The start page; open to everybody. */
export async function homeRoutes(app: App, { assetVersion }: { assetVersion: string }) {
  app.get('/', { schema: { hide: true, querystring: Fields } }, async (request, reply) => {
    const { visitor } = request
    const { parties, apps } =
      visitor === null ? { parties: [], apps: [] } : await readHome(app.deps, visitor.id)
    return sendPage(
      reply,
      homePage({
        ...anyVisitorShell(request, reply),
        parties,
        partyId: narrowedTo(parties, request.query.get('partyId'), chosenAccountId(request)),
        apps,
        baseUrl: app.deps.config.publicUrl,
        assetVersion,
      }),
    )
  })
}
