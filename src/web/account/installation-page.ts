import type { AccountInstallation } from '../../marketplace/installations/account-installation.ts'
import type { InstallationUsage } from '../../marketplace/usage/usage.ts'
import { appFace } from '../kit/avatar.ts'
import { framePage } from '../kit/frame.ts'
import { settingsFacts } from '../kit/settings-fields.ts'
import { ACCEPTANCES } from '../shared/app-parts/acceptances-view.ts'
import { quoteView } from '../shared/app-parts/amounts.ts'
import { termsLinks } from '../shared/app-parts/consent-view.ts'
import type { DefinitionNames } from '../shared/app-parts/definition-names.ts'
import { openLink } from '../shared/app-parts/open-link.ts'
import { permissionList } from '../shared/app-parts/permission-view.ts'
import { type TermsText, termsBox } from '../shared/app-parts/terms-text.ts'
import { usageCard } from '../shared/app-parts/usage-view.ts'
import { userSettingsOf } from '../shared/forms/settings-form.ts'
import { bdi, card, fact } from '../shared/page/blocks.ts'
import { copied } from '../shared/page/copied.ts'
import { type Html, html } from '../shared/page/html.ts'
import { type HtmlPage, partyBadge, type UserShell } from '../shared/page/html-page.ts'
import { type HistoryPage, historyPage, namesForUser, when } from '../shared/status/history-view.ts'
import {
  backgroundBadge,
  runsInBackground,
  standingOf,
  statusBadge,
} from '../shared/status/status-badge.ts'
import { suspensionNotices } from '../shared/status/suspension-notices.ts'
import { installBarred } from '../shared/status/suspension-words.ts'
import type { InstalledView } from './installation-shown.ts'
import { againLink, appSiteOf } from './installations-page.ts'

type InstalledPageInput = UserShell & {
  installed: InstalledView
  history: HistoryPage
  /** What its options and settings are called in it. */
  names: DefinitionNames
  userId: string
  /** The terms of the installed version, where they are text. */
  termsText: TermsText | undefined
  usage: InstallationUsage
  now: Date
  /** What has just happened, in words. */
  message: string | undefined
}

/** One installation: what it is, what it may do, how it is set up, and what can be done with it. */
export function installedPage(input: InstalledPageInput): HtmlPage {
  const { installed } = input
  const { installation, permissions, developerName, terms } = installed
  const isLive = installation.status !== 'uninstalled'
  const canChange = isLive && installed.whoCan === null
  const path = `/Installed/${installation.id}`
  const content = html`${notices(installed, path)}
<div class="columns">
<div class="column">
${card(
  'settings',
  'Settings',
  html`${
    userSettingsOf(installed.profile).length === 0
      ? html`<p class="muted">This purchase option has no settings.</p>
`
      : settingsFacts({ profile: installed.profile, stored: installed.stored, isLive })
  }`,
  html`${
    canChange &&
    userSettingsOf(installed.profile).length > 0 &&
    html`<a class="button small"
href="${path}/Settings">Edit settings</a>`
  }`,
)}
${card('permissions', 'Permissions', permissionList(permissions))}
${
  input.termsText &&
  card(
    'terms',
    'Terms and conditions',
    html`<details><summary>Read the terms</summary>${termsBox(input.termsText)}</details>`,
  )
}
${usageCard(input.usage, 'account', input.now)}
${card('history', 'History', historyPage(input.history, namesForUser(input.userId, input.names, installed.askedBy), path))}
</div>
<div class="column">
${card(
  'plan',
  'Purchase option',
  html`<p class="row-name"><bdi>${installed.option.name}</bdi></p>
${isLive && quoteView(installation.quote, installed.option)}`,
  html`${
    canChange &&
    installed.suspensions.length === 0 &&
    installed.options.length > 1 &&
    html`<a
class="button small" href="${path}/Option">Change</a>`
  }`,
)}
${card(
  'facts',
  'Details',
  html`<dl class="facts">
${fact('Version', bdi(installation.installedVersion))}${fact('Developer', bdi(developerName))}
${fact('Installed', when(installation.installDate))}${toldFact(installation)}
${fact('Installation ID', copied(installation.id))}
</dl>${
    terms && termsLinks(terms, `${path}/Terms`, 'Download the terms and conditions')
  }<p><a href="${path}/${ACCEPTANCES}">What was accepted</a></p>
${
  installed.hasListing &&
  html`<p><a href="/Apps/${encodeURIComponent(installation.appId)}">View listing</a>
</p>`
}`,
)}
${
  canChange &&
  html`${card(
    'leave',
    'Uninstall',
    html`<p class="muted">The app loses access to your data immediately.</p><p>
<a class="button danger" href="${path}/Uninstall">Uninstall…</a></p>`,
  )}`
}</div></div>`
  return framePage({ console: 'account', section: 'installed' }, input, {
    title: installation.appName,
    head: installedHead(installed),
    layout: 'wide',
    content,
  })
}

