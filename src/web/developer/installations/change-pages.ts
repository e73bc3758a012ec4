import { framePage } from '../../kit/frame.ts'
import { questionPage } from '../../kit/question-page.ts'
import type { FormAgain } from '../../shared/forms/change-problems.ts'
import { settingsAgain } from '../../shared/forms/entered-settings.ts'
import { settingsSetBy } from '../../shared/forms/settings-form.ts'
import { settingsFields } from '../../shared/forms/settings-view.ts'
import { html } from '../../shared/page/html.ts'
import { csrfField, type HtmlPage } from '../../shared/page/html-page.ts'
import { formActions } from '../console-frame.ts'
import { backTo, type OwnInstallationInput } from './installation-frame.ts'

/** Asks why an installation is to be suspended. */
export function suspendInstallationPage(
  input: OwnInstallationInput & { reason: string },
): HtmlPage {
  const { own, problems = [], reason } = input
  const back = backTo(own)
  return questionPage({ console: 'developer', section: 'installations' }, input, {
    title: 'Suspend the installation',
    about: back.label,
    back,
    action: `${back.href}/Suspend`,
    button: 'Suspend',
    consequences: [
      html`Its tokens are refused immediately, and no new ones are issued.`,
      html`Users of <bdi>${own.installation.partyName}</bdi> cannot open the app. They see the reason.`,
      html`No data is lost. You can resume it at any time.`,
    ],
    fields: {
      reason: {
        label: 'Reason',
        hint: 'The account sees it. At most 500 characters.',
        kind: 'lines',
      },
    },
    attempt: { problems, typed: new Map([['reason', reason]]) },
  })
}

/** Asks for the last word before all tokens are revoked. */
export function revokeTokensPage(input: OwnInstallationInput): HtmlPage {
  const back = backTo(input.own)
  return questionPage({ console: 'developer', section: 'installations' }, input, {
    title: 'Revoke all tokens',
    about: back.label,
    back,
    action: `${back.href}/Tokens`,
    button: 'Revoke all tokens',
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
  return questionPage({ console: 'developer', section: 'installations' }, input, {
    title: 'Uninstall',
    about: back.label,
    back,
    action: `${back.href}/Uninstall`,
    button: 'Uninstall',
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
  return framePage({ console: 'developer', section: 'installations' }, input, {
    title: 'Admin settings',
    about: back.label,
    layout: 'form',
    back,
    lead: 'The account cannot see or change these settings.',
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
