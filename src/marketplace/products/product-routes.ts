import { finished } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { chooseCoding } from '../../base/compression/content-coding.ts'
import { createEncoder } from '../../base/compression/flushed-stream.ts'
import { createBound } from '../../base/fair-share/bound.ts'
import { matchingTag } from '../../base/values/etags.ts'
import { AppError } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { LINE_TYPES, type LineType, preferredLines, sendLines } from '../../http/bodies/ndjson.ts'
import { sendJson } from '../../http/bodies/send-json.ts'
import { noteRecords } from '../../http/observability/request-state.ts'
import { limitOf, PageQuery } from '../../http/pagination.ts'
import { NOT_MODIFIED } from '../../http/problem.ts'
import { setRevision } from '../../http/revision-etag.ts'
import { validatorOfKnownQueries } from '../../http/validation.ts'
import { checkAgain, installationPrincipalOf } from '../../identity/guards/audience.ts'
import { exportProducts } from './export/export-service.ts'
import { type AnswerPage, createPageAnswers, type PageAnswer } from './pages/page-answers.ts'
import { createProductPages, readProduct } from './pages/product-pages-service.ts'
import { ProductFilters, parseProductQuery } from './pages/product-query.ts'
import { ListedProduct, Product, ProductPath } from './product.ts'
import { PRODUCT_HEADERS, PRODUCT_VARY } from './product-headers.ts'

const ProductsQuery = z.strictObject({ ...ProductFilters, ...PageQuery })

/**
 * How many exports of one installation one process runs at once: each holds memory and a socket.
 */
const EXPORTS_MAX = 4
const EXPORT_RETRY_AFTER_SECONDS = 10

/** Data endpoints that read products; they need the permission `products:read`. */
export async function productRoutes(app: App) {
  const { config, cursorKeys, measures } = app.deps
  const pages = createProductPages(app.deps, config.pageCacheBytes, measures.pages)
  const answerPage = createPageAnswers(pages, { cursorKeys, publicUrl: config.publicUrl })
  const sendExport = createExports(app)

  app.get(
    '/v1/Products',
    {
      config: { permission: 'products:read' },
      validatorCompiler: validatorOfKnownQueries,
      schema: {
        operationId: 'listProducts',
        tags: ['Products'],
        summary: 'List products',
        description:
          'Needs `products:read`. A Seller sees its own products, a Buyer those of the ' +
          'Sellers it is connected with, a sandbox its own. Send the `ETag` of a page back ' +
          'in `If-None-Match`: while nothing has changed, the answer is 304. ' +
          'With `Accept: application/x-ndjson` everything that matches comes in one answer, ' +
          'one product per line; if the connection drops, discard the answer. With `Accept: ' +
          'text/csv` they come as a table whose first row names the columns. `POST ' +
          '/v1/Products/Import` takes both as they are. An installation has at most 4 of ' +
          'these at once. One takes an hour at most and ends within about a second, without the ' +
          'rest, when its token is revoked or its installation suspended. A client that takes ' +
          'nothing for 40 s is cut off. With ' +
          '`Accept-Encoding: gzip` or `br` it is compressed on the way.',
        querystring: ProductsQuery,
        produces: ['application/json', ...LINE_TYPES],
        lineExamples: {
          'application/x-ndjson':
            '{"id":101,"brand":"Wahl","partNumber":"8110","inStock":12,"shortDescription":null,' +
            '"msrp":59.99,"mapPrice":null,"upc":null}\n',
          'text/csv':
            'id,brand,partNumber,inStock,shortDescription,msrp,mapPrice,upc\r\n' +
            '101,"Wahl","8110",12,,59.99,,\r\n',
        },
        response: {
          200: z.array(ListedProduct),
          304: z.undefined().describe('Nothing changed since the page with this ETag.'),
        },
      },
    },
    (request, reply) => {
      const lineType = preferredLines(request)
      if (lineType !== undefined) return sendExport(request, reply, lineType)
      const { limit, cursor, ...filters } = request.query
      const { url, headers } = request
      const viewer = installationPrincipalOf(request)
      const asked = { viewer, filters, limit: limitOf({ limit }), cursor, url, headers }
      return sendAnswer(reply, answerPage(asked))
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
          'Needs `products:read`. Send the `ETag` back in `If-None-Match`: while the product ' +
          'has not changed, the answer is 304. Send it in `If-Match` with a ' +
          'change, so that you do not overwrite what you have not seen.',
        params: ProductPath,
        response: { 200: Product, ...NOT_MODIFIED },
      },
    },
    async (request, reply) => {
      const viewer = installationPrincipalOf(request)
      const { json, revision } = await readProduct(app.deps, viewer, Number(request.params.id))
      reply.headers(PRODUCT_HEADERS)
      setRevision(reply, revision)
      const condition = request.headers['if-none-match']
      if (condition !== undefined && matchingTag(condition, [`"${revision}"`]) !== undefined) {
        return (reply as FastifyReply).code(304).send()
      }
      noteRecords(request, 1)
      return sendJson(reply, json)
    },
  )
}

/** Sends a page at once when it is in memory, otherwise when it was read and compressed. */
function sendAnswer(
  reply: FastifyReply,
  answer: ReturnType<AnswerPage>,
): Promise<void> | undefined {
  const send = ({ status, headers, body, count }: PageAnswer) => {
    noteRecords(reply.request, count)
    reply.code(status).headers(headers).send(body)
  }
  if (answer instanceof Promise) return answer.then(send)
  send(answer)
  return undefined
}

/** Answers with every product that matches, one per line. */
function createExports(app: App) {
  const exports = createBound<string>({ each: EXPORTS_MAX })
  return (request: FastifyRequest, reply: FastifyReply, type: LineType): undefined => {
    const viewer = installationPrincipalOf(request)
    const { limit, cursor, ...filters } = request.query as z.infer<typeof ProductsQuery>
    if (limit !== undefined || cursor !== undefined) throw wholeExport()
    const query = parseProductQuery(filters)
    const coding = chooseCoding(request.headers['accept-encoding'])
    const giveBack = exports.take(viewer.installationId)
    if (giveBack === undefined) throw tooManyExports()
    finished(reply.raw, giveBack)
    reply.header('vary', PRODUCT_VARY)
    const form = type === 'text/csv' ? 'csv' : 'json'
    const lines = exportProducts(app.deps, {
      viewer,
      query,
      form,
      checkAgain: () => checkAgain(request),
      onCount: (count) => noteRecords(request, count),
    })
    sendLines(reply, lines, type, coding && { coding, encoder: createEncoder(coding) })
    return undefined
  }
}

function wholeExport(): AppError {
  return new AppError('invalid_request', {
    detail: 'An export contains everything that matches: leave out limit and cursor.',
  })
}

function tooManyExports(): AppError {
  return new AppError('too_many_requests', {
    detail: `An installation may have ${EXPORTS_MAX} exports at once. Wait until one has ended.`,
    retryAfterSeconds: EXPORT_RETRY_AFTER_SECONDS,
  })
}