function installedHead({ installation, iconId, suspensions }: InstalledView): Html {
  const { status, partyName, partyType, openUrl } = installation
  return html`<div class="listing-head">${appFace(installation.appId, iconId)}
<div class="listing-title">
<h1><bdi>${installation.appName}</bdi></h1>
<p class="row-note"><bdi>${partyName}</bdi> ${partyBadge(partyType)}</p>
<p class="badges">${statusBadge(standingOf({ status, suspensions }))}${
    runsInBackground({ status, suspensions, openUrl }) && backgroundBadge
  }
</p></div>
${
  openUrl !== null &&
  html`<p class="actions">${openLink({ ...installation, site: appSiteOf(installation, openUrl) }, 'large')}</p>`
}</div>`
}

function notices(
  { installation, suspensions, whoCan, reinstall }: InstalledView,
  path: string,
): Html {
  const { status, upgrade, missingSettings, openUrl } = installation
  return html`${suspensionNotices(suspensions)}
${
  status === 'uninstalled' &&
  html`<div class="notice"><p>
This app was uninstalled and has no access to your data.${
    reinstall.isPossible && ' Install it again to use it.'
  }</p>${
    reinstall.isPossible &&
    html`<p>${againLink(installation, whoCan === null ? 'admin' : 'member')}</p>`
  }${reinstall.bar && html`<p>${installBarred(reinstall.bar.reason)}</p>`}</div>`
}
${
  status !== 'uninstalled' &&
  missingSettings.length > 0 &&
  html`<div class="notice warning"><p><strong>Settings needed.</strong>
${missingSettings.length === 1 ? '1 required setting is' : `${missingSettings.length} required settings are`}
missing. ${whoCan ?? html`<a href="${path}/Settings">Fill in the settings</a>`}</p></div>`
}
${
  upgrade !== null &&
  html`<div class="notice"><p>
<strong>Version <bdi>${upgrade.version}</bdi> is available.</strong> Your version stays until
${whoCan === null ? 'you upgrade' : 'an admin of the account upgrades'}.
${whoCan === null && html`<a href="${path}/Upgrade">See what changes</a>`}</p></div>`
}
${
  whoCan !== null &&
  status !== 'uninstalled' &&
  html`<div class="notice"><p>${openUrl !== null && 'You can open this app. '}Only admins configure, upgrade and uninstall it.
${whoCan}</p></div>`
}
${untoldNotice(installation)}`
}

/** Says that the app is told of changes at once; nothing when it is not, or needs not be told. */
function toldFact({ appName, status, webhooks }: AccountInstallation): Html | false {
  if (status === 'uninstalled' || webhooks.status !== 'healthy') return false
  return fact('Updates', html`<bdi>${appName}</bdi> is told of changes at once.`)
}

/**
 * Says since when one of the app's endpoints does not work, and what becomes of it; nothing when all
 * do.
 */
function untoldNotice({ appName, status, webhooks }: AccountInstallation): Html | false {
  const { since } = webhooks
  if (status === 'uninstalled' || since === null) return false
  return html`<div class="notice warning"><p>${
    webhooks.status === 'failing'
      ? html`<strong><bdi>${appName}</bdi> could not always be reached since ${when(since)}.</strong> It is told
of changes when it is back.`
      : html`<strong><bdi>${appName}</bdi> may have missed changes since ${when(since)}.</strong> Contact its
developer.`
  }</p></div>
`
}
