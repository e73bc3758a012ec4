import { AnyInstallationPath } from '../../base/values/operator-paths.ts'
import type { App } from '../../http/app-type.ts'
import { developerOf, userOf } from '../../identity/guards/audience.ts'
import { InstallationPath } from '../installations/installation.ts'
import { ofUser } from '../installations/stored-installation-service.ts'
import { readUsage } from './read-usage-service.ts'
import { InstallationUsage, USAGE_KEPT_DAYS, UsageQuery } from './usage.ts'

const ABOUT =
  'Requests, products and refusals by day and permission, and when each permission was used last. ' +
  'Each server process counts in memory and writes once a minute: the last minute is not in it, and ' +
  `of a server that is killed never will be. At most ${USAGE_KEPT_DAYS} days, which is how long ` +
  'they are kept.'

const summary = 'Read how an installation is used'
const shown = { querystring: UsageQuery, response: { 200: InstallationUsage } }

/** How the installations of a user's accounts are used. */
export async function accountUsageRoutes(app: App) {
  app.get(
    '/v1/Account/Installations/:installationId/Usage',
    {
      schema: {
        operationId: 'readAccountInstallationUsage',
        tags: ['Accounts'],
        summary,
        description: ABOUT,
        params: InstallationPath,
        ...shown,
      },
    },
    (request) => {
      const { installationId } = request.params
      return readUsage(app.deps, installationId, ofUser(userOf(request).userId), request.query)
    },
  )
}

/** How the installations of a developer's apps are used. */
export async function developerUsageRoutes(app: App) {
  app.get(
    '/v1/Developer/Installations/:installationId/Usage',
    {
      schema: {
        operationId: 'readInstallationUsage',
        tags: ['Installations'],
        summary,
        description: ABOUT,
        params: InstallationPath,
        ...shown,
      },
    },
    (request) => {
      const { developerId } = developerOf(request)
      return readUsage(app.deps, request.params.installationId, { developerId }, request.query)
    },
  )
}

/** How any installation is used. */
export async function operatorUsageRoutes(app: App) {
  app.get(
    '/v1/Operator/Installations/:id/Usage',
    {
      schema: {
        operationId: 'readAnyInstallationUsage',
        tags: ['Operator'],
        summary,
        description: ABOUT,
        params: AnyInstallationPath,
        ...shown,
      },
    },
    (request) => readUsage(app.deps, request.params.id, {}, request.query),
  )
}
