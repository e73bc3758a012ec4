import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { formTargetsOf, sendPage } from '../../http/send-page.ts'
import { readSession } from '../../identity/auth/user-session-service.ts'
import { keepState, keptState } from '../requests/long-state.ts'
import { csrfToken, sessionCookie } from '../requests/pages.ts'
import { forgetSandboxVisit, sandboxVisitor } from '../requests/sandbox-visit.ts'
import { type ReadVisitor, visitorOfUser } from '../requests/visitor-type.ts'
import { partyChooserPage } from './party-chooser-page.ts'
import {
  hasLongState,
  lostState,
  parseRedirectRequest,
  type RedirectRequest,
  redirectFields,
  redirectPath,
} from './redirect-request.ts'
import { followRedirect } from './redirect-service.ts'
import { sandboxUserFor } from './sandbox-visit-user-service.ts'

const RedirectPath = z.object({ appId: z.string() })

/** `readDeveloper` tells which developer a session cookie opens the console for. */
type RedirectOptions = { readDeveloper: ReadVisitor }

/**
 * The redirect sends a signed-in user's browser to an app, with a token or a code. A developer who
 * opened an app in the sandbox is sent as the test user of the sandbox.
 */
export async function redirectRoutes(app: App, { readDeveloper }: RedirectOptions) {
  const path = '/Apps/Authenticate/:appId'
  const schema = { hide: true, params: RedirectPath }
  app.addHook('onRequest', async function admitNavigation(request) {
    return refuseAllButNavigation(request)
  })

  app.get(path, { exposeHeadRoute: false, schema }, (request, reply) =>
    answer(request, reply, parseRedirectRequest(request.params.appId, request.query)),
  )

  app.post(path, { schema }, (request, reply) =>
    answer(request, reply, parseRedirectRequest(request.params.appId, request.body)),
  )

  async function answer(request: FastifyRequest, reply: FastifyReply, asked: RedirectRequest) {
    const wanted = withState(request, asked)
    const appId = wanted.appId.toLowerCase()
    const developer = wanted.code && (await sandboxVisitor(request, appId, readDeveloper))
    const session =
      (await sandboxUserFor(app.deps, developer, appId)) ??
      (await readSession(app.deps, sessionCookie(request)))
    // This comes first, so that a stranger learns nothing about apps and client ids.
    if (session === undefined) {
      const next = redirectPath(carried(reply, wanted))
      return reply.redirect(`/login?next=${encodeURIComponent(next)}`, 303)
    }
    const step = await followRedirect(app.deps, session, wanted)
    if (step.kind === 'redirect') {
      forgetSandboxVisit(request, reply)
      return reply
        .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
        .redirect(step.location, 303)
    }
    const shown = carried(reply, wanted)
    return sendPage(
      reply,
      partyChooserPage({
        csrfToken: csrfToken(request, reply),
        action: redirectPath(shown),
        appId: step.app.id,
        appName: step.app.name,
        parties: step.parties,
        fields: redirectFields(shown),
        canCancel: step.app.isToldErrors,
        user: visitorOfUser(session.user),
        assetVersion: app.assetVersion,
      }),
      { formTargets: formTargetsOf(step.app.authReturnUrl) },
    )
  }
}

/** @throws AppError invalid_request when the browser does not keep the state of the request any more */
function withState(request: FastifyRequest, asked: RedirectRequest): RedirectRequest {
  if (asked.stateName === undefined) return asked
  const state = keptState(request, asked.stateName)
  if (state === undefined) throw lostState()
  return { ...asked, state, stateName: undefined }
}

/** A request as our pages carry it along. */
function carried(reply: FastifyReply, wanted: RedirectRequest): RedirectRequest {
  if (!hasLongState(wanted)) return wanted
  return { ...wanted, state: undefined, stateName: keepState(reply, wanted.state) }
}

/** The headers with which browsers, old ones included, mark a prefetch. */
const PURPOSE_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz']

/** Refuses prefetches, frames and scripts: tokens are made only for a person who opens a page. */
function refuseAllButNavigation({ headers }: FastifyRequest): void {
  const purpose = PURPOSE_HEADERS.flatMap((name) => headers[name]).join(' ')
  const destination = headers['sec-fetch-dest']
  if (/prefetch|prerender|preview/i.test(purpose) || (destination ?? 'document') !== 'document') {
    throw new AppError('invalid_request', {
      detail: 'Open this address in its own tab. It cannot be framed or prefetched.',
    })
  }
}
