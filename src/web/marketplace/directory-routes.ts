import { AppPath } from '../../base/values/app-path.ts'
import type { App } from '../../http/app-type.ts'
import { sendDocument } from '../../http/bodies/send-document.ts'
import { sendPage } from '../../http/send-page.ts'
import { anyVisitorShell, chosenAccountId } from '../requests/visitor.ts'
import { filterReader } from '../shared/forms/filter-reading.ts'
import { Fields } from '../shared/forms/settings-form.ts'
import { requireOwnAccount } from '../shared/page/account-of-page.ts'
import { accountShown } from './account-on-listing.ts'
import type { Directory } from './app-card.ts'
import { directoryPage } from './directory-page.ts'
import {
  readAskedSettings,
  readDirectory,
  readListing,
  readVisibleTerms,
} from './directory-service.ts'
import { listingPage } from './listing-page.ts'

const FILTERS = { q: 'Search', partyType: 'Offered to' }
const POSITION_MAX_LENGTH = 64

const NOTHING_FOUND: Directory = {
  apps: [],
  next: undefined,
  installed: new Set(),
  refused: new Map(),
  fits: undefined,
  others: 0,
}

/** The directory of apps and the listing of each; open to everybody. */
export async function directoryRoutes(app: App) {
  app.get('/Apps', { schema: { hide: true, querystring: Fields } }, async (request, reply) => {
    const reader = filterReader(request.query, FILTERS)
    const isPosition = (text: string) => text.length <= POSITION_MAX_LENGTH
    const named = reader.oneOf('partyType', ['Buyer', 'Seller'])
    const search = {
      q: reader.text('q') ?? '',
      partyType: request.query.has('partyType') ? named : null,
      after: reader.fitting('after', isPosition, 'the id of an app'),
    }
    const { problems } = reader
    const { publicUrl } = app.deps.config
    const shell = { ...anyVisitorShell(request, reply), publicUrl, search, problems }
    if (problems.length > 0) {
      return sendPage(reply.code(422), directoryPage({ ...shell, ...NOTHING_FOUND }))
    }
    const visitor = request.page.visitor && {
      userId: request.page.visitor.id,
      partyId: chosenAccountId(request),
    }
    const directory = await readDirectory(app.deps, visitor ?? undefined, search)
    return sendPage(reply, directoryPage({ ...shell, ...directory }))
  })

  app.get(
    '/Apps/:appId',
    { schema: { hide: true, params: AppPath, querystring: Fields } },
    async (request, reply) => {
      const listing = await readListing(app.deps, request.page.visitor?.id, request.params.appId)
      const named = request.query.get('partyId')?.trim()
      if (request.page.visitor !== null) requireOwnAccount(listing.accounts, named)
      const chosenId = chosenAccountId(request)
      const account = accountShown(listing.accounts, Number(named), chosenId)
      const hasChosen = chosenId !== undefined
      const { publicUrl } = app.deps.config
      const shell = { ...anyVisitorShell(request, reply), publicUrl }
      const asked =
        listing.options.length > 1 ? await readAskedSettings(app.deps, listing.app) : undefined
      const input = { ...shell, ...listing, account, hasChosen, asked }
      return sendPage(reply, listingPage(input))
    },
  )

  app.get(
    '/Apps/:appId/Terms',
    { schema: { hide: true, params: AppPath } },
    async (request, reply) => {
      const { appId } = request.params
      return sendDocument(reply, await readVisibleTerms(app.deps, request.page.visitor?.id, appId))
    },
  )

  app.get(
    '/Apps/:appId/Terms/Pdf',
    { schema: { hide: true, params: AppPath } },
    async (request, reply) => {
      const userId = request.page.visitor?.id
      const { appId } = request.params
      return sendDocument(reply, await readVisibleTerms(app.deps, userId, appId, 'pdf'))
    },
  )
}
