import type { FastifyReply, FastifyRequest } from 'fastify'
import { ignoring } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { SIGN_IN_LIMIT_BYTES } from '../../../http/bodies/json-body.ts'
import { sendPage } from '../../../http/send-page.ts'
import {
  readSecondFactor,
  removeOwnFactor,
  renewRecoveryCodes,
} from '../../../identity/auth/second-factor/second-factor-service.ts'
import { SessionPath } from '../../../identity/auth/sessions/own-sessions.ts'
import {
  endOtherSessions,
  endOwnSession,
  listOwnSessions,
  ownSessionId,
} from '../../../identity/auth/sessions/own-sessions-service.ts'
import { providerOfUser } from '../../../identity/single-sign-on/identity-service.ts'
import { readAttempt, redirectDone, redirectSecret, refuse } from '../../requests/kept-forms.ts'
import { takeNotice } from '../../requests/notices.ts'
import { sessionCookie } from '../../requests/pages.ts'
import { visitorActor, visitorOf, visitorShell } from '../../requests/visitor.ts'
import { Fields } from '../../shared/forms/settings-form.ts'
import { codeRefusal } from './code-refusals.ts'
import { recoverySecret } from './enrolment-page.ts'
import { CODE_FIELDS, SECURITY_PATH, securityPage } from './security-page.ts'

/** The visitor's second factor and sessions. */
export async function securityRoutes(app: App) {
  const { deps } = app
  app.get(SECURITY_PATH, { schema: { hide: true, querystring: Fields } }, (request, reply) =>
    sendSecurity(request, reply),
  )

  const forms = [
    '/Account/SecondFactor/RecoveryCodes',
    '/Account/SecondFactor/Remove',
    '/Account/Sessions/:id/End',
    '/Account/Sessions/EndOthers',
  ]
  // A sign-in that interrupted the form leads back here, and the form's problems are shown here.
  for (const path of forms) {
    app.get(path, { schema: { hide: true } }, async (request, reply) =>
      request.kept === null ? reply.redirect(SECURITY_PATH, 303) : sendSecurity(request, reply),
    )
  }

  const post = { bodyLimit: SIGN_IN_LIMIT_BYTES, schema: { hide: true, body: Fields } }
  const once = { ...post, config: { actsOnce: true } }
  app.post('/Account/SecondFactor/RecoveryCodes', once, async (request, reply) => {
    const { userId, actor } = visitorActor(request)
    const code = request.body.get(CODE_FIELDS.renew) ?? ''
    try {
      const { recoveryCodes } = await renewRecoveryCodes(deps, userId, code, actor)
      const title = 'Your new recovery codes. The old ones no longer work.'
      return await redirectSecret(
        request,
        reply,
        SECURITY_PATH,
        recoverySecret(title, recoveryCodes),
      )
    } catch (error) {
      return refuse(request, reply, codeRefusal(error, CODE_FIELDS.renew))
    }
  })

  app.post('/Account/SecondFactor/Remove', once, async (request, reply) => {
    const { userId, actor } = visitorActor(request)
    const code = request.body.get(CODE_FIELDS.remove) ?? ''
    try {
      await removeOwnFactor(deps, userId, code, actor)
    } catch (error) {
      return refuse(request, reply, codeRefusal(error, CODE_FIELDS.remove))
    }
    return redirectDone(request, reply, SECURITY_PATH, 'Two-step sign-in is off.')
  })

  app.post(
    '/Account/Sessions/:id/End',
    { schema: { hide: true, params: SessionPath } },
    async (request, reply) => {
      const { userId, actor } = visitorActor(request)
      await ignoring('not_found', endOwnSession(deps, userId, request.params.id, actor))
      return redirectDone(request, reply, SECURITY_PATH, 'That browser was signed out.')
    },
  )

  app.post('/Account/Sessions/EndOthers', { schema: { hide: true } }, async (request, reply) => {
    const { userId, actor } = visitorActor(request)
    await endOtherSessions(deps, userId, sessionCookie(request), actor)
    return redirectDone(request, reply, SECURITY_PATH, 'All other browsers were signed out.')
  })

  async function sendSecurity(request: FastifyRequest, reply: FastifyReply) {
    const { id } = visitorOf(request)
    const cookie = sessionCookie(request)
    const [factor, { entries: sessions }, ownId, provider] = await Promise.all([
      readSecondFactor(deps, id),
      listOwnSessions(deps, id),
      cookie === undefined ? undefined : ownSessionId(deps, cookie),
      providerOfUser(deps, id),
    ])
    const { problems = [] } = readAttempt(request, reply) ?? {}
    const message = request.kept?.secret ?? takeNotice(request, reply)?.text
    const { passwordLogin: password, oidcTrustSecondFactor: providerAsks } = deps.config
    const ways = { password, provider, providerAsks }
    const input = { factor, ways, sessions, ownId, problems, message }
    return sendPage(reply, securityPage({ ...visitorShell(request, reply), ...input }))
  }
}
