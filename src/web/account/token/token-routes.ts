import type { App } from '../../../http/app-type.ts'
import { clientAddress } from '../../../http/client-address.ts'
import { sendPage } from '../../../http/send-page.ts'
import { issueOwnToken } from '../../../identity/auth/own-token-service.ts'
import { readSession } from '../../../identity/auth/user-session-service.ts'
import { askToSignIn } from '../../requests/form-for-later.ts'
import { readAttempt, redirectSecret } from '../../requests/kept-forms.ts'
import { sessionCookie } from '../../requests/pages.ts'
import { visitorShell } from '../../requests/visitor.ts'
import { UNTOUCHED } from '../../shared/forms/form-problems.ts'
import { Fields } from '../../shared/forms/settings-form.ts'
import { LIFETIMES_SECONDS, madeTokenPage, TOKEN_PATH, tokenPage } from './token-page.ts'

/** What the token is called among the facts of the secret. */
const TOKEN_FACT = 'Token'

/** An account token that a user makes by hand: the way of those who have no password, too. */
export async function accountTokenRoutes(app: App) {
  const { deps } = app

  app.get(TOKEN_PATH, { schema: { hide: true, querystring: Fields } }, (request, reply) => {
    const shell = visitorShell(request, reply)
    const { secret } = request.kept ?? {}
    if (secret === undefined) {
      const attempt = readAttempt(request, reply) ?? UNTOUCHED
      return sendPage(reply, tokenPage({ ...shell, attempt }))
    }
    const { [TOKEN_FACT]: token = '', ...facts } = secret.facts
    const baseUrl = deps.config.publicUrl
    return sendPage(
      reply,
      madeTokenPage({ ...shell, secret: { ...secret, facts }, token, baseUrl }),
    )
  })

  const config = { recentFactor: true, actsOnce: true }
  app.post(TOKEN_PATH, { config, schema: { hide: true, body: Fields } }, async (request, reply) => {
    const session = await readSession(deps, sessionCookie(request))
    if (session === undefined) return askToSignIn(request, reply)
    const wanted = Number(request.body.get('lifetime'))
    const seconds = LIFETIMES_SECONDS.find((one) => one === wanted) ?? LIFETIMES_SECONDS[0]
    const { token, expiresAt } = await issueOwnToken(deps, session, seconds, clientAddress(request))
    return redirectSecret(request, reply, TOKEN_PATH, {
      title: 'Your token is ready.',
      what: 'token',
      facts: { [TOKEN_FACT]: token },
      until: expiresAt,
    })
  })
}
