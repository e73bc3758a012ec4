import type { App } from '../../http/app-type.ts'
import {
  accountsForLink,
  readInstallLink,
  useInstallLink,
} from '../../marketplace/apps/visibility/install-links-service.ts'
import { INSTALL_LINK_PAGE } from '../../marketplace/apps/visibility/visibility.ts'
import { refusedControls } from '../kit/fields.ts'
import { formPage } from '../requests/form-page.ts'
import { chosenAccountId, visitorActor, visitorOf } from '../requests/visitor.ts'
import { html } from '../shared/page/html.ts'

/** What an install link opens: a question, since who opens a link must not change anything by it. */
export async function installLinkRoutes(app: App) {
  const { deps } = app

  formPage(app, {
    path: INSTALL_LINK_PAGE,
    place: { console: 'marketplace', section: 'apps' },
    refused: ['unprocessable'],
    async page(request, typed) {
      const token = typed.get('token') ?? ''
      const { app: found } = await readInstallLink(deps, token)
      const accounts = await accountsForLink(deps, visitorOf(request).id)
      const shown = {
        title: found.name,
        lead: html`By <bdi>${found.developerName}</bdi>. This app is only for accounts that its developer has invited.`,
        send: { holdsLink: true },
      }
      if (accounts.length === 0) {
        return {
          ...shown,
          above: html`<p class="notice">
            You do not belong to an account that can install apps. Ask the operator of this marketplace to add you to one.
          </p>`,
        }
      }
      const chosen = typed.get('partyId') ?? String(chosenAccountId(request) ?? accounts[0]?.id)
      return {
        ...shown,
        fields: {
          partyId: {
            label: 'Account',
            kind: 'choice' as const,
            choices: accounts.map(({ id, name }) => [String(id), name] as const),
          },
        },
        stored: new Map([['partyId', chosen]]),
        hidden: { token },
        consequences: ['The account finds the app from now on.', 'Nothing is installed yet.'],
        button: 'Show the app',
      }
    },
    async submit(request, typed) {
      const partyId = Number(typed.get('partyId'))
      const accounts = await accountsForLink(deps, visitorOf(request).id)
      if (!accounts.some(({ id }) => id === partyId)) {
        throw refusedControls([{ field: 'partyId', text: 'Choose one of your accounts.' }])
      }
      const link = typed.get('token') ?? ''
      const appId = await useInstallLink(deps, visitorActor(request), { link, partyId })
      return { path: `/Apps/${encodeURIComponent(appId)}` }
    },
  })
}
