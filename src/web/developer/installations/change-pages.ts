import type { FormAgain } from '../../shared/forms/change-problems.ts'
import { settingsAgain } from '../../shared/forms/entered-settings.ts'
import { describedBy } from '../../shared/forms/form-problems.ts'
import { settingsSetBy } from '../../shared/forms/settings-form.ts'
import { settingsFields } from '../../shared/forms/settings-view.ts'
import { html } from '../../shared/page/html.ts'
import { csrfField, type HtmlPage } from '../../shared/page/html-page.ts'
import { confirmationPage, developerPage, formActions } from '../console-frame.ts'
import { backTo, type OwnInstallationInput } from './installation-frame.ts'

/** Asks why an installation is to be suspended. */
export function suspendInstallationPage(
  input: OwnInstallationInput & { reason: string },
): HtmlPage {
  const { own, problems = [], reason } = input
  const back = backTo(own)
  const { attributes, message } = describedBy(problems, 'reason', ['reason-hint'])
  return confirmationPage(input, {
    title: 'Suspend the installation',
    about: back.label,
    section: 'installations',
    back,
    action: `${back.href}/Suspend`,
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

/** The admin settings of an installation, to be edited. */
export function adminSettingsPage(input: OwnInstallationInput & FormAgain): HtmlPage {
  const { own, problems = [], csrfToken } = input
  const { profile, stored, revision } = own
  const back = backTo(own)
  const { typed, notice } = settingsAgain(profile, stored.admin, input, 'admin')
  return developerPage(input, {
    title: 'Admin settings',
    about: back.label,
    section: 'installations',
    layout: 'form',
    back,
    head: html`<div class="page-head"><h1>Admin settings</h1><p class="lead">
The account cannot see or change these settings.</p></div>`,
    content:
      settingsSetBy('admin', profile).length === 0
        ? html`<div class="card"><p>This purchase option has no admin settings.</p></div>`
        : html`${notice}<form class="card" method="post" action="${back.href}/Settings">
${csrfField(csrfToken)}
<input type="hidden" name="revision" value="${input.typed?.get('revision') ?? revision}">
<div class="stack">${settingsFields({ profile, stored: stored.admin, typed, problems, side: 'admin' })}</div>
${formActions('Save admin settings', back.href, 'primary')}</form>`,
  })
}
