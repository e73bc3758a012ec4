import { finished } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { CODINGS, chooseCoding } from '../compression/content-coding.ts'
import { createEncoder } from '../compression/flushed-stream.ts'
import { createPlaces } from '../concurrency/places.ts'
import { AppError } from '../errors.ts'
import type { App } from '../http/app-type.ts'
import { NDJSON_TYPE, sendLines, wantsLines } from '../http/bodies/ndjson.ts'
import { installationOf } from '../http/guards/audience.ts'
import { cursorsFor, limitOf, nextLink, PageQuery } from '../http/pagination.ts'
import { NOT_MODIFIED, problems } from '../http/problem.ts'
import { matchingTag, setRevision } from '../http/revision-etag.ts'
import { createByteCache } from '../values/byte-cache.ts'
import { exportProducts } from './export/export-service.ts'
import { createProductPages, type ProductPage, readProduct } from './pages/product-pages-service.ts'
import { ProductFilters, parseProductQuery, productQueryKey } from './pages/product-query.ts'
import { Product, ProductPath } from './product.ts'

const ProductsQuery = z.strictObject({ ...ProductFilters, ...PageQuery })

/** Exports of one installation under way at once in one process: each holds memory and a socket. */
const EXPORTS_MAX = 4
const EXPORT_RETRY_AFTER_SECONDS = 10

const LINK_CACHE_BYTES = 4 * 1024 * 1024
const JSON_TYPE = 'application/json; charset=utf-8'

/** Data endpoints that read products; they need the permission `products:read`. */
export async function productRoutes(app: App) {
  const { pool, config, cursorKey } = app.deps
  const pages = createProductPages(pool, config.pageCacheBytes)
  const links = createLinks()
  const exports = createPlaces<string>(EXPORTS_MAX)

  app.get(
    '/v1/Products',
    {
      config: { permission: 'products:read' },
      schema: {
        operationId: 'listProducts',
        tags: ['Products'],
        summary: 'List products',
        description:
          'Needs `products:read`. A Seller sees its own products, a Buyer those of the Sellers it is connected with, a sandbox its own. Send the `ETag` of a page back in `If-None-Match`: as long as nothing changed the answer is 304 without a body. With `Accept: application/x-ndjson` everything that matches comes in one answer, one product per line; an answer that is cut off is not whole. An installation has at most 4 of these at once, and who takes nothing of one for a minute is cut off. With `Accept-Encoding: gzip` or `br` it is compressed on the way.',
        querystring: ProductsQuery,
        produces: ['application/json', NDJSON_TYPE],
        response: {
          200: z.array(Product),
          304: z.undefined().describe('Nothing changed since the page with this ETag.'),
          ...problems(401, 403),
        },
      },
    },
    (request, reply) => {
      const viewer = installationOf(request)
      const { limit, cursor, ...filters } = request.query
      const query = parseProductQuery(filters)
      if (wantsLines(request)) {
        if (limit !== undefined || cursor !== undefined) throw wholeExport()
        const coding = chooseCoding(request.headers['accept-encoding'])
        const giveBack = exports.take(viewer.installationId)
        if (giveBack === undefined) throw tooManyExports()
        finished(reply.raw, giveBack)
        reply.header('vary', VARY)
        sendLines(
          reply,
          exportProducts(app.deps, viewer, query),
          coding && { coding, encoder: createEncoder(coding) },
        )
        return undefined
      }
      const cursors = () =>
        cursorsFor(cursorKey, ['products', viewer.installationId, productQueryKey(query)])
      const after = cursor === undefined ? 0 : Number(cursors().decode(cursor)[0])
      const question = { query, after, limit: limitOf({ limit }) }

      reply.headers(PAGE_HEADERS)
      const name = pages.nameOf(viewer, question)
      const condition = request.headers['if-none-match']
      if (condition !== undefined) {
        const match = matchingTag(condition, tagsOf(pages.tagOf(name)))
        if (match !== undefined) {
          reply.code(304).header('etag', match).send(undefined)
          return undefined
        }
      }
      const newLink = (next: number) =>
        nextLink(config.publicUrl, request.url, cursors().encode([next]))
      const knownLink = (next: number) =>
        links.of(`${viewer.installationId}|${next}|${request.url}`, () => newLink(next))
      const send = (page: ProductPage, linkTo: (next: number) => string) => {
        if (page.next !== undefined) reply.header('link', linkTo(page.next))
        return sendPage(request, reply, page, pages.encoded)
      }
      // From memory without a promise: waiting for one takes longer than all the rest here.
      const known = pages.known(name)
      return known
        ? send(known, knownLink)
        : pages.read(name, viewer, question).then((page) => send(page, newLink))
    },
  )

  app.get(
    '/v1/Products/:id',
    {
      config: { permission: 'products:read' },
      schema: {
        operationId: 'readProduct',
        tags: ['Products'],
        summary: 'Read one product',
        description:
          'Needs `products:read`. Send the `ETag` back in `If-None-Match`: as long as the product did not change the answer is 304 without a body; in `If-Match` of a change it guards against overwriting what you have not seen.',
        params: ProductPath,
        response: { 200: Product, ...NOT_MODIFIED, ...problems(401, 403, 404) },
      },
    },
    async (request, reply) => {
      const viewer = installationOf(request)
      const { json, revision } = await readProduct(app.deps, viewer, Number(request.params.id))
      reply.headers(PAGE_HEADERS)
      setRevision(reply, revision)
      const condition = request.headers['if-none-match']
      if (condition !== undefined && matchingTag(condition, [`"${revision}"`]) !== undefined) {
        return reply.code(304).send(null)
      }
      return (reply as FastifyReply).type(JSON_TYPE).serializer(asItIs).send(json)
    },
  )
}

