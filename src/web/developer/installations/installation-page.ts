import { framePage } from '../../kit/frame.ts'
import { quoteView } from '../../shared/app-parts/amounts.ts'
import type { DefinitionNames } from '../../shared/app-parts/definition-names.ts'
import { permissionList } from '../../shared/app-parts/permission-view.ts'
import { settingsSetBy } from '../../shared/forms/settings-form.ts'
import { settingsFacts } from '../../shared/forms/settings-view.ts'
import { bdi, card, fact } from '../../shared/page/blocks.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { csrfField, type HtmlPage, partyBadge, tile } from '../../shared/page/html-page.ts'
import {
  type HistoryPage,
  historyPage,
  namesForDeveloper,
  when,
} from '../../shared/status/history-view.ts'
import { standingOf, statusBadge } from '../../shared/status/status-badge.ts'
import { ownAppPath, ownInstallationPath } from '../console-frame.ts'
import type { OwnInstallationInput } from './installation-frame.ts'
import type { OwnInstallation } from './installation-shown.ts'

/** One installation: what it is, how it is set up, and what the developer can do with it. */
export function ownInstallationPage(
  input: OwnInstallationInput & {
    history: HistoryPage
    names: DefinitionNames
    people: ReadonlyMap<string, string>
  },
): HtmlPage {
  const { own, history, names, people } = input
  const { installation, option, profile, stored, permissions, quote } = own
  const path = ownInstallationPath(installation.id)
  const isLive = installation.status !== 'uninstalled'
  const has = (side: 'user' | 'admin') => settingsSetBy(side, profile).length > 0
  return framePage({ console: 'developer', section: 'installations' }, input, {
    title: `${installation.appName} for ${installation.partyName}`,
    back: { href: '/Developer/Installations', label: 'Installations' },
    head: html`<div class="listing-head">${tile(installation.appName)}
<div class="listing-title"><h1><bdi>${installation.partyName}</bdi></h1><p class="row-note">
has <a href="${ownAppPath(installation.appId)}"><bdi>${installation.appName}</bdi></a></p><p class="badges">
${statusBadge(standingOf({ status: installation.status, suspensions: own.suspensions }))}${partyBadge(installation.partyType)}
</p></div>${
      isLive &&
      own.canOpen &&
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
