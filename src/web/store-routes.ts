import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppPath } from '../apps/app-record.ts'
import { termsFileName } from '../apps/terms.ts'
import type { App } from '../http/app-type.ts'
import { sendDocument, sendPage } from '../http/pages.ts'
import { anyVisitorShell, chosenAccountId } from '../http/visitor.ts'
import { directoryPage } from './directory-page.ts'
import { accountShown } from './listing.ts'
import { listingPage } from './listing-page.ts'
import { readDirectory, readListing, readVisibleTerms } from './storefront-service.ts'

/** Addresses are typed and shared: what makes no sense in them is passed over. */
const lenient = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined)

const DirectoryQuery = z.object({
  q: lenient(z.string().max(200)),
  partyType: lenient(z.enum(['Buyer', 'Seller'])),
  after: lenient(z.string().max(64)),
})

const ListingQuery = z.object({ partyId: lenient(z.string().max(16)) })

/** The directory of apps and the listing of each; open to everybody. */
export async function storeRoutes(app: App, { assetVersion }: { assetVersion: string }) {
  const shellOf = (request: FastifyRequest, reply: FastifyReply) => ({
    ...anyVisitorShell(request, reply),
    assetVersion,
  })

  app.get(
    '/Apps',
    { schema: { hide: true, querystring: DirectoryQuery } },
    async (request, reply) => {
      const { q = '', partyType, after } = request.query
      const search = { q: q.trim(), partyType, after }
      const visitor = request.visitor && {
        userId: request.visitor.id,
        partyId: chosenAccountId(request),
      }
      const directory = await readDirectory(app.deps, visitor ?? undefined, search)
      return sendPage(reply, directoryPage({ ...shellOf(request, reply), search, ...directory }))
    },
  )

  app.get(
    '/Apps/:appId',
    { schema: { hide: true, params: AppPath, querystring: ListingQuery } },
    async (request, reply) => {
      const listing = await readListing(app.deps, request.visitor?.id, request.params.appId)
      const chosenId = chosenAccountId(request)
      const account = accountShown(listing.accounts, Number(request.query.partyId), chosenId)
      const hasChosen = chosenId !== undefined
      const input = { ...shellOf(request, reply), ...listing, account, hasChosen }
      return sendPage(reply, listingPage(input))
    },
  )

  app.get(
    '/Apps/:appId/Terms',
    { schema: { hide: true, params: AppPath } },
    async (request, reply) => {
      const { appId } = request.params
      const document = await readVisibleTerms(app.deps, request.visitor?.id, appId)
      const { sha256, mediaType, content } = document
      const fileName = termsFileName(appId, sha256, mediaType)
      return sendDocument(reply, { fileName, mediaType, content })
    },
  )
}
