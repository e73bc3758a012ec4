import { AppPath } from '../../base/values/app-path.ts'
import type { App } from '../../http/app-type.ts'
import { sendDocument } from '../../http/bodies/send-document.ts'
import { sendPage } from '../../http/send-page.ts'
import { anyVisitorShell, chosenAccountId } from '../requests/visitor.ts'
import { filterReader } from '../shared/forms/filter-reading.ts'
import { Fields } from '../shared/forms/settings-form.ts'
import { requireOwnAccount } from '../shared/page/account-of-page.ts'
import { accountShown } from './account-on-listing.ts'
import { directoryPage } from './directory-page.ts'
import { readDirectory, readListing, readVisibleTerms } from './directory-service.ts'
import { listingPage } from './listing-page.ts'

const FILTERS = { q: 'Search', partyType: 'Offered to' }
const POSITION_MAX_LENGTH = 64

/** The directory of apps and the listing of each; open to everybody. */
export async function directoryRoutes(app: App) {
  app.get('/Apps', { schema: { hide: true, querystring: Fields } }, async (request, reply) => {
    const reader = filterReader(request.query, FILTERS)
    const isPosition = (text: string) => text.length <= POSITION_MAX_LENGTH
    const search = {
      q: reader.text('q') ?? '',
      partyType: reader.oneOf('partyType', ['Buyer', 'Seller']),
      after: reader.fitting('after', isPosition, 'the id of an app'),
    }
    const { problems } = reader
    if (problems.length > 0) {
      reply.code(422)
      const nothing = {
        apps: [],
        next: undefined,
        installed: new Set<string>(),
        refused: new Map(),
      }
      const shell = { ...anyVisitorShell(request, reply), search, problems }
      return sendPage(reply, directoryPage({ ...shell, ...nothing }))
    }
    const visitor = request.visitor && {
      userId: request.visitor.id,
      partyId: chosenAccountId(request),
    }
    const directory = await readDirectory(app.deps, visitor ?? undefined, search)
    return sendPage(
      reply,
      directoryPage({ ...anyVisitorShell(request, reply), search, problems, ...directory }),
    )
  })

  app.get(
    '/Apps/:appId',
    { schema: { hide: true, params: AppPath, querystring: Fields } },
    async (request, reply) => {
      const listing = await readListing(app.deps, request.visitor?.id, request.params.appId)
      const named = request.query.get('partyId')?.trim()
      if (request.visitor !== null) requireOwnAccount(listing.accounts, named)
      const chosenId = chosenAccountId(request)
      const account = accountShown(listing.accounts, Number(named), chosenId)
      const hasChosen = chosenId !== undefined
      const input = { ...anyVisitorShell(request, reply), ...listing, account, hasChosen }
      return sendPage(reply, listingPage(input))
    },
  )

  app.get(
    '/Apps/:appId/Terms',
    { schema: { hide: true, params: AppPath } },
    async (request, reply) => {
      const { appId } = request.params
      return sendDocument(reply, await readVisibleTerms(app.deps, request.visitor?.id, appId))
    },
  )
}
