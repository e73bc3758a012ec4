import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../../http/app-type.ts'
import { noteRecords } from '../../http/observability/request-state.ts'
import { expectedRevisions, setRevision } from '../../http/revision-etag.ts'
import { installationActor } from '../../identity/guards/actor.ts'
import { installationPrincipalOf } from '../../identity/guards/audience.ts'
import { upsertBatch } from './batch-service.ts'
import { Product, ProductPath } from './product.ts'
import { BATCH_MAX_ROWS, BatchResult } from './product-batch.ts'
import { ProductInput, ProductPatch, RecordWarnings } from './product-checks.ts'
import { deleteProduct, patchProduct, upsertProduct } from './write-service.ts'

const tags = ['Products']
const config = { permission: 'products:write' }
const NEEDS =
  'Needs `products:write`. Sellers and sandboxes change their own products; Buyers have none.'
const GUARDED =
  '`If-Match` with the ETag of the product keeps you from overwriting the change of somebody else.'

const WrittenProduct = Product.extend({ warnings: RecordWarnings }).meta({
  id: 'WrittenProduct',
  description: 'A product as it was written, and what looks wrong in it.',
  example: {
    ...(Product.meta()?.example as object),
    upc: '043917795165',
    warnings: [{ pointer: '/upc', detail: 'has a wrong check digit' }],
  },
})

const authorOf = (request: FastifyRequest) => ({
  viewer: installationPrincipalOf(request),
  actor: installationActor(request),
})

/** Changes of an account's own products; they need the permission `products:write`. */
export async function productWriteRoutes(app: App) {
  app.post(
    '/v1/Products',
    {
      config,
      schema: {
        operationId: 'upsertProduct',
        tags,
        summary: 'Create or replace a product',
        description:
          `${NEEDS} The product with this brand and part number is replaced as a whole: ` +
          'optional fields that are left out become null. 201 when it was created, 200 ' +
          'when it existed.',
        body: ProductInput,
        response: {
          200: WrittenProduct,
          201: WrittenProduct,
        },
        answerHeaders: ['ETag', 'Location'],
        problems: ['seller_required'],
      },
    },
    async (request, reply) => {
      const { product, revision, created } = await upsertProduct(
        app.deps,
        authorOf(request),
        request.body,
      )
      setRevision(reply, revision)
      noteRecords(request, 1)
      if (created) reply.code(201).header('location', `/v1/Products/${product.id}`)
      return product
    },
  )

  app.post(
    '/v1/Products/Batch',
    {
      config,
      schema: {
        operationId: 'upsertProducts',
        tags,
        summary: 'Create or replace up to 1,000 products',
        description:
          `${NEEDS} Each record is as for \`POST /v1/Products\`. Good records are written ` +
          'together, in one transaction; bad ones are refused: look at the status of each ' +
          'result. For more records use `POST /v1/Products/Import`.',
        body: z
          .array(z.unknown().meta({ documentedAs: ProductInput }))
          .min(1)
          .max(BATCH_MAX_ROWS)
          .meta({ example: [{ brand: 'Wahl', partNumber: '79520-500', inStock: 49 }] }),
        response: { 200: z.array(BatchResult) },
        problems: ['seller_required'],
      },
    },
    async (request) => {
      const { viewer, actor } = authorOf(request)
      const results = await upsertBatch(app.deps, viewer, request.body, actor)
      noteRecords(request, results.filter(({ status }) => status !== 'refused').length)
      return results
    },
  )

  app.patch(
    '/v1/Products/:id',
    {
      config,
      schema: {
        operationId: 'changeProduct',
        tags,
        summary: 'Change fields of a product',
        description: `${NEEDS} A merge patch: fields that are left out stay; null clears an optional one. ${GUARDED}`,
        params: ProductPath,
        body: ProductPatch,
        response: { 200: WrittenProduct },
        answerHeaders: ['ETag'],
        problems: ['seller_required', 'already_exists', 'precondition_failed'],
      },
    },
    async (request, reply) => {
      const { product, revision } = await patchProduct(
        app.deps,
        authorOf(request),
        Number(request.params.id),
        request.body,
        expectedRevisions(request),
      )
      setRevision(reply, revision)
      noteRecords(request, 1)
      return product
    },
  )

  app.delete(
    '/v1/Products/:id',
    {
      config,
      schema: {
        operationId: 'deleteProduct',
        tags,
        summary: 'Delete a product',
        description: `${NEEDS} ${GUARDED}`,
        params: ProductPath,
        response: { 204: z.null() },
        problems: ['seller_required', 'precondition_failed'],
      },
    },
    async (request, reply) => {
      const id = Number(request.params.id)
      await deleteProduct(app.deps, authorOf(request), id, expectedRevisions(request))
      noteRecords(request, 1)
      return reply.code(204).send(null)
    },
  )
}
