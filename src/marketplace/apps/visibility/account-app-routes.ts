import { AppPath } from '../../../base/values/app-path.ts'
import type { App } from '../../../http/app-type.ts'
import { userActor } from '../../../identity/guards/actor.ts'
import { userOf } from '../../../identity/guards/audience.ts'
import { appOf, PublicApp, publicAppOf } from '../app-record.ts'
import { findApp } from '../read-apps-service.ts'
import { useInstallLink } from './install-links-service.ts'
import { InstallLinkUse } from './visibility.ts'
import { visibleTo } from './visible-apps-service.ts'

const tags = ['Accounts']

/** Apps that not everybody finds, for the users of the accounts that find them. */
export async function accountAppRoutes(app: App) {
  app.get(
    '/v1/Account/Apps/:appId',
    {
      schema: {
        operationId: 'readAccountApp',
        tags,
        summary: 'Read an app that one of your accounts finds',
        description:
          'As `GET /v1/Apps/{appId}`, and also private apps that are for one of your accounts.',
        params: AppPath,
        response: { 200: PublicApp },
      },
    },
    (request) => readFor(userOf(request).userId, request.params.appId),
  )

  app.post(
    '/v1/Account/InstallLinks',
    {
      schema: {
        operationId: 'acceptInstallLink',
        tags,
        summary: 'Use an install link',
        description:
          'One of your accounts finds the private app of the link from now on, and an admin can ' +
          'install it. An account that finds it already uses nothing up.',
        body: InstallLinkUse,
        response: { 200: PublicApp },
        problems: ['invalid_link', 'not_found'],
      },
    },
    async (request) => {
      const author = userActor(request)
      return readFor(author.userId, await useInstallLink(app.deps, author, request.body))
    },
  )

  async function readFor(userId: string, appId: string): Promise<PublicApp> {
    const { definition, facts } = await findApp(app.deps.db, appId, visibleTo(userId))
    return publicAppOf(appOf(definition, facts))
  }
}
