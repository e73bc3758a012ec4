import { z } from 'zod'
import { appIdFilter } from '../../../base/values/app-path.ts'
import { AnyInstallationPath, partyFilter } from '../../../base/values/operator-paths.ts'
import { UuidText } from '../../../base/values/shapes.ts'
import type { App } from '../../../http/app-type.ts'
import { answerPage } from '../../../http/paged-list.ts'
import { PageQuery } from '../../../http/pagination.ts'
import { statusFilter } from '../installation.ts'
import { OperatorInstallation } from './operator-installation.ts'
import { listAllInstallations, readAnyInstallation } from './operator-installations-service.ts'

/** The operator's view of the installations. */
export async function operatorInstallationRoutes(app: App) {
  app.get(
    '/v1/Operator/Installations',
    {
      schema: {
        operationId: 'listAllInstallations',
        tags: ['Operator'],
        summary: 'List all installations',
        description: 'Oldest first. Without settings, which concern the account and the developer.',
        querystring: z.strictObject({
          appId: appIdFilter,
          developerId: UuidText.optional().describe('Only of apps of this developer.'),
          partyId: partyFilter('Only of this party.'),
          status: statusFilter,
          ...PageQuery,
        }),
        response: { 200: z.array(OperatorInstallation) },
      },
    },
    (request, reply) =>
      answerPage(request, reply, ['all installations'], (page) =>
        listAllInstallations(app.deps, request.query, page),
      ),
  )

  app.get(
    '/v1/Operator/Installations/:id',
    {
      schema: {
        operationId: 'readAnyInstallation',
        tags: ['Operator'],
        summary: 'Read an installation',
        description: 'Uninstalled ones included. No settings.',
        params: AnyInstallationPath,
        response: { 200: OperatorInstallation },
      },
    },
    (request) => readAnyInstallation(app.deps, request.params.id),
  )
}
