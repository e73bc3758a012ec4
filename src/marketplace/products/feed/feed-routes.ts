import { z } from 'zod'
import { cursorsFor } from '../../../base/values/cursors.ts'
import { nextLink } from '../../../base/values/page-of-list.ts'
import type { App } from '../../../http/app-type.ts'
import { sendJson } from '../../../http/bodies/send-json.ts'
import { noteRecords } from '../../../http/observability/request-state.ts'
import { limitOf, PageQuery } from '../../../http/pagination.ts'
import { installationPrincipalOf } from '../../../identity/guards/audience.ts'
import { Product } from '../product.ts'
import { feedOf, positionOf } from './feed.ts'
import { keepPosition, PLACES_MAX, recallPosition } from './feed-position-service.ts'
import { readChanges } from './feed-service.ts'

const ProductChange = z
  .object({
    type: z
      .enum(['upsert', 'delete'])
      .describe('`upsert`: it was created or changed; `delete`: it is gone.')
      .meta({ example: 'upsert' }),
    id: z.int().describe('Id of the product.').meta({ example: 101 }),
    product: Product.optional().describe('How it is now; only of an `upsert`.'),
  })
  .meta({ id: 'ProductChange', description: 'A product that was changed or deleted.' })

/** The change feed; it needs the permission `products:read`. */
export async function productFeedRoutes(app: App) {
  const { config, cursorKeys } = app.deps

  app.get(
    '/v1/Products/Changes',
    {
      config: { permission: 'products:read' },
      schema: {
        operationId: 'listProductChanges',
        tags: ['Products'],
        summary: 'Follow the changes of the products',
        description:
          'Needs `products:read`. Without a cursor all products come, as upserts. Every ' +
          'answer, also an empty one, has a `Link` with `rel="next"`: request ' +
          'that address later to get what has changed since. Changes of one ' +
          'Seller come in the order in which they took effect, and none is skipped; of a ' +
          'product that changed several times you may get only the last state. A Buyer ' +
          'gets all products of a Seller after a new connection; when a connection ends, ' +
          'the answers no longer have the products of that Seller, and report no deletions ' +
          'of them. Deletions are kept for 30 days; an older cursor is answered with 410 ' +
          `\`cursor_expired\`, and so is one that ${PLACES_MAX.toLocaleString('en')} ` +
          'others followed where there are more than about fifty Sellers, and every cursor ' +
          'from before the marketplace was restored from a backup. Ignore deletions of ' +
          'products that you do not have.',
        querystring: z.strictObject(PageQuery),
        response: { 200: z.array(ProductChange) },
        problems: ['cursor_expired'],
      },
    },
    async (request, reply) => {
      const viewer = installationPrincipalOf(request)
      const cursors = cursorsFor(cursorKeys, ['product changes', viewer.installationId])
      const { cursor } = request.query
      const told = cursor === undefined ? [] : cursors.decode(cursor)
      const position = feedOf(await recallPosition(app.deps, viewer.installationId, told))
      const changes = await readChanges(app.deps, viewer, position, limitOf(request.query))
      const { json, count, next } = changes
      const place = await keepPosition(app.deps, viewer.installationId, positionOf(next))
      reply.headers({
        'cache-control': 'private, no-store',
        link: nextLink(config.publicUrl, request.url, { cursor: cursors.encode(place) }),
      })
      noteRecords(request, count)
      return sendJson(reply, json)
    },
  )
}
