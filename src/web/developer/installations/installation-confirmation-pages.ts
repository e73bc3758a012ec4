import { tie } from '../../shared/forms/form-problems.ts'
import { html } from '../../shared/page/html.ts'
import { confirmationPage, ownInstallationPath } from '../console-frame.ts'
import type { OwnInstallationInput } from './installation-page.ts'
import type { OwnInstallation } from './installation-shown.ts'

const SECTION = 'installations'

/** The link from a form of an installation back to its page. */
export function backTo({ installation }: OwnInstallation) {
  const label = `${installation.appName} for ${installation.partyName}`
  return { href: ownInstallationPath(installation.id), label }
}

/** Asks why an installation is to be suspended. */
export function suspendInstallationPage(input: OwnInstallationInput & { reason: string }): string {
  const { own, problems = [], reason } = input
  const { attributes, message } = tie(problems, 'reason', ['reason-hint'])
  return confirmationPage(input, {
    title: 'Suspend the installation',
    section: SECTION,
    back: backTo(own),
    action: `${backTo(own).href}/Suspend`,
    label: 'Suspend',
    consequences: [
      html`Its tokens are refused immediately, and no new ones are issued.`,
      html`Users of <bdi>${own.installation.partyName}</bdi> cannot open the app. They see the reason.`,
      html`No data is lost. You can resume it at any time.`,
    ],
    fields: html`<div class="field"><label for="reason">Reason <span class="must">(required)</span></label>
<p class="hint" id="reason-hint">The account sees it. At most 500 characters.</p>
${message}<textarea id="reason" name="reason" rows="3" maxlength="500" dir="auto" aria-required="true"${attributes}>
${reason}</textarea></div>`,
  })
}

/** Asks for the last word before all tokens are revoked. */
export function revokeTokensPage(input: OwnInstallationInput): string {
  const back = backTo(input.own)
  return confirmationPage(input, {
    title: 'Revoke all tokens',
    section: SECTION,
    back,
    action: `${back.href}/Tokens`,
    label: 'Revoke all tokens',
    consequences: [
      html`All tokens of this installation are refused immediately.`,
      html`Your program has to request a new token, and users have to open the app again.`,
    ],
  })
}

/** Asks for the last word before an installation is uninstalled. */
export function uninstallOwnPage(input: OwnInstallationInput): string {
  const back = backTo(input.own)
  const { partyName, appName } = input.own.installation
  return confirmationPage(input, {
    title: 'Uninstall',
    section: SECTION,
    back,
    action: `${back.href}/Uninstall`,
    label: 'Uninstall',
    consequences: [
      html`<bdi>${appName}</bdi> loses access to the data of <bdi>${partyName}</bdi> immediately.`,
      html`The passwords in its settings are erased.`,
      html`You cannot undo this. The account can install the app again as a new installation.`,
    ],
  })
}
