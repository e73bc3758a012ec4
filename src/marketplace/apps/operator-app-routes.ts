import { z } from 'zod'
import { AppIdPath, searchText, suspendedFilter } from '../../base/values/operator-paths.ts'
import { UuidText } from '../../base/values/shapes.ts'
import type { App } from '../../http/app-type.ts'
import { answerPage } from '../../http/paged-list.ts'
import { PageQuery } from '../../http/pagination.ts'
import { OperatorApp } from './operator-app.ts'
import { listAllApps, readAnyApp } from './operator-apps-service.ts'

/** The operator's view of the apps. */
export async function operatorAppRoutes(app: App) {
  app.get(
    '/v1/Operator/Apps',
    {
      schema: {
        operationId: 'listAllApps',
        tags: ['Operator'],
        summary: 'List all apps',
        description: 'In the order of their ids, listed or not.',
        querystring: z.strictObject({
          q: searchText('id or name'),
          developerId: UuidText.optional().describe('Only of this developer.'),
          suspended: suspendedFilter,
          ...PageQuery,
        }),
        response: { 200: z.array(OperatorApp) },
      },
    },
    (request, reply) =>
      answerPage(request, reply, ['all apps'], (page) =>
        listAllApps(app.deps, request.query, page),
      ),
  )

  app.get(
    '/v1/Operator/Apps/:id',
    {
      schema: {
        operationId: 'readAnyApp',
        tags: ['Operator'],
        summary: 'Read an app',
        description: 'Listed or not, suspended or not.',
        params: AppIdPath,
        response: { 200: OperatorApp },
      },
    },
    (request) => readAnyApp(app.deps, request.params.id),
  )
}
