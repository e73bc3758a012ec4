import { z } from 'zod'
import { AppPath } from '../../../base/values/app-path.ts'
import type { App } from '../../../http/app-type.ts'
import { answerPage } from '../../../http/paged-list.ts'
import { PageQuery } from '../../../http/pagination.ts'
import { setRevision } from '../../../http/revision-etag.ts'
import { developerOf } from '../../../identity/guards/audience.ts'
import { fewAtOnce } from '../../../identity/guards/few-at-once.ts'
import { AppVersion, DefinitionChanges, DefinitionRecord } from '../app-record.ts'
import { VersionText } from '../definition.ts'
import { readOwnDefinition } from '../read-apps-service.ts'
import { compareVersions, listVersions, readVersion } from './read-versions-service.ts'

const VersionPath = AppPath.extend({
  version: z
    .string()
    .max(64)
    .describe('A version of the app.')
    .meta({ example: '1.4.0', parameter: 'Version' }),
})
const ComparisonQuery = z.strictObject({
  from: VersionText.describe('The version to compare with.').meta({ example: '1.3.0' }),
})

const tags = ['Apps']

/** What a developer reads of the definitions of its own apps. */
export async function appVersionRoutes(app: App) {
  app.get(
    '/v1/Developer/Apps/:appId/Definition',
    {
      schema: {
        operationId: 'readAppDefinition',
        tags,
        summary: 'Read the definition of an app',
        description:
          'In the shape that `PUT /v1/Developer/Apps/{appId}` takes: change it and send it back, with the ETag as `If-Match`.',
        params: AppPath,
        response: { 200: DefinitionRecord },
        answerHeaders: ['ETag'],
      },
    },
    async (request, reply) => {
      const { developerId } = developerOf(request)
      const own = await readOwnDefinition(app.deps, developerId, request.params.appId)
      setRevision(reply, own.revision)
      return own.definition
    },
  )

  app.get(
    '/v1/Developer/Apps/:appId/Versions',
    {
      onRequest: fewAtOnce,
      schema: {
        operationId: 'listAppVersions',
        tags,
        summary: 'List the versions of an app',
        description: 'Newest first, each with what changed from the version before.',
        params: AppPath,
        querystring: z.strictObject(PageQuery),
        response: { 200: z.array(AppVersion) },
      },
    },
    (request, reply) => {
      const { developerId } = developerOf(request)
      const { appId } = request.params
      return answerPage(request, reply, ['versions', developerId, appId], (page) =>
        listVersions(app.deps, developerId, appId, page),
      )
    },
  )

  app.get(
    '/v1/Developer/Apps/:appId/Versions/:version',
    {
      onRequest: fewAtOnce,
      schema: {
        operationId: 'readAppVersion',
        tags,
        summary: 'Read one version of an app',
        description: 'As the list of versions has it, with what changed from the version before.',
        params: VersionPath,
        response: { 200: AppVersion },
      },
    },
    (request) => {
      const { developerId } = developerOf(request)
      return readVersion(app.deps, developerId, request.params)
    },
  )

  app.get(
    '/v1/Developer/Apps/:appId/Versions/:version/Changes',
    {
      onRequest: fewAtOnce,
      schema: {
        operationId: 'readAppVersionChanges',
        tags,
        summary: 'Compare two versions of an app',
        description: 'What is different in the version of the path from the version `from`.',
        params: VersionPath,
        querystring: ComparisonQuery,
        response: { 200: DefinitionChanges },
      },
    },
    async (request) => {
      const { developerId } = developerOf(request)
      const { appId, version: to } = request.params
      const { from } = request.query
      const changes = await compareVersions(app.deps, developerId, appId, { from, to })
      return { changes, breaking: changes.some((change) => change.breaking) }
    },
  )
}
