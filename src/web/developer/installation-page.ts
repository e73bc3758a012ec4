import { quoteView } from '../shared/amounts.ts'
import type { FormAgain } from '../shared/change-problems.ts'
import type { DefinitionNames } from '../shared/definition-names.ts'
import { settingsAgain } from '../shared/entered-settings.ts'
import { tie } from '../shared/form-problems.ts'
import { type HistoryPage, historyPage, namesForDeveloper, when } from '../shared/history-view.ts'
import { type Html, html } from '../shared/html.ts'
import { csrfField, partyBadge, tile } from '../shared/html-page.ts'
import { permissionList } from '../shared/permission-view.ts'
import { settingsSetBy } from '../shared/settings-form.ts'
import { settingsFacts, settingsFields } from '../shared/settings-view.ts'
import { standingOf, statusBadge } from '../shared/status-badge.ts'
import {
  type ConsoleInput,
  confirmationPage,
  developerPage,
  formActions,
  ownAppPath,
  ownInstallationPath,
} from './console-frame.ts'
import type { OwnInstallation } from './installation-shown.ts'

export type OwnInstallationInput = ConsoleInput & { own: OwnInstallation }

const SECTION = 'installations'

/** One installation: what it is, how it is set up, and what the developer can do with it. */
export function ownInstallationPage(
  input: OwnInstallationInput & { history: HistoryPage; names: DefinitionNames },
): string {
  const { own, history, names } = input
  const { installation, option, profile, stored, permissions, quote } = own
  const path = ownInstallationPath(installation.id)
  const isLive = installation.status !== 'uninstalled'
  const has = (side: 'user' | 'admin') => settingsSetBy(side, profile).length > 0
  return developerPage(input, {
    title: `${installation.appName} for ${installation.partyName}`,
    section: SECTION,
    back: { href: '/Developer/Installations', label: 'installations' },
    head: html`<div class="listing-head">${tile(installation.appName)}
<div class="listing-title"><h1><bdi>${installation.partyName}</bdi></h1><p class="row-note">has <a href="${ownAppPath(installation.appId)}"><bdi>${installation.appName}</bdi></a></p><p class="badges">${statusBadge(standingOf({ status: installation.status, suspensions: own.suspensions }))}${partyBadge(installation.partyType)}</p></div></div>`,
    content: html`${notices(own)}
<div class="columns">
<div class="column">
<section class="card" aria-labelledby="admin"><div class="card-title"><h2 id="admin">Admin settings</h2>${isLive && has('admin') && html`<a class="button small" href="${path}/Settings">Edit admin settings</a>`}</div>${has('admin') ? settingsFacts({ profile, stored: stored.admin, side: 'admin', isLive }) : html`<p class="muted">The purchase option has no settings that you set.</p>`}</section>
<section class="card" aria-labelledby="user"><h2 id="user">User settings</h2>${has('user') ? settingsFacts({ profile, stored: stored.user, isLive }) : html`<p class="muted">The purchase option has no settings that users set.</p>`}</section>
<section class="card" aria-labelledby="permissions"><h2 id="permissions">Permissions</h2>${permissionList(permissions)}</section>
<section class="card" aria-labelledby="history"><h2 id="history">History</h2>${historyPage(history, namesForDeveloper(names), path)}</section>
</div>
<div class="column">
<section class="card" aria-labelledby="facts"><h2 id="facts">Details</h2><dl class="facts"><dt>Version</dt><dd><bdi>${installation.installedVersion}</bdi></dd><dt>Account id</dt><dd><code>${installation.partyId}</code></dd><dt>Installed</dt><dd>${when(installation.installDate)}</dd><dt>Changed</dt><dd>${when(installation.updatedAt)}</dd><dt>Installation id</dt><dd><code>${installation.id}</code></dd></dl></section>
<section class="card" aria-labelledby="plan"><h2 id="plan">Purchase option</h2><p class="row-name"><bdi>${option.name}</bdi></p>${quoteView(quote, option)}</section>
${isLive && actions(input, path)}
</div>
</div>`,
  })
}

const WHAT = {
  installation: 'This installation',
  app: 'The app',
  developer: 'Your developer account',
  account: 'The account',
} as const

