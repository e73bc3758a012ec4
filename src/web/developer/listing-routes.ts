import { AppPath } from '../../base/values/app-path.ts'
import type { App } from '../../http/app-type.ts'
import { developerActor } from '../../identity/guards/actor.ts'
import { developerOf } from '../../identity/guards/audience.ts'
import { readOwnApp } from '../../marketplace/apps/read-apps-service.ts'
import { setListed } from '../../marketplace/apps/visibility/visibility-service.ts'
import { formPage } from '../requests/form-page.ts'
import { refusalOf } from '../shared/forms/refusal.ts'
import { APP_NOTICES, ownAppPath } from './console-frame.ts'
import { listingQuestion, missingProblems } from './listing-question-page.ts'

/** Lists an app, after a page that says what happens and what the app still lacks. */
export async function listingRoutes(app: App) {
  const { deps } = app

  formPage(app, {
    path: '/Developer/Apps/:appId/List',
    params: AppPath,
    place: { console: 'developer', section: 'own-apps' },
    refused: (error) =>
      refusalOf(error, ['unprocessable'], ({ options }) => missingProblems(options.errors ?? [])),
    async page(request, _, reply, { appId }) {
      const { app: own } = await readOwnApp(deps, developerOf(request).developerId, appId)
      if (!own.listed) return listingQuestion(own)
      reply.redirect(ownAppPath(own.id), 303)
      return undefined
    },
    async submit(request, _, { appId }) {
      const { app: own } = await setListed(deps, developerActor(request), appId, true)
      return { path: ownAppPath(appId), text: APP_NOTICES.listed(own.name) }
    },
  })
}
