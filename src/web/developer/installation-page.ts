import { quoteView } from '../shared/app-parts/amounts.ts'
import type { DefinitionNames } from '../shared/app-parts/definition-names.ts'
import { permissionList } from '../shared/app-parts/permission-view.ts'
import type { FormAgain } from '../shared/forms/change-problems.ts'
import { settingsAgain } from '../shared/forms/entered-settings.ts'
import { tie } from '../shared/forms/form-problems.ts'
import { settingsSetBy } from '../shared/forms/settings-form.ts'
import { settingsFacts, settingsFields } from '../shared/forms/settings-view.ts'
import { bdi, card, fact } from '../shared/page/blocks.ts'
import { type Html, html } from '../shared/page/html.ts'
import { csrfField, partyBadge, tile } from '../shared/page/html-page.ts'
import {
  type HistoryPage,
  historyPage,
  namesForDeveloper,
  when,
} from '../shared/status/history-view.ts'
import { standingOf, statusBadge } from '../shared/status/status-badge.ts'
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
  input: OwnInstallationInput & {
    history: HistoryPage
    names: DefinitionNames
    people: ReadonlyMap<string, string>
  },
): string {
  const { own, history, names, people } = input
  const { installation, option, profile, stored, permissions, quote } = own
  const path = ownInstallationPath(installation.id)
  const isLive = installation.status !== 'uninstalled'
  const has = (side: 'user' | 'admin') => settingsSetBy(side, profile).length > 0
  return developerPage(input, {
    title: `${installation.appName} for ${installation.partyName}`,
    section: SECTION,
    back: { href: '/Developer/Installations', label: 'installations' },
    head: html`<div class="listing-head">${tile(installation.appName)}
<div class="listing-title"><h1><bdi>${installation.partyName}</bdi></h1><p class="row-note">
has <a href="${ownAppPath(installation.appId)}"><bdi>${installation.appName}</bdi></a></p><p class="badges">
${statusBadge(standingOf({ status: installation.status, suspensions: own.suspensions }))}${partyBadge(installation.partyType)}
</p></div>${
      isLive &&
      installation.partyType === 'None' &&
      html`<div class="actions"><a class="button" href="${ownAppPath(installation.appId)}/Sandbox/Open">Open in the sandbox</a></div>`
    }</div>`,
    content: html`${notices(own)}
<div class="columns">
<div class="column">
${card(
  'admin',
  'Admin settings',
  html`${
    has('admin')
      ? settingsFacts({ profile, stored: stored.admin, side: 'admin', isLive })
      : html`<p class="muted">This purchase option has no admin settings.</p>
`
  }`,
  html`${isLive && has('admin') && html`<a class="button small" href="${path}/Settings">Edit admin settings</a>`}`,
)}
${card(
  'user',
  'User settings',
  html`${
    has('user')
      ? settingsFacts({ profile, stored: stored.user, isLive })
      : html`<p class="muted">This purchase option has no user settings.</p>`
  }`,
)}
${card('permissions', 'Permissions', permissionList(permissions))}
${card('history', 'History', historyPage(history, namesForDeveloper(people, names), path))}</div>
<div class="column">
${card(
  'facts',
  'Details',
  html`<dl class="facts">
${fact('Version', bdi(installation.installedVersion))}
${fact('Account ID', html`<code>${installation.partyId}</code>`)}
${fact('Installed', when(installation.installDate))}${fact('Changed', when(installation.updatedAt))}
${fact('Installation ID', html`<code>${installation.id}</code>`)}</dl><p>
<a href="/Developer/Events?installationId=${installation.id}">Events of this installation</a></p>`,
)}
${card(
  'plan',
  'Purchase option',
  html`<p class="row-name"><bdi>${option.name}</bdi></p>
${quoteView(quote, option)}`,
)}
${isLive && actions(input, path)}</div></div>`,
  })
}

const WHAT = {
  installation: 'This installation',
  app: 'The app',
  developer: 'Your developer account',
  account: 'The account',
} as const

function notices({ installation, suspensions }: OwnInstallation): Html {
  return html`${suspensions.map(
    ({ what, reason, by }) => html`<div class="notice error"><p>
<strong>${WHAT[what]} is suspended${by === 'operator' && ' by the operator'}.</strong>
${reason !== null && html`Reason: <bdi>${reason}</bdi>`}
</p>${by === 'operator' && html`<p>Only the operator of this marketplace can resume it.</p>`}</div>`,
  )}
${
  installation.status === 'uninstalled' &&
  html`<div class="notice"><p>
This app was uninstalled. Its tokens no longer work and its passwords were erased.</p></div>`
}`
}

function actions({ own, csrfToken }: OwnInstallationInput, path: string): Html {
  const isActive = own.installation.status === 'active'
  const mayResume = !own.suspensions.some(
    ({ what, by }) => by === 'operator' && what === 'installation',
  )
  return html`<section class="card" aria-labelledby="access"><h2 id="access">Access</h2>
${
  isActive
    ? html`<p class="muted">
Suspending refuses its tokens immediately. They work again after you resume it.</p><p>
<a class="button" href="${path}/Suspend">Suspend…</a></p>`
    : mayResume &&
      html`<p class="muted">After you resume it, tokens that have not expired work again.</p>
<form method="post" action="${path}/Resume">${csrfField(csrfToken)}<button class="button primary" type="submit">Resume</button>
</form>`
}
${
  isActive &&
  html`<p class="muted">A test token is short-lived and can do what you choose.</p><p>
<a class="button" href="${path}/TestToken">Make a test token…</a></p>
`
}<p class="muted">Revoking ends all current tokens. You can request new ones.</p><p>
<a class="button" href="${path}/Tokens">Revoke all tokens…</a></p>
<p class="muted">You cannot undo an uninstall.</p><p>
<a class="button danger" href="${path}/Uninstall">Uninstall…</a></p></section>`
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
