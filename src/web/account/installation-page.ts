import { quoteView } from '../shared/amounts.ts'
import type { DefinitionNames } from '../shared/definition-names.ts'
import { type HistoryPage, historyPage, namesForUser, when } from '../shared/history-view.ts'
import { type Html, html } from '../shared/html.ts'
import { page, partyBadge, tile, type UserShell } from '../shared/html-page.ts'
import { messageView } from '../shared/message-view.ts'
import { permissionList } from '../shared/permission-view.ts'
import { userSettingsOf } from '../shared/settings-form.ts'
import { settingsFacts } from '../shared/settings-view.ts'
import {
  backgroundBadge,
  runsInBackground,
  standingOf,
  statusBadge,
} from '../shared/status-badge.ts'
import { suspensionNotices } from '../shared/suspension-notices.ts'
import type { InstalledView } from './installation-shown.ts'
import { openPath } from './installations-page.ts'

type InstalledPageInput = UserShell & {
  installed: InstalledView
  history: HistoryPage
  /** What its options and settings are called in it. */
  names: DefinitionNames
  userId: string
  /** What has just happened, in words. */
  message: string | undefined
}

/** One installation: what it is, what it may do, how it is set up, and what can be done with it. */
export function installedPage(input: InstalledPageInput): string {
  const { user, csrfToken, assetVersion, installed, message } = input
  const { installation, permissions, developerName } = installed
  const isLive = installation.status !== 'uninstalled'
  const path = `/Installed/${installation.id}`
  const body = html`${installedHead(installed, html`<h1><bdi>${installation.appName}</bdi></h1>`)}
${messageView(message)}
${notices(installed, path)}
<div class="columns">
<div class="column">
<section class="card" aria-labelledby="settings"><div class="card-title"><h2 id="settings">Settings</h2>${isLive && userSettingsOf(installed.profile).length > 0 && html`<a class="button small" href="${path}/Settings">Edit settings</a>`}</div>${userSettingsOf(installed.profile).length === 0 ? html`<p class="muted">There is nothing to set with this purchase option.</p>` : settingsFacts({ profile: installed.profile, stored: installed.stored, isLive })}</section>
<section class="card" aria-labelledby="permissions"><h2 id="permissions">What it may do</h2>${permissionList(permissions)}</section>
<section class="card" aria-labelledby="history"><h2 id="history">History</h2>${historyPage(input.history, namesForUser(input.userId, input.names), path)}</section>
</div>
<div class="column">
<section class="card" aria-labelledby="plan"><div class="card-title"><h2 id="plan">Purchase option</h2>${isLive && installed.suspensions.length === 0 && installed.options.length > 1 && html`<a class="button small" href="${path}/Option">Change</a>`}</div><p class="row-name"><bdi>${installed.option.name}</bdi></p>${quoteView(installation.quote, installed.option)}</section>
<section class="card" aria-labelledby="facts"><h2 id="facts">Details</h2><dl class="facts"><dt>Version</dt><dd><bdi>${installation.installedVersion}</bdi></dd><dt>Developer</dt><dd><bdi>${developerName}</bdi></dd><dt>Installed</dt><dd>${when(installation.installDate)}</dd><dt>Installation id</dt><dd><code>${installation.id}</code></dd></dl>${installed.listed && html`<p><a href="/Apps/${encodeURIComponent(installation.appId)}">View listing</a></p>`}</section>
${isLive && html`<section class="card" aria-labelledby="leave"><h2 id="leave">Uninstall</h2><p class="muted">The app loses access to your data at once.</p><p><a class="button danger" href="${path}/Uninstall">Uninstall…</a></p></section>`}
</div>
</div>`
  return page({
    user,
    csrfToken,
    assetVersion,
    title: installation.appName,
    section: 'installed',
    body,
  })
}

/** The head of every page of an installation. */
function installedHead({ installation, suspensions }: InstalledView, heading: Html): Html {
  const { status, partyName, partyType, openUrl } = installation
  return html`<div class="listing-head">${tile(installation.appName)}
<div class="listing-title">${heading}<p class="row-note"><bdi>${partyName}</bdi> ${partyBadge(partyType)}</p><p class="badges">${statusBadge(standingOf({ status, suspensions }))}${runsInBackground({ status, suspensions, openUrl }) && backgroundBadge}</p></div>
${openUrl !== null && html`<p class="actions"><a class="button primary large" href="${openPath(installation)}">Open<span class="visually-hidden"> ${installation.appName}</span></a></p>`}</div>`
}

function notices({ installation, suspensions }: InstalledView, path: string): Html {
  const { status, upgrade, missingSettings } = installation
  return html`${suspensionNotices(suspensions)}
${status === 'uninstalled' && html`<div class="notice"><p>This installation is gone: the app has no access any more. To use the app again, install it anew.</p></div>`}
${status !== 'uninstalled' && missingSettings.length > 0 && html`<div class="notice warning"><p><strong>Settings are needed.</strong> The app waits for ${missingSettings.length === 1 ? 'one of them' : `${missingSettings.length} of them`}. <a href="${path}/Settings">Fill them in</a></p></div>`}
${upgrade !== null && html`<div class="notice"><p><strong>Version <bdi>${upgrade.version}</bdi> is available.</strong> Nothing changes until you agree. <a href="${path}/Upgrade">See what is different</a></p></div>`}`
}
