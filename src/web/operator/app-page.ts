import { countText } from '../../values/page-of-list.ts'
import { permissionList } from '../shared/app-parts/permission-view.ts'
import { rates } from '../shared/app-parts/rates-view.ts'
import { bdi, card, fact } from '../shared/page/blocks.ts'
import { type Html, html } from '../shared/page/html.ts'
import { partyBadge, type UserShell } from '../shared/page/html-page.ts'
import type { Message } from '../shared/page/message-view.ts'
import { outsideLink } from '../shared/page/outside-link.ts'
import { paragraphs } from '../shared/page/paragraphs.ts'
import { when } from '../shared/status/history-view.ts'
import { mayChange, operatorPage, pathTo, withQuery } from './console-frame.ts'
import { changeForm } from './forms/fields.ts'
import type { AppDetail, InstallationEntry } from './record-details.ts'
import { appRow, installationBadge, installationRow, rows, rowsCard } from './record-view.ts'
import { suspensionCard, suspensionNotice } from './suspension/suspension-view.ts'
import { webhooksCard } from './webhooks-card.ts'

type AppPageInput = UserShell & {
  detail: AppDetail
  effect: string
  message: Message | undefined
}

/** One app: what its latest version says of itself, whose it is, and where it is installed. */
export function appPage(input: AppPageInput): string {
  const { csrfToken, detail, effect, message } = input
  const isOperator = mayChange(input)
  const { app, definition, installations, webhooks } = detail
  const path = pathTo('Apps', app.id)
  const settings = Object.values(definition.settings).flatMap((profile) => Object.keys(profile))
  return operatorPage(input, {
    tab: 'Apps',
    title: app.name,
    back: { href: '/Operator/Apps', label: 'Apps' },
    beside: html`<span class="badges">${appRow(app).badges}</span>`,
    lead: html`<p class="lead">
by <a href="${pathTo('Developers', app.developerId)}"><bdi>${app.developerName}</bdi></a></p>`,
    message,
    body: html`${suspensionNotice(app, path, isOperator && csrfToken)}${
      app.nameWarning !== null &&
      html`<div class="notice">
<p><strong>This name resembles another name.</strong> It <bdi>${app.nameWarning}</bdi>.</p></div>`
    }
<div class="columns"><div class="column">
${card(
  'about',
  'Description',
  html`${
    definition.description.trim() === ''
      ? html`<p class="muted">No description yet.</p>`
      : paragraphs(definition.description)
  }`,
)}
${card('permissions', 'Permissions', permissionList(definition.permissions))}
${rowsCard(
  'installations',
  'Installations',
  rows(
    installations.entries,
    (one) => ({
      ...installationRow(one),
      name: one.partyName,
      note: html`version <bdi>${one.installedVersion}</bdi>`,
    }),
    html`<p class="empty-title">No installations</p><p>No account has installed this app.</p>`,
  ),
  installations.next !== undefined &&
    html`<a class="button small" href="${withQuery('/Operator/Installations', { appId: app.id })}">Show all</a>`,
)}</div><div class="column">
${card(
  'facts',
  'Details',
  html`<dl class="facts">
${fact('App ID', html`<code>${app.id}</code>`)}${fact('Version', bdi(app.version ?? 'None'))}
${fact('Offered to', html`${app.partyTypes.map((type) => `${type}s`).join(' and ')}`)}
${fact('Installations', countText(app.installations))}${fact('Settings', new Set(settings).size)}
${fact('Return address', bdi(definition.authReturnUrl ?? 'None: runs in the background'))}${outsideLink(
  definition.websiteUrl ?? null,
  'Website',
)}${outsideLink(definition.supportUrl ?? null, 'Support')}
${fact('Created', when(app.createdAt))}${fact('Changed', when(app.updatedAt))}</dl><p>${
    app.listed &&
    !app.suspended &&
    html`<a href="/Apps/${encodeURIComponent(app.id)}">View listing</a>
· `
  }<a href="${withQuery('/Operator/Audit', { subjectKind: 'app', subjectId: app.id })}">Audit trail</a>
</p>`,
)}
${webhooksCard(webhooks)}
${card(
  'prices',
  'Purchase options',
  html`${definition.purchaseOptions.map(
    (option) => html`<div><h3><bdi>${option.name}</bdi></h3>${rates(option)}</div>`,
  )}`,
)}
${
  definition.acknowledgements.length > 0 &&
  html`${card(
    'asked',
    'Confirmations at install',
    html`<ul class="bullets">
${definition.acknowledgements.map(({ title }) => html`<li><bdi>${title}</bdi></li>`)}</ul>`,
  )}`
}
${isOperator && suspensionCard(app, path, effect)}</div></div>`,
  })
}

/** Says that the account cannot install the app again, and lets it. */
function barNotice(one: InstallationEntry, path: string, csrfToken: string | false): Html {
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
  one: InstallationEntry
  effect: string
  message: Message | undefined
}

/** One installation: whose app works for whom, and how it stands. */
export function installationPage(input: InstallationPageInput): string {
  const { csrfToken, one, effect, message } = input
  const isOperator = mayChange(input)
  const path = pathTo('Installations', one.id)
  const state = { ...one, suspended: one.status === 'suspended' }
  const by: Html | false =
    state.suspended &&
    one.suspendedBy === 'developer' &&
    html`<p class="muted">
The app’s developer suspended it. If you suspend it too, only an operator can resume it.</p>`
  return operatorPage(input, {
    tab: 'Installations',
    title: `${one.appName} for ${one.partyName}`,
    back: { href: '/Operator/Installations', label: 'Installations' },
    beside: installationBadge(one),
    message,
    layout: 'form',
    body: html`${suspensionNotice(state, path, isOperator && csrfToken)}${by}
${one.reinstallBarred && barNotice(one, path, isOperator && csrfToken)}
${card(
  'facts',
  'Details',
  html`<dl class="facts">
${fact('App', html`<a href="${pathTo('Apps', one.appId)}"><bdi>${one.appName}</bdi></a>`)}
${fact(
  'Developer',
  html`<a href="${pathTo('Developers', one.developerId)}"><bdi>${one.developerName}</bdi></a>`,
)}
${fact(
  'Party',
  html`<a href="${pathTo('Parties', one.partyId)}"><bdi>${one.partyName}</bdi></a>
${partyBadge(one.partyType)}`,
)}${fact('Version', bdi(one.installedVersion))}
${fact('Purchase option', html`<code>${one.purchaseOptionId}</code>`)}
${fact(
  'Permissions',
  html`${
    one.permissions.length === 0 ? 'None' : one.permissions.map((id) => html`<code>${id}</code> `)
  }`,
)}${fact('Installed', when(one.installDate))}${
  one.uninstalledAt !== null && fact('Uninstalled', when(one.uninstalledAt))
}${fact('Installation ID', html`<code>${one.id}</code>`)}
</dl><p><a href="${withQuery('/Operator/Audit', { subjectKind: 'installation', subjectId: one.id })}">Audit trail</a>
</p>`,
)}
${isOperator && one.status !== 'uninstalled' && suspensionCard(state, path, effect)}`,
  })
}
