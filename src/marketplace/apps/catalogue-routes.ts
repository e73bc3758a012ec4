import { hash } from 'node:crypto'
import { z } from 'zod'
import { AppPath } from '../../base/values/app-path.ts'
import { pageOfFixed } from '../../base/values/keyset.ts'
import { OfferedPartyType } from '../../base/values/party-type.ts'
import type { App } from '../../http/app-type.ts'
import { sendBytes } from '../../http/bodies/send-json.ts'
import { tagContent } from '../../http/content-etag.ts'
import { answerPage } from '../../http/paged-list.ts'
import { PageQuery } from '../../http/pagination.ts'
import { NOT_MODIFIED } from '../../http/problem.ts'
import { PublicApp } from './app-record.ts'
import { joinApps, listCatalogue, quoteOption, readCatalogueApp } from './catalogue-service.ts'
import { PERMISSIONS, Permission } from './permissions.ts'
import { Quote, QuoteQuery } from './pricing/quotes.ts'

const CatalogueQuery = z.strictObject({
  partyType: OfferedPartyType.optional().describe('Only apps offered to this type of party.'),
  q: z
    .string()
    .max(200)
    .optional()
    .describe(
      'Only apps with all these words (the first ten count) in name, description or id; one or two characters are looked for where words begin.',
    )
    .meta({ example: 'price' }),
  ...PageQuery,
})

const OptionPath = AppPath.extend({
  purchaseOptionId: z
    .string()
    .max(64)
    .describe('Id of a purchase option of the app.')
    .meta({ example: 'premium' }),
})

const tags = ['Catalogue']
const config = { anyOrigin: true }

/** The public catalogue: listed apps, what they cost and what permissions there are. */
export async function catalogueRoutes(app: App) {
  tagContent(app)

  app.get(
    '/v1/Apps',
    {
      config,
      schema: {
        operationId: 'listApps',
        tags,
        summary: 'List the apps of the catalogue',
        description: 'Listed apps, with the definition that new installations get.',
        querystring: CatalogueQuery,
        response: { 200: z.array(PublicApp), ...NOT_MODIFIED },
      },
    },
    async (request, reply) => {
      const apps = await answerPage(request, reply, ['catalogue'], (page) =>
        listCatalogue(app.deps, request.query, page),
      )
      const { json, sha256 } = await joinApps(app.deps, apps)
      // A page with the same entries leads on once more come after it.
      const tag = hash('sha256', `${sha256} ${reply.getHeader('link') ?? ''}`, 'base64url')
      return sendBytes(reply.header('etag', `"${tag}"`), json)
    },
  )

  app.get(
    '/v1/Apps/:appId',
    {
      config,
      schema: {
        operationId: 'readApp',
        tags,
        summary: 'Read an app of the catalogue',
        description:
          'The definition that new installations get. A draft and a private app get 404, like an unknown one.',
        params: AppPath,
        response: { 200: PublicApp, ...NOT_MODIFIED },
      },
    },
    async (request, reply) => {
      const { json, sha256 } = await readCatalogueApp(app.deps, request.params.appId)
      return sendBytes(reply.header('etag', `"${sha256}"`), json)
    },
  )

  app.get(
    '/v1/Apps/:appId/PurchaseOptions/:purchaseOptionId/Quote',
    {
      config,
      schema: {
        operationId: 'quotePurchaseOption',
        tags,
        summary: 'Quote a purchase option for a number of products',
        description:
          'What the option costs an account that has so many products, with the arithmetic in words.',
        params: OptionPath,
        querystring: QuoteQuery,
        response: { 200: Quote, ...NOT_MODIFIED },
      },
    },
    ({ params, query }) =>
      quoteOption(app.deps, params.appId, params.purchaseOptionId, query.records),
  )

  app.get(
    '/v1/Permissions',
    {
      config,
      schema: {
        operationId: 'listPermissions',
        tags,
        summary: 'List all permissions',
        description:
          'What apps can ask for: the id of each permission, what it opens, and how users read it.',
        querystring: z.strictObject(PageQuery),
        response: { 200: z.array(Permission), ...NOT_MODIFIED },
      },
    },
    (request, reply) =>
      answerPage(request, reply, ['permissions'], async (page) => pageOfFixed(PERMISSIONS, page)),
  )
}
