import { AppPath } from '../../../base/values/app-path.ts'
import { AppError } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { formTargetsOf } from '../../../http/send-page.ts'
import { takeSandboxUser } from '../../../identity/accounts/own-developer/sandbox-user-service.ts'
import { developerActor } from '../../../identity/guards/actor.ts'
import { developerOf } from '../../../identity/guards/audience.ts'
import { ownSite } from '../../../marketplace/apps/own-site.ts'
import { readOwnApp } from '../../../marketplace/apps/read-apps-service.ts'
import { listInstallations } from '../../../marketplace/installations/developer-installations-service.ts'
import { parseRedirectRequest } from '../../redirect/redirect-request.ts'
import { followRedirect } from '../../redirect/redirect-service.ts'
import { formPage } from '../../requests/form-page.ts'
import { rememberSandboxVisit } from '../../requests/sandbox-visit.ts'
import { type Refusal, refusalOf } from '../../shared/forms/refusal.ts'
import { openInSandboxForm } from './open-page.ts'

/** The redirect, as it is for users, for the test user of a developer's sandbox. */
export async function openInSandboxRoutes(app: App) {
  const { deps } = app

  formPage(app, {
    path: '/Developer/Apps/:appId/Sandbox/Open',
    params: AppPath,
    place: { console: 'developer', section: 'own-apps' },
    refused: openRefusal,
    async page(request, _, _reply, { appId }) {
      const { developerId } = developerOf(request)
      const { app: own } = await readOwnApp(deps, developerId, appId)
      const ways = [own.authReturnUrl, ownSite(own)].filter((way) => way !== null)
      const formTargets = [...new Set(ways.flatMap(formTargetsOf))]
      return {
        ...openInSandboxForm(own, await inSandbox(developerId, own.id)),
        send: { formTargets },
      }
    },
    async submit(request, _, { appId }, reply) {
      const author = developerActor(request)
      const { app: own } = await readOwnApp(deps, author.developerId, appId)
      const { partyId, ...person } = await takeSandboxUser(deps, author)
      const site = ownSite(own)
      if (site !== null) {
        // The app begins, as it does for its users, and comes back with a request for a code.
        if ((await inSandbox(author.developerId, own.id)) === undefined) {
          throw new AppError('not_found')
        }
        rememberSandboxVisit(reply, own.id).redirect(site, 303)
        return undefined
      }
      const wanted = parseRedirectRequest(own.id, { partyId: String(partyId) })
      const step = await followRedirect(deps, person, wanted)
      if (step.kind !== 'redirect') throw new Error('one account needs no choice')
      reply
        .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
        .redirect(step.location, 303)
      return undefined
    },
  })

  /** The live installation of an app in the sandbox of its developer. */
  async function inSandbox(developerId: string, appId: string) {
    const { entries } = await listInstallations(
      deps,
      developerId,
      { appId, partyType: 'None' },
      { after: undefined, limit: 1 },
    )
    return entries[0]
  }
}

/** What users are told of an app that they do not have is nothing that a developer can do. */
function openRefusal(error: unknown): Refusal {
  const codes = ['not_found', 'unprocessable', 'installation_suspended'] as const
  const { problems } = refusalOf(error, codes, ({ code, message }) => [
    {
      field: undefined,
      text: code === 'not_found' ? 'The app is not in your sandbox. Install it there.' : message,
    },
  ])
  return { problems, status: 422 }
}
