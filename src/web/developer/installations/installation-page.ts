import type { InstallationUsage } from '../../../marketplace/usage/usage.ts'
import { detailPage, type RecordAction } from '../../kit/detail-page.ts'
import { settingsFacts } from '../../kit/settings-fields.ts'
import { ACCEPTANCES } from '../../shared/app-parts/acceptances-view.ts'
import { quoteView } from '../../shared/app-parts/amounts.ts'
import type { DefinitionNames } from '../../shared/app-parts/definition-names.ts'
import { permissionList } from '../../shared/app-parts/permission-view.ts'
import { usageCard } from '../../shared/app-parts/usage-view.ts'
import { settingsSetBy } from '../../shared/forms/settings-form.ts'
import { bdi, card, fact } from '../../shared/page/blocks.ts'
import { copied } from '../../shared/page/copied.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { type HtmlPage, partyBadge } from '../../shared/page/html-page.ts'
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
    usage: InstallationUsage
    now: Date
  },
): HtmlPage {
  const { own, history, names, people, usage, now } = input
  const { installation, option, profile, stored, permissions, quote, suspensions } = own
  const { id, appId, appName, partyName, partyType, partyId } = installation
  const path = ownInstallationPath(id)
  const isLive = installation.status !== 'uninstalled'
  const hasAdmin = settingsSetBy('admin', profile).length > 0
  return detailPage({ console: 'developer', section: 'installations' }, input, {
    title: `${appName} for ${partyName}`,
    back: { href: '/Developer/Installations', label: 'Installations' },
    heading: html`<bdi>${partyName}</bdi>`,
    lead: html`<a href="${ownAppPath(appId)}"><bdi>${appName}</bdi></a>`,
    badges: html`${statusBadge(standingOf({ status: installation.status, suspensions }))}${partyBadge(partyType)}`,
    ...(isLive && actionsOf(own, path)),
    notices: notices(own),
    cards: html`${card(
      'admin',
      'Admin settings',
      hasAdmin
        ? settingsFacts({ profile, stored: stored.admin, side: 'admin', isLive })
        : html`<p class="muted">This purchase option has no admin settings.</p>`,
      isLive &&
        hasAdmin &&
        html`<a class="button small" href="${path}/Settings">Edit admin settings</a>`,
    )}
${card(
  'user',
  'User settings',
  settingsSetBy('user', profile).length > 0
    ? settingsFacts({ profile, stored: stored.user, isLive })
    : html`<p class="muted">This purchase option has no user settings.</p>`,
)}
${card('permissions', 'Permissions', permissionList(permissions))}
${usageCard(usage, 'developer', now)}
${card('history', 'History', historyPage(history, namesForDeveloper(people, names), path))}`,
    facts: html`${fact('Version', bdi(installation.installedVersion))}
${fact('Account ID', copied(partyId))}
${fact('Installed', when(installation.installDate))}
${fact('Changed', when(installation.updatedAt))}
${fact('Installation ID', copied(id))}`,
    below: html`<p><a href="/Developer/Events?installationId=${id}">Events of this installation</a></p>
<p><a href="${path}/${ACCEPTANCES}">What was accepted</a></p>`,
    aside: card(
      'plan',
      'Purchase option',
      html`<p class="row-name"><bdi>${option.name}</bdi></p>
${quoteView(quote, option)}`,
    ),
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

function actionsOf({ installation, suspensions, canOpen }: OwnInstallation, path: string) {
  const isActive = installation.status === 'active'
  const mayResume =
    !isActive && !suspensions.some(({ what, by }) => by === 'operator' && what === 'installation')
  const usual: RecordAction[] = [
    ...(mayResume ? [{ label: 'Resume', post: `${path}/Resume` }] : []),
    ...(canOpen && installation.partyType === 'None'
      ? [{ label: 'Open in the sandbox', href: `${ownAppPath(installation.appId)}/Sandbox/Open` }]
      : []),
    ...(isActive ? [{ label: 'Make a test token…', href: `${path}/TestToken` }] : []),
  ]
  const suspend = {
    title: 'Suspend this installation',
    effect: 'Its tokens are refused immediately. They work again after you resume it.',
    label: 'Suspend…',
    href: `${path}/Suspend`,
  }
  return {
    usual,
    dangers: [
      {
        title: 'Revoke all tokens',
        effect: 'All current tokens stop working. You can request new ones.',
        label: 'Revoke all tokens…',
        href: `${path}/Tokens`,
      },
      ...(isActive ? [suspend] : []),
      {
        title: 'Uninstall',
        effect: 'You cannot undo this.',
        label: 'Uninstall…',
        href: `${path}/Uninstall`,
      },
    ],
  }
}
