import { AppPath } from '../../base/values/app-path.ts'
import type { App } from '../../http/app-type.ts'
import { sendPage } from '../../http/send-page.ts'
import { developerActor } from '../../identity/guards/actor.ts'
import { developerOf } from '../../identity/guards/audience.ts'
import { setListed } from '../../marketplace/apps/listing-service.ts'
import { readOwnApp } from '../../marketplace/apps/read-apps-service.ts'
import { readAttempt, redirectDone, refuse } from '../requests/answers.ts'
import { visitorShell } from '../requests/visitor.ts'
import { refusalOf } from '../shared/forms/refusal.ts'
import { Fields } from '../shared/forms/settings-form.ts'
import { APP_NOTICES, ownAppPath } from './console-frame.ts'
import { listingQuestionPage, missingProblems } from './listing-question-page.ts'

const LIST = '/Developer/Apps/:appId/List'

/** Lists an app, after a page that says what happens and what the app still lacks. */
export async function listingRoutes(app: App) {
  const { deps } = app
  const getSchema = { hide: true, params: AppPath, querystring: Fields }

  app.get(LIST, { schema: getSchema }, async (request, reply) => {
    const { developerId } = developerOf(request)
    const { app: own } = await readOwnApp(deps, developerId, request.params.appId)
    if (own.listed) return reply.redirect(ownAppPath(own.id), 303)
    const { problems = [] } = readAttempt(request, reply) ?? {}
    const shell = visitorShell(request, reply)
    return sendPage(reply, listingQuestionPage({ ...shell, app: own, problems }))
  })

  app.post(LIST, { schema: { hide: true, params: AppPath } }, async (request, reply) => {
    const { appId } = request.params
    try {
      const { app: own } = await setListed(deps, developerActor(request), appId, true)
      return await redirectDone(request, reply, ownAppPath(appId), APP_NOTICES.listed(own.name))
    } catch (error) {
      const refusal = refusalOf(error, ['unprocessable'], ({ options }) =>
        missingProblems(options.errors ?? []),
      )
      return refuse(request, reply, refusal)
    }
  })
}
