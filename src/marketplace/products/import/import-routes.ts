import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { UuidText } from '../../../base/values/shapes.ts'
import { AppError } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { codingOf } from '../../../http/bodies/body-coding.ts'
import { readLongBody } from '../../../http/bodies/long-body.ts'
import { noteRecords } from '../../../http/observability/request-state.ts'
import { answerPage } from '../../../http/paged-list.ts'
import { PageQuery } from '../../../http/pagination.ts'
import { registerScope } from '../../../http/register-scope.ts'
import { installationActor } from '../../../identity/guards/actor.ts'
import { checkAgain, installationPrincipalOf } from '../../../identity/guards/audience.ts'
import { ownCatalogue } from '../write-service.ts'
import { gunzip } from './gunzip.ts'
import {
  IMPORT_RECORD_DAYS,
  ImportRecord,
  ImportResult,
  REFUSED_ROWS_MAX,
} from './import-record.ts'
import { listImports, readImport } from './import-record-service.ts'
import { IMPORT_FORMATS, type ImportFormat } from './import-rows.ts'
import { importProducts } from './import-service.ts'

const tags = ['Products']
const config = { permission: 'products:write' }

const ImportPath = z.object({ importId: UuidText.describe('Id of the import.') })

/** For the OpenAPI document only: the body is a stream. */
const ImportFile = z.any().describe('The file itself.').meta({ type: 'string', format: 'binary' })

/** Imports of whole files; they need the permission `products:write`. */
export async function productImportRoutes(app: App) {
  app.get(
    '/v1/Products/Imports',
    {
      config,
      schema: {
        operationId: 'listImports',
        tags,
        summary: 'List the imports of the account',
        description: `Needs \`products:write\`. Newest first. Imports are listed for ${IMPORT_RECORD_DAYS} days.`,
        querystring: z.strictObject(PageQuery),
        response: { 200: z.array(ImportRecord) },
      },
    },
    (request, reply) => {
      const viewer = installationPrincipalOf(request)
      return answerPage(request, reply, ['imports', viewer.installationId], (page) =>
        listImports(app.deps, viewer.partyId, page),
      )
    },
  )

  app.get(
    '/v1/Products/Imports/:importId',
    {
      config,
      schema: {
        operationId: 'readImport',
        tags,
        summary: 'Get import progress',
        description: 'Needs `products:write`.',
        params: ImportPath,
        response: { 200: ImportRecord },
      },
    },
    (request) =>
      readImport(app.deps, installationPrincipalOf(request).partyId, request.params.importId),
  )

  await registerScope(app, uploadRoute)
}

async function uploadRoute(app: App) {
  // In this scope a body is a stream that the import reads.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(Object.keys(IMPORT_FORMATS), (_request, _payload, done) => done(null))

  app.post(
    '/v1/Products/Import',
    {
      config: { ...config, codings: ['gzip'], readsPieces: true },
      schema: {
        operationId: 'importProducts',
        tags,
        summary: 'Import a file of products',
        description:
          'Needs `products:write`. The body is CSV in UTF-8 whose first row names the ' +
          'columns (`brand`, `partNumber`, `inStock`, and any of the others, ' +
          'in any order; columns without a name and rows of empty cells are passed over), or ' +
          'NDJSON with a record per line; `Content-Encoding: ' +
          'gzip` is supported, up to 200 times the length when decompressed. An export of ' +
          '`GET /v1/Products` is taken as it is: `id` may be there and must then be ' +
          "that of the account's product with this brand and part number. Each record as " +
          'for `POST /v1/Products`, and each brand and part number once. Everything takes ' +
          'effect at once, at the end. Rows with problems refuse the whole file with 422, ' +
          'or are left out with `onError=skip`. A file that hides where its rows end ' +
          '(a quote that is not closed, a line over 1 MiB) ' +
          `or has more than ${REFUSED_ROWS_MAX.toLocaleString('en')} rows with problems or ` +
          '10,000 empty lines is not read on and always refused. To watch ' +
          'a long import, choose its `importId` and read ' +
          '`GET /v1/Products/Imports/{importId}` meanwhile. An account has one import at ' +
          'a time (409 `import_running`, with the `importId` of the other), and a developer 8 ' +
          'on each server process (503). An upload may take an hour, at 1 MiB or more ' +
          'in each minute.',
        consumes: Object.keys(IMPORT_FORMATS),
        body: ImportFile,
        bodyExamples: {
          'text/csv': 'brand,partNumber,inStock,upc\nWahl,79520-500,49,043917795164\n',
          'application/x-ndjson': '{"brand":"Wahl","partNumber":"79520-500","inStock":49}\n',
        },
        querystring: z.strictObject({
          onError: z
            .enum(['refuse', 'skip'])
            .optional()
            .describe('What to do when rows have problems. Default: `refuse`.'),
          importId: UuidText.optional().describe('Id of the import; a new one by default.'),
        }),
        response: { 200: ImportResult },
        answerHeaders: ['Location'],
        problems: [
          'seller_required',
          'request_timeout',
          'already_exists',
          'import_running',
          'import_refused',
        ],
      },
    },
    async (request, reply) => {
      const viewer = installationPrincipalOf(request)
      const partyId = ownCatalogue(viewer)
      const importId = request.query.importId ?? randomUUID()
      const format = formatOf(request)
      const source = sourceOf(request)
      const nameRecord = () => reply.header('location', `/v1/Products/Imports/${importId}`)
      const importing = importProducts(app.deps, {
        importId,
        partyId,
        installationId: viewer.installationId,
        format,
        onError: request.query.onError ?? 'refuse',
        source,
        actor: installationActor(request),
        checkAgain: () => checkAgain(request),
      })
      const result = await importing.catch((error: unknown) => {
        // The record of a refused file tells its warnings, too.
        if (error instanceof AppError && error.code === 'import_refused') nameRecord()
        throw error
      })
      nameRecord()
      noteRecords(request, result.rowsRead - result.rowsRefused)
      return result
    },
  )
}

/** @throws AppError unsupported_media_type for other types and charsets */
function formatOf({ headers }: FastifyRequest): ImportFormat {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';')
  const charset = parameters.map((text) => text.trim()).find((text) => text.startsWith('charset='))
  if (
    !Object.hasOwn(IMPORT_FORMATS, type.trim()) ||
    !/^(charset="?utf-?8"?)?$/.test(charset ?? '')
  ) {
    throw new AppError('unsupported_media_type', {
      detail: `Send ${Object.keys(IMPORT_FORMATS).join(' or ')} in UTF-8.`,
    })
  }
  return type.trim() as ImportFormat
}

function sourceOf(request: FastifyRequest): AsyncIterable<Uint8Array> {
  const body = readLongBody(request)
  return codingOf(request) === 'gzip' ? gunzip(body) : body
}
