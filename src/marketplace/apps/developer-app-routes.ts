import { z } from 'zod'
import { AppPath } from '../../base/values/app-path.ts'
import { trueOrFalse } from '../../base/values/shapes.ts'
import type { App } from '../../http/app-type.ts'
import { answerPage } from '../../http/paged-list.ts'
import { PageQuery } from '../../http/pagination.ts'
import { expectedRevisions, setRevision } from '../../http/revision-etag.ts'
import { bodyCheckedBy } from '../../http/validation.ts'
import { developerActor } from '../../identity/guards/actor.ts'
import { developerOf } from '../../identity/guards/audience.ts'
import { fewAtOnce } from '../../identity/guards/few-at-once.ts'
import { AppOrChanges, AppRecord, DefinitionChanges } from './app-record.ts'
import { checkDefinitionInTicks } from './check-definition.ts'
import { AppDefinition, requireSameId } from './definition.ts'
import { deleteApp } from './delete-app-service.ts'
import { createApp, previewChanges, previewCreation, replaceApp } from './publish-service.ts'
import { listOwnApps, readOwnApp } from './read-apps-service.ts'

const DryRunQuery = z.strictObject({
  dryRun: trueOrFalse
    .optional()
    .describe('`true`: return what would change, and change nothing.')
    .meta({ parameter: 'DryRun' }),
})

const tags = ['Apps']
/** The options of routes that take a whole definition. */
const DEFINITION = { onRequest: fewAtOnce, ...bodyCheckedBy(checkDefinitionInTicks) }

/** What a developer does with its own apps. */
export async function developerAppRoutes(app: App) {
  app.post(
    '/v1/Developer/Apps',
    {
      ...DEFINITION,
      schema: {
        operationId: 'createApp',
        tags,
        summary: 'Create an app',
        description:
          'Publishes the first version. The app is not listed yet. `?dryRun=true` checks the ' +
          'definition, and whether its id and name are free, and stores nothing; the answer ' +
          'is then as for a dry run of `PUT`, without changes.',
        querystring: DryRunQuery,
        body: AppDefinition,
        response: {
          200: DefinitionChanges,
          201: AppRecord,
        },
        answerHeaders: ['ETag', 'Location'],
        problems: ['already_exists'],
      },
    },
    async (request, reply) => {
      if (request.query.dryRun) return previewCreation(app.deps, request.body)
      const created = await createApp(app.deps, developerActor(request), request.body)
      setRevision(reply, created.revision)
      reply.code(201).header('location', `/v1/Developer/Apps/${created.app.id}`)
      return created.app
    },
  )

  app.get(
    '/v1/Developer/Apps',
    {
      schema: {
        operationId: 'listOwnApps',
        tags,
        summary: 'List your apps',
        description: 'In the order of their ids, listed or not.',
        querystring: z.strictObject(PageQuery),
        response: { 200: z.array(AppRecord) },
      },
    },
    (request, reply) => {
      const { developerId } = developerOf(request)
      return answerPage(request, reply, ['own apps', developerId], (page) =>
        listOwnApps(app.deps, developerId, page),
      )
    },
  )

  app.get(
    '/v1/Developer/Apps/:appId',
    {
      schema: {
        operationId: 'readOwnApp',
        tags,
        summary: 'Read one of your apps',
        description:
          'The app as it is now. Its `ETag` guards a `PUT` against changes of somebody else.',
        params: AppPath,
        response: { 200: AppRecord },
        answerHeaders: ['ETag'],
      },
    },
    async (request, reply) => {
      const { developerId } = developerOf(request)
      const { app: record, revision } = await readOwnApp(
        app.deps,
        developerId,
        request.params.appId,
      )
      setRevision(reply, revision)
      return record
    },
  )

  app.put(
    '/v1/Developer/Apps/:appId',
    {
      ...DEFINITION,
      schema: {
        operationId: 'replaceApp',
        tags,
        summary: 'Replace the definition of an app',
        description:
          'Takes the whole definition. An unchanged `version` allows only changes that break ' +
          'no installation; other changes get `version_required` with the list of what would ' +
          'break. A new version string publishes a new version. `If-Match` with the ETag of ' +
          'the app keeps you from overwriting the change of somebody else. `?dryRun=true` ' +
          'answers the changes (`DefinitionChanges`) and stores nothing.',
        params: AppPath,
        querystring: DryRunQuery,
        body: AppDefinition,
        response: { 200: AppOrChanges },
        answerHeaders: ['ETag'],
        problems: ['already_exists', 'version_required', 'version_used', 'precondition_failed'],
      },
    },
    async (request, reply) => {
      const author = developerActor(request)
      requireSameId(request.params.appId, request.body.id)
      const expected = expectedRevisions(request)
      if (request.query.dryRun) {
        return previewChanges(app.deps, author, request.body, expected)
      }
      const replaced = await replaceApp(app.deps, author, request.body, expected)
      setRevision(reply, replaced.revision)
      return replaced.app
    },
  )

  app.delete(
    '/v1/Developer/Apps/:appId',
    {
      schema: {
        operationId: 'deleteApp',
        tags,
        summary: 'Delete an app',
        description: 'Refused while the app is installed. The id is never used again.',
        params: AppPath,
        response: { 204: z.null() },
        problems: ['app_in_use', 'precondition_failed'],
      },
    },
    async (request, reply) => {
      const { appId } = request.params
      await deleteApp(app.deps, developerActor(request), appId, expectedRevisions(request))
      return reply.code(204).send(null)
    },
  )
}
