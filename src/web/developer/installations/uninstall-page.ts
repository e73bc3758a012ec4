import { html } from '../../shared/page/html.ts'
import type { HtmlPage } from '../../shared/page/html-page.ts'
import { confirmationPage } from '../console-frame.ts'
import { backTo, type OwnInstallationInput } from './installation-frame.ts'

/** Asks for the last word before an installation is uninstalled. */
export function uninstallOwnPage(input: OwnInstallationInput): HtmlPage {
  const back = backTo(input.own)
  const { partyName, appName } = input.own.installation
  const isBarred = input.own.suspensions.some(
    ({ what, by }) => what === 'installation' && by === 'operator',
  )
  const again = isBarred ? 'only when the operator allows it' : 'as a new installation'
  return confirmationPage(input, {
    title: 'Uninstall',
    about: back.label,
    section: 'installations',
    back,
    action: `${back.href}/Uninstall`,
    label: 'Uninstall',
    consequences: [
      html`<bdi>${appName}</bdi> loses access to the data of <bdi>${partyName}</bdi> immediately.`,
      html`The passwords in its settings are erased.`,
      html`You cannot undo this. The account can install the app again ${again}.`,
    ],
  })
}
