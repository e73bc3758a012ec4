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
import { closeAllSessions } from '../../../identity/auth/user-session-service.ts'
import { providerOfUser } from '../../../identity/single-sign-on/identity-service.ts'
import { countRequestsToDecide } from '../../../marketplace/installations/requests/requests-shown-service.ts'
import { framePage } from '../../kit/frame.ts'
import { formPage } from '../../requests/form-page.ts'
import { buttonForm } from '../../requests/form-work.ts'
import { takeNotice } from '../../requests/notices.ts'
import { clearSessionCookie, sessionCookie } from '../../requests/pages.ts'
import { chosenAccountId, visitorActor, visitorOf, visitorShell } from '../../requests/visitor.ts'
import { Fields } from '../../shared/forms/settings-form.ts'
import { accountParts, backToPart } from '../account-parts.ts'
import { CODE_FIELD, codeRefusal } from './code-refusals.ts'
import { recoverySecret } from './enrolment-page.ts'
import { SECURITY_PATH, securityCards } from './security-page.ts'

/** The visitor's second factor and sessions. */
export async function securityRoutes(app: App) {
  const { deps } = app
  const get = { schema: { hide: true, querystring: Fields } }

  app.get(SECURITY_PATH, get, async (request, reply) => {
    const { id } = visitorOf(request)
    const cookie = sessionCookie(request)
    const [factor, { entries: sessions }, ownId, provider, requests] = await Promise.all([
      readSecondFactor(deps, id),
      listOwnSessions(deps, id),
      cookie === undefined ? undefined : ownSessionId(deps, cookie),
      providerOfUser(deps, id),
      countRequestsToDecide(deps, id, chosenAccountId(request)),
    ])
    const { passwordLogin: password, oidcTrustSecondFactor: providerAsks } = deps.config
    const ways = { password, provider, providerAsks }
    const message = request.page.attempt?.secret ?? takeNotice(request, reply)?.text
    const shell = visitorShell(request, reply)
    return sendPage(
      reply,
      framePage(
        { console: 'account' },
        { ...shell, message },
        {
          title: 'Security',
          aside: accountParts('Security', requests),
          content: securityCards({ ...shell, factor, ways, sessions, ownId }),
        },
      ),
    )
  })

  const codeForm = {
    place: { console: 'account' },
    fields: { code: CODE_FIELD },
    bodyLimit: SIGN_IN_LIMIT_BYTES,
    refused: codeRefusal,
  } as const

  formPage(app, {
    ...codeForm,
    path: '/Account/SecondFactor/RecoveryCodes',
    async page() {
      return {
        title: 'New recovery codes',
        lead: 'The recovery codes you have now stop working.',
        back: backToPart('Security'),
        button: 'Get new recovery codes',
      }
    },
    async submit(request, typed) {
      const { userId, actor } = visitorActor(request)
      const code = typed.get('code') ?? ''
      const { recoveryCodes } = await renewRecoveryCodes(deps, userId, code, actor)
      const title = 'Your new recovery codes. The old ones no longer work.'
      return { path: SECURITY_PATH, secret: recoverySecret(title, recoveryCodes) }
    },
  })

  formPage(app, {
    ...codeForm,
    path: '/Account/SecondFactor/Remove',
    async page() {
      return {
        title: 'Turn off two-step sign-in',
        lead: 'You will sign in without a code.',
        back: backToPart('Security'),
        button: 'Turn off',
        kind: 'danger',
      }
    },
    async submit(request, typed) {
      const { userId, actor } = visitorActor(request)
      await removeOwnFactor(deps, userId, typed.get('code') ?? '', actor)
      return { path: SECURITY_PATH, text: 'Two-step sign-in is off.' }
    },
  })

  buttonForm(app, {
    path: '/Account/Sessions/:id/End',
    params: SessionPath,
    page: () => SECURITY_PATH,
    async submit(request, _typed, { id }) {
      const { userId, actor } = visitorActor(request)
      await ignoring('not_found', endOwnSession(deps, userId, id, actor))
      return { path: SECURITY_PATH, text: 'That browser was signed out.' }
    },
  })

  buttonForm(app, {
    path: '/Account/Sessions/EndOthers',
    page: () => SECURITY_PATH,
    async submit(request) {
      const { userId, actor } = visitorActor(request)
      await endOtherSessions(deps, userId, sessionCookie(request), actor)
      return { path: SECURITY_PATH, text: 'All other browsers were signed out.' }
    },
  })

  buttonForm(app, {
    path: '/Account/SignOutEverywhere',
    page: () => SECURITY_PATH,
    async submit(request, _typed, _params, reply) {
      const { userId, actor } = visitorActor(request)
      await closeAllSessions(deps, userId, actor)
      clearSessionCookie(request, reply)
      return { path: '/signed-out' }
    },
  })
}
