import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { AppPath } from '../../../base/values/app-path.ts'
import { AppError } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { sendKnownDocument } from '../../../http/bodies/send-document.ts'
import { readWholeBody } from '../../../http/bodies/whole-body.ts'
import { NOT_MODIFIED } from '../../../http/problem.ts'
import { registerScope } from '../../../http/register-scope.ts'
import { expectedTags } from '../../../http/revision-etag.ts'
import { validatorOfAllButBodies } from '../../../http/validation.ts'
import { developerActor } from '../../../identity/guards/actor.ts'
import { developerOf } from '../../../identity/guards/audience.ts'
import { TermsDocument } from '../app-record.ts'
import { VersionText } from '../definition.ts'
import { VISIBLE_TO_ALL } from '../visibility/visible-apps-service.ts'
import { latestTerms } from './read-terms-service.ts'
import { TERMS_MAX_BYTES, TERMS_MEDIA_TYPES, TermsContent, termsMediaType } from './terms.ts'
import { putTermsPdf, removeTermsPdf } from './terms-pdf-service.ts'
import { putTerms, removeTerms } from './terms-service.ts'

const NewVersion = z.strictObject({
  version: VersionText.optional()
    .describe('Publish the change with this new version.')
    .meta({ parameter: 'NewVersion' }),
})

const PATH = '/v1/Developer/Apps/:appId/TermsDocument'
/** The form of the ETag of a document. */
const SHA256 = /^[0-9a-f]{64}$/
const PDF = 'application/pdf'
const tags = ['Apps']
const files = Object.keys(TERMS_MEDIA_TYPES)

/** The terms document of a developer's own app. */
export async function developerTermsRoutes(app: App) {
  await registerScope(app, uploadRoute)

  app.get(
    PATH,
    {
      schema: {
        operationId: 'readOwnTermsDocument',
        tags,
        summary: 'Read the terms document of your app',
        description:
          'The terms document of the latest version. The response is a file to be saved.',
        produces: files,
        answerHeaders: ['Content-Disposition'],
        params: AppPath,
        response: { 200: TermsContent, ...NOT_MODIFIED },
      },
    },
    async (request, reply) => {
      const { developerId } = developerOf(request)
      const terms = await latestTerms(app.deps, request.params.appId, { developerId })
      return sendKnownDocument(request, reply, terms)
    },
  )

  app.delete(
    PATH,
    {
      schema: {
        operationId: 'deleteTermsDocument',
        tags,
        summary: 'Remove the terms document',
        description:
          'A version that has been installed keeps its terms; then name a new `version`, ' +
          'which is published without them and is otherwise the same.',
        params: AppPath,
        querystring: NewVersion,
        response: { 204: z.null() },
        problems: ['version_required', 'version_used', 'precondition_failed'],
      },
    },
    async (request, reply) => {
      const { appId } = request.params
      const { version } = request.query
      const expected = expectedTags(request, SHA256)
      await removeTerms(app.deps, developerActor(request), { appId, version, expected })
      return reply.code(204).send(null)
    },
  )
}

/** A PDF beside the terms of a developer's own app. */
export async function developerTermsPdfRoutes(app: App) {
  await registerScope(app, uploadPdfRoute)

  app.get(
    `${PATH}/Pdf`,
    {
      schema: {
        operationId: 'readOwnTermsPdf',
        tags,
        summary: 'Read the PDF beside the terms of your app',
        description: 'Of the latest version. The response is a file to be saved.',
        produces: [PDF],
        answerHeaders: ['Content-Disposition'],
        params: AppPath,
        response: { 200: TermsContent, ...NOT_MODIFIED },
      },
    },
    async (request, reply) => {
      const { developerId } = developerOf(request)
      const { appId } = request.params
      return sendKnownDocument(
        request,
        reply,
        await latestTerms(app.deps, appId, { developerId }, 'pdf'),
      )
    },
  )

  app.delete(
    `${PATH}/Pdf`,
    {
      schema: {
        operationId: 'deleteTermsPdf',
        tags,
        summary: 'Remove the PDF beside the terms',
        description: 'The text stays. 409 `conflict` once an account has accepted the text.',
        params: AppPath,
        response: { 204: z.null() },
        problems: ['conflict', 'precondition_failed'],
      },
    },
    async (request, reply) => {
      const { appId } = request.params
      const expected = expectedTags(request, SHA256)
      await removeTermsPdf(app.deps, developerActor(request), { appId, expected })
      return reply.code(204).send(null)
    },
  )
}