function wholeExport(): AppError {
  return new AppError('invalid_request', {
    detail: 'An export is everything that matches: leave out limit and cursor.',
  })
}

function tooManyExports(): AppError {
  return new AppError('too_many_requests', {
    detail: `An installation may have ${EXPORTS_MAX} exports at once. Wait for the end of one.`,
    retryAfterSeconds: EXPORT_RETRY_AFTER_SECONDS,
  })
}

const VARY = 'Origin, Accept, Accept-Encoding, Authorization'
/** The answer belongs to one principal, and is asked after before each use. */
const PAGE_HEADERS = { 'cache-control': 'private, no-cache', vary: VARY }

/** Links of pages in memory: one takes longer to make than the rest of such an answer. */
function createLinks() {
  const known = createByteCache<string>(LINK_CACHE_BYTES)
  return {
    of(key: string, make: () => string): string {
      const found = known.get(key)
      if (found !== undefined) return found
      const link = make()
      known.set(key, link, link.length * 2)
      return link
    },
  }
}

const asItIs = (json: unknown) => json as string

/** The ETags of a page: each coding is a representation of its own (RFC 9110, 8.8.3.3). */
function tagsOf(tag: string): string[] {
  return [`"${tag}"`, ...CODINGS.map((coding) => `"${tag}-${coding}"`)]
}

/** Answers a page: at once, or when it is compressed. */
function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: ProductPage,
  encodedOf: ReturnType<typeof createProductPages>['encoded'],
): Promise<void> | undefined {
  const coding = chooseCoding(request.headers['accept-encoding'])
  const encoding = coding === undefined ? undefined : encodedOf(page, coding)
  if (coding === undefined || encoding === undefined) {
    reply.headers({ 'content-type': JSON_TYPE, etag: `"${page.tag}"` }).send(page.body)
    return undefined
  }
  return encoding.then((encoded) => {
    reply
      .headers({
        'content-type': JSON_TYPE,
        'content-encoding': coding,
        etag: `"${page.tag}-${coding}"`,
      })
      .send(encoded)
  })
}