function notices({ installation, suspensions }: OwnInstallation): Html {
  return html`${suspensions.map(({ what, reason, by }) => html`<div class="notice error"><p><strong>${WHAT[what]} is suspended${by === 'operator' && ' by the operator'}.</strong> ${reason !== null && html`The reason given: <bdi>${reason}</bdi>`}</p>${by === 'operator' && html`<p>Only the operator of this marketplace resumes it.</p>`}</div>`)}
${installation.status === 'uninstalled' && html`<div class="notice"><p>This installation is gone: its tokens are dead, its passwords are erased.</p></div>`}`
}

function actions({ own, csrfToken }: OwnInstallationInput, path: string): Html {
  const isActive = own.installation.status === 'active'
  const mayResume = !own.suspensions.some(
    ({ what, by }) => by === 'operator' && what === 'installation',
  )
  return html`<section class="card" aria-labelledby="access"><h2 id="access">Access</h2>
${isActive ? html`<p class="muted">Suspending stops its tokens at the next request; resuming brings them back.</p><p><a class="button" href="${path}/Suspend">Suspend…</a></p>` : mayResume && html`<p class="muted">Its tokens that have not run out work again after it.</p><form method="post" action="${path}/Resume">${csrfField(csrfToken)}<button class="button primary" type="submit">Resume</button></form>`}
<p class="muted">Revoking ends the tokens there are; new ones can be made.</p><p><a class="button" href="${path}/Tokens">Revoke all tokens…</a></p>
<p class="muted">Uninstalling is final.</p><p><a class="button danger" href="${path}/Uninstall">Uninstall…</a></p></section>`
}

function backTo({ installation }: OwnInstallation) {
  const label = `${installation.appName} for ${installation.partyName}`
  return { href: ownInstallationPath(installation.id), label }
}

/** The admin settings of an installation, to be edited. */
export function adminSettingsPage(input: OwnInstallationInput & FormAgain): string {
  const { own, problems = [], csrfToken } = input
  const { profile, stored, revision } = own
  const back = backTo(own)
  const { typed, notice } = settingsAgain(profile, stored.admin, input, 'admin')
  return developerPage(input, {
    title: 'Admin settings',
    section: SECTION,
    layout: 'form',
    back,
    head: html`<div class="page-head"><h1>Admin settings</h1><p class="lead">The account neither sees nor changes them.</p></div>`,
    content:
      settingsSetBy('admin', profile).length === 0
        ? html`<div class="card"><p>The purchase option has no settings that you set.</p></div>`
        : html`${notice}<form class="card" method="post" action="${back.href}/Settings">
${csrfField(csrfToken)}
<input type="hidden" name="revision" value="${input.typed?.get('revision') ?? revision}">
<div class="stack">${settingsFields({ profile, stored: stored.admin, typed, problems, side: 'admin' })}</div>
${formActions('Save admin settings', back.href, 'primary')}
</form>`,
  })
}

/** Asks why an installation is to be suspended. */
export function suspendPage(input: OwnInstallationInput & { reason: string }): string {
  const { own, problems = [], reason } = input
  const { attributes, message } = tie(problems, 'reason', ['reason-hint'])
  return confirmationPage(input, {
    title: 'Suspend the installation',
    section: SECTION,
    back: backTo(own),
    action: `${backTo(own).href}/Suspend`,
    label: 'Suspend',
    consequences: [
      html`Its tokens are refused from the next request on, and no new ones are made.`,
      html`Users of <bdi>${own.installation.partyName}</bdi> cannot open the app, and read the reason.`,
      html`Nothing is lost: you can resume it at any time.`,
    ],
    fields: html`<div class="field"><label for="reason">Reason <span class="must">(required)</span></label><p class="hint" id="reason-hint">Shown to the account; at most 500 characters.</p>${message}<textarea id="reason" name="reason" rows="3" maxlength="500" dir="auto" aria-required="true"${attributes}>
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
      html`Every token of this installation is refused from the next request on.`,
      html`Your program asks for a new one, and users open the app again.`,
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
      html`<bdi>${appName}</bdi> loses access to the data of <bdi>${partyName}</bdi> at once.`,
      html`The passwords among the settings are erased.`,
      html`It cannot be undone; the account can install the app again, as new.`,
    ],
  })
}
