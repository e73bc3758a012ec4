import type { InstallationUsage } from '../../marketplace/usage/usage.ts'
import { detailPage } from '../kit/detail-page.ts'
import { mayChange } from '../kit/frame.ts'
import { ACCEPTANCES } from '../shared/app-parts/acceptances-view.ts'
import { usageCard } from '../shared/app-parts/usage-view.ts'
import { bdi, fact } from '../shared/page/blocks.ts'
import { copied } from '../shared/page/copied.ts'
import { type Html, html } from '../shared/page/html.ts'
import { type HtmlPage, partyBadge, type UserShell } from '../shared/page/html-page.ts'
import type { Message } from '../shared/page/message-view.ts'
import { paragraphs } from '../shared/page/paragraphs.ts'
import { withQuery } from '../shared/page/with-query.ts'
import { when } from '../shared/status/history-view.ts'
import { pathTo } from './addresses.ts'
import { changeForm } from './forms/fields.ts'
import type { InstallationDetail } from './record-details.ts'
import { installationBadge } from './record-view.ts'
import { suspensionDanger, suspensionNotice } from './suspension/suspension-view.ts'

/** Says that the account cannot install the app again, and lets it. */
function barNotice(one: InstallationDetail, path: string, csrfToken: string | false): Html {
  return html`<section class="notice error" aria-labelledby="barred">
<h2 id="barred">Uninstalled while suspended</h2><p>
<bdi>${one.partyName}</bdi> cannot install <bdi>${one.appName}</bdi> again until you allow it. The app was
suspended for this account for this reason:
</p>${paragraphs(one.suspendedReason ?? 'No reason was given.')}${
    csrfToken !== false &&
    changeForm({
      action: `${path}/Resume`,
      csrfToken,
      button: 'Allow to install again',
      kind: '',
    })
  }
</section>`
}

type InstallationPageInput = UserShell & {
  one: InstallationDetail
  effect: string
  usage: InstallationUsage
  now: Date
  message: Message | undefined
}

/** One installation: whose app works for whom, and how it stands. */
export function installationPage(input: InstallationPageInput): HtmlPage {
  const { csrfToken, one, effect } = input
  const isOperator = mayChange(input)
  const path = pathTo('Installations', one.id)
  const state = { ...one, suspended: one.status === 'suspended' }
  const by: Html | false =
    state.suspended &&
    one.suspendedBy === 'developer' &&
    html`<p class="muted">
The app’s developer suspended it. If you suspend it too, only an operator can resume it.</p>`
  return detailPage({ console: 'operator', tab: 'Installations' }, input, {
    title: `${one.appName} for ${one.partyName}`,
    back: { href: '/Operator/Installations', label: 'Installations' },
    badges: installationBadge(one),
    layout: 'form',
    notices: html`${suspensionNotice(state, path, isOperator && csrfToken)}${by}
${one.reinstallBarred && barNotice(one, path, isOperator && csrfToken)}`,
    ...(isOperator &&
      one.status !== 'uninstalled' && { dangers: suspensionDanger(state, path, effect) }),
    facts: html`${fact(
      'App',
      one.isAppDeleted
        ? html`<bdi>${one.appName}</bdi> (deleted)`
        : html`<a href="${pathTo('Apps', one.appId)}"><bdi>${one.appName}</bdi></a>`,
    )}
${fact(
  'Developer',
  html`<a href="${pathTo('Developers', one.developerId)}"><bdi>${one.developerName}</bdi></a>`,
)}
${fact(
  'Account',
  html`<a href="${pathTo('Parties', one.partyId)}"><bdi>${one.partyName}</bdi></a>
${partyBadge(one.partyType)}`,
)}${fact('Version', bdi(one.installedVersion))}
${fact('Purchase option', bdi(one.optionName))}
${fact(
  'Permissions',
  html`${
    one.permissions.length === 0 ? 'None' : one.permissions.map((id) => html`<code>${id}</code> `)
  }`,
)}${fact('Installed', when(one.installDate))}${
  one.uninstalledAt !== null && fact('Uninstalled', when(one.uninstalledAt))
}${fact('Installation ID', copied(one.id))}`,
    below: html`<p><a href="${withQuery('/Operator/Audit', { subjectKind: 'installation', subjectId: one.id })}">Audit trail</a></p>
<p><a href="${path}/${ACCEPTANCES}">What was accepted</a></p>`,
    aside: usageCard(input.usage, 'operator', input.now),
  })
}