async function uploadPdfRoute(app: App) {
  acceptDocuments(app)

  app.put(
    `${PATH}/Pdf`,
    {
      bodyLimit: TERMS_MAX_BYTES,
      schema: {
        operationId: 'replaceTermsPdf',
        tags,
        summary: 'Attach a PDF beside the terms',
        description:
          'A download for people who want to keep one; what accounts accept is the text. The ' +
          'body is the PDF itself, at most 5 MiB. The terms must be text. They keep their PDF ' +
          'in later versions, until the text is replaced. 409 `conflict` when an account has ' +
          'accepted the text and another PDF is beside it.',
        consumes: [PDF],
        body: TermsContent,
        params: AppPath,
        response: { 200: TermsDocument },
        problems: ['conflict', 'unprocessable', 'precondition_failed'],
      },
    },
    (request) => {
      if (termsMediaType(request.headers['content-type']) !== PDF) {
        throw new AppError('unsupported_media_type', { detail: `The Content-Type must be ${PDF}.` })
      }
      return putTermsPdf(app.deps, developerActor(request), {
        appId: request.params.appId,
        content: request.body as Buffer,
        expected: expectedTags(request, SHA256),
      })
    },
  )
}

/** In this scope every body is a document. */
async function uploadRoute(app: App) {
  acceptDocuments(app)

  app.put(
    PATH,
    {
      bodyLimit: TERMS_MAX_BYTES,
      schema: {
        operationId: 'replaceTermsDocument',
        tags,
        summary: 'Attach a terms document',
        description:
          'The body is the document itself: `application/pdf`, `text/plain` or ' +
          '`text/markdown` in UTF-8, at most 5 MiB. A version that has been installed keeps ' +
          'its terms; then name a new `version`, which is published with them and is ' +
          'otherwise the same. Sending the same document again changes nothing.',
        consumes: files,
        body: TermsContent,
        params: AppPath,
        querystring: NewVersion,
        response: { 200: TermsDocument },
        problems: ['version_required', 'version_used', 'unprocessable', 'precondition_failed'],
      },
    },
    (request) => {
      const mediaType = termsMediaType(request.headers['content-type'])
      if (mediaType === undefined) {
        const detail = `The Content-Type must be ${files.join(' or ')}, in UTF-8.`
        throw new AppError('unsupported_media_type', { detail })
      }
      const content = request.body as Buffer
      return putTerms(app.deps, developerActor(request), {
        appId: request.params.appId,
        mediaType,
        content,
        version: request.query.version,
        expected: expectedTags(request, SHA256),
      })
    },
  )
}

/** The terms document of an app that everybody finds. */
export async function publicTermsRoutes(app: App) {
  app.get(
    '/v1/Apps/:appId/TermsDocument',
    {
      config: { anyOrigin: true },
      schema: {
        operationId: 'readTermsDocument',
        tags: ['Catalogue'],
        summary: 'Read the terms document of an app',
        description:
          'The document that an account accepts when it installs the app. The response is a file to be saved.',
        produces: files,
        answerHeaders: ['Content-Disposition'],
        params: AppPath,
        response: { 200: TermsContent, ...NOT_MODIFIED },
      },
    },
    async (request, reply) => {
      const terms = await latestTerms(app.deps, request.params.appId, VISIBLE_TO_ALL)
      return sendKnownDocument(request, reply, terms)
    },
  )

  app.get(
    '/v1/Apps/:appId/TermsDocument/Pdf',
    {
      config: { anyOrigin: true },
      schema: {
        operationId: 'readTermsPdf',
        tags: ['Catalogue'],
        summary: 'Read the PDF beside the terms of an app',
        description:
          'What accounts accept is the text; this is a file to be saved. 404 where there is none.',
        produces: [PDF],
        answerHeaders: ['Content-Disposition'],
        params: AppPath,
        response: { 200: TermsContent, ...NOT_MODIFIED },
      },
    },
    async (request, reply) => {
      const file = await latestTerms(app.deps, request.params.appId, VISIBLE_TO_ALL, 'pdf')
      return sendKnownDocument(request, reply, file)
    },
  )
}

/**
 * In this scope every body is a document, and each route decides which documents it takes. The
 * body's schema is for the OpenAPI document only: the validator would walk through every byte.
 */
function acceptDocuments(app: FastifyInstance): void {
  app.setValidatorCompiler(validatorOfAllButBodies)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', readWholeBody)
}
