import type { App } from '../../../http/app-type.ts'
import { clientAddress } from '../../../http/client-address.ts'
import { issueOwnToken } from '../../../identity/auth/own-token-service.ts'
import { readSession } from '../../../identity/auth/user-session-service.ts'
import { askToSignIn } from '../../requests/form-for-later.ts'
import { formPage } from '../../requests/form-page.ts'
import { sessionCookie } from '../../requests/pages.ts'
import { card } from '../../shared/page/blocks.ts'
import { shellMarkup } from '../../shared/page/code-colours.ts'
import { codeBox } from '../../shared/page/code-view.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { backToPart } from '../account-parts.ts'

const PATH = '/Account/Token'
/** What the token is called among the facts of the secret. */
const TOKEN_FACT = 'Token'
const LIFETIMES = [
  ['900', '15 minutes'],
  ['3600', '1 hour'],
] as const

/** An account token that a user makes by hand: the way of those who have no password, too. */
export async function accountTokenRoutes(app: App) {
  const { deps } = app

  formPage(app, {
    path: PATH,
    place: { console: 'account' },
    fields: {
      lifetime: {
        label: 'Expires after',
        kind: 'choice',
        choices: LIFETIMES,
        hint: 'It also expires when you sign out everywhere, or when your password changes.',
      },
    },
    config: { recentFactor: true },
    refused: [],
    async page(request) {
      const { secret } = request.page.attempt ?? {}
      const shown = {
        title: 'Make an account token',
        lead: 'For a program that calls the API as you.',
        back: backToPart('Security'),
      }
      if (secret === undefined) {
        return {
          ...shown,
          intro: html`<p>This token can do everything you can. Never share it.</p>`,
          button: 'Make an account token',
        }
      }
      const { publicUrl } = deps.config
      const below = () => html`${useOf(secret.facts[TOKEN_FACT] ?? '', publicUrl)}
<p class="actions"><a class="button" href="${PATH}">Make another one</a></p>`
      return { ...shown, below }
    },
    async submit(request, typed, _params, reply) {
      const session = await readSession(deps, sessionCookie(request))
      if (session === undefined) {
        await askToSignIn(request, reply)
        return undefined
      }
      const [seconds] = LIFETIMES.find(([one]) => one === typed.get('lifetime')) ?? LIFETIMES[0]
      const from = clientAddress(request)
      const { token, expiresAt } = await issueOwnToken(deps, session, Number(seconds), from)
      const secret = {
        title: 'Your token is ready.',
        what: 'token',
        facts: { [TOKEN_FACT]: token },
        until: expiresAt,
      }
      return { path: PATH, secret }
    },
  })
}

function useOf(token: string, baseUrl: string): Html {
  const call = `curl ${baseUrl}/v1/Account -H "authorization: Bearer $TOKEN"`
  return card(
    'use',
    'Use it',
    html`<p class="muted">Put the token into your shell first. A leading space keeps the line out of the history of
most shells.</p>
${codeBox('Shell', 'The token as a variable', html` export TOKEN='${token}'`)}
${codeBox('curl', 'The call in curl', shellMarkup(call))}`,
  )
}
