import type { App } from '../../http/app-type.ts'
import { SIGN_IN_LIMIT_BYTES } from '../../http/bodies/json-body.ts'
import { sendStreamedFile } from '../../http/bodies/streamed-file.ts'
import { clientAddress } from '../../http/client-address.ts'
import { sendPage } from '../../http/send-page.ts'
import { exportOwnData } from '../../identity/accounts/export-own-data-service.ts'
import { OWN_DATA_FILE } from '../../identity/accounts/own-data.ts'
import { removeOneself } from '../../identity/accounts/remove-user-service.ts'
import { passwordsOff } from '../../identity/auth/passwords-off.ts'
import { providerOfUser } from '../../identity/single-sign-on/identity-service.ts'
import { countRequestsToDecide } from '../../marketplace/installations/requests/requests-shown-service.ts'
import { whatHappens } from '../kit/form-view.ts'
import { framePage } from '../kit/frame.ts'
import { formPage } from '../requests/form-page.ts'
import { takeNotice } from '../requests/notices.ts'
import { clearSessionCookie } from '../requests/pages.ts'
import { chosenAccountId, recogniseAgain, visitorOf, visitorShell } from '../requests/visitor.ts'
import {
  currentPasswordField,
  ownPasswordHint,
  usernameField,
  WRONG_PASSWORD,
} from '../shared/forms/password-hints.ts'
import { refusalOf } from '../shared/forms/refusal.ts'
import { card } from '../shared/page/blocks.ts'
import { html } from '../shared/page/html.ts'
import { ACCOUNT_PARTS, accountParts, backToPart } from './account-parts.ts'

const REMOVED = 'You have removed yourself. Your name and email were replaced.'
const CONSEQUENCES = [
  'Your name and email are replaced, and you are signed out everywhere.',
  'You leave all accounts. Apps lose the access tokens issued for you. Installed apps stay.',
  'Older audit entries keep your name; new ones show only your user ID.',
  'You cannot undo this.',
  'If you are the only admin of an account with other members or installed apps, make somebody else an admin first. ' +
    'The same goes for the only owner of a developer.',
]

/** The visitor's own data, and the visitor's own removal. */
export async function ownDataRoutes(app: App) {
  const { deps } = app
  const { passwordLogin } = deps.config

  app.get(ACCOUNT_PARTS['Your data'], { schema: { hide: true } }, async (request, reply) => {
    const { id } = visitorOf(request)
    const requests = await countRequestsToDecide(deps, id, chosenAccountId(request))
    const visit = { ...visitorShell(request, reply), message: takeNotice(request, reply)?.text }
    const content = html`${card(
      'export',
      'Export',
      html`<p class="muted">Download all data we hold about you (JSON).</p>
<p class="actions"><a class="button" href="/Account/Export">Export your data</a></p>`,
    )}
${card(
  'remove',
  'Delete my account',
  html`<p class="muted">Your name and email are replaced, and you leave all accounts.</p>
<p class="actions"><a class="button danger" href="/Account/Remove">Delete my account…</a></p>`,
)}`
    const aside = accountParts('Your data', requests)
    return sendPage(
      reply,
      framePage({ console: 'account' }, visit, { title: 'Your data', aside, content }),
    )
  })

  app.get('/Account/Export', { schema: { hide: true } }, (request, reply) => {
    const { id: userId } = visitorOf(request)
    return sendStreamedFile(reply, {
      ...OWN_DATA_FILE,
      userId,
      open: () => exportOwnData(deps, userId, () => recogniseAgain(request)),
    })
  })

  formPage(app, {
    path: '/Account/Remove',
    place: { console: 'account' },
    fields: { currentPassword: currentPasswordField('Your password') },
    bodyLimit: SIGN_IN_LIMIT_BYTES,
    refused: (error) =>
      refusalOf(
        error,
        ['unprocessable', 'operator_needed', 'conflict', 'too_many_requests'],
        ({ code, message }) => [
          code === 'unprocessable'
            ? { field: 'currentPassword', text: WRONG_PASSWORD }
            : { field: undefined, text: message },
        ],
      ),
    async page(request) {
      const { id, signInName } = visitorOf(request)
      const shown = { title: 'Delete my account', back: backToPart('Your data') }
      if (!passwordLogin) {
        const text = 'Ask the operator of this marketplace to remove you.'
        return {
          ...shown,
          above: html`<div class="card">${whatHappens(CONSEQUENCES)}<p>${text}</p></div>`,
        }
      }
      const hint = ownPasswordHint(await providerOfUser(deps, id))
      return {
        ...shown,
        consequences: CONSEQUENCES,
        intro: html`${hint}${usernameField(signInName)}`,
        button: 'Delete my account',
        kind: 'danger',
      }
    },
    async submit(request, typed, _params, reply) {
      if (!passwordLogin) throw passwordsOff()
      const password = typed.get('currentPassword') ?? ''
      await removeOneself(deps, visitorOf(request).id, { password }, clientAddress(request))
      clearSessionCookie(request, reply)
      return { path: '/signed-out', text: REMOVED }
    },
  })
}
