import { html } from '../../shared/page/html.ts'
import type { HtmlPage } from '../../shared/page/html-page.ts'
import { confirmationPage } from '../console-frame.ts'
import { backTo, type OwnInstallationInput } from './installation-frame.ts'

/** Asks for the last word before all tokens are revoked. */
export function revokeTokensPage(input: OwnInstallationInput): HtmlPage {
  const back = backTo(input.own)
  return confirmationPage(input, {
    title: 'Revoke all tokens',
    about: back.label,
    section: 'installations',
    back,
    action: `${back.href}/Tokens`,
    label: 'Revoke all tokens',
    consequences: [
      html`All tokens of this installation are refused immediately.`,
      html`Your program has to request a new token, and users have to open the app again.`,
    ],
  })
}
