import { when } from '../shared/history-view.ts'
import { type Html, html } from '../shared/html.ts'
import { partyBadge, type UserShell } from '../shared/html-page.ts'
import type { Message } from '../shared/message-view.ts'
import { outsideLink } from '../shared/outside-link.ts'
import { paragraphs } from '../shared/paragraphs.ts'
import { permissionList } from '../shared/permission-view.ts'
import { rates } from '../shared/rates-view.ts'
import { operatorPage, pathTo, withQuery } from './console-frame.ts'
import { changeForm } from './forms/fields.ts'
import type { AppDetail, InstallationEntry } from './record-details.ts'
import { appRow, installationBadge, installationRow, rows, rowsCard } from './record-view.ts'
import { suspensionCard, suspensionNotice } from './suspension-view.ts'

type AppPageInput = UserShell & {
  detail: AppDetail
  effect: string
  message: Message | undefined
}

/** One app: what its latest version says of itself, whose it is, and where it is installed. */
export function appPage(input: AppPageInput): string {
  const { csrfToken, detail, effect, message } = input
  const { app, definition, installations } = detail
  const path = pathTo('Apps', app.id)
  const settings = Object.values(definition.settings).flatMap((profile) => Object.keys(profile))
  return operatorPage(input, {
    tab: 'Apps',
    title: app.name,
    back: { href: '/Operator/Apps', label: 'Apps' },
    beside: html`<span class="badges">${appRow(app).badges}</span>`,
    lead: html`<p class="lead">by <a href="${pathTo('Developers', app.developerId)}"><bdi>${app.developerName}</bdi></a></p>`,
    message,
    body: html`${suspensionNotice(app, path, csrfToken)}${app.nameWarning !== null && html`<div class="notice"><p><strong>This name may be taken for another one.</strong> It <bdi>${app.nameWarning}</bdi>.</p></div>`}
<div class="columns"><div class="column">
<section class="card" aria-labelledby="about"><h2 id="about">What it says of itself</h2>${definition.description.trim() === '' ? html`<p class="muted">Nothing yet.</p>` : paragraphs(definition.description)}</section>
<section class="card" aria-labelledby="permissions"><h2 id="permissions">What it may do</h2>${permissionList(definition.permissions)}</section>
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
    html`<p class="empty-title">Nobody has it</p><p>It is installed nowhere at the moment.</p>`,
  ),
  installations.next !== undefined &&
    html`<a class="button small" href="${withQuery('/Operator/Installations', { appId: app.id })}">Show all ${app.installations}</a>`,
)}
</div><div class="column">
<section class="card" aria-labelledby="facts"><h2 id="facts">Details</h2><dl class="facts"><dt>App id</dt><dd><code>${app.id}</code></dd><dt>Version</dt><dd><bdi>${app.version}</bdi></dd><dt>Offered to</dt><dd>${app.partyTypes.map((type) => `${type}s`).join(' and ')}</dd><dt>Installations</dt><dd>${app.installations.toLocaleString('en')}</dd><dt>Settings</dt><dd>${new Set(settings).size}</dd><dt>Return address</dt><dd><bdi>${definition.authReturnUrl ?? 'None: it cannot be opened'}</bdi></dd>${outsideLink(definition.websiteUrl ?? null, 'Website')}${outsideLink(definition.supportUrl ?? null, 'Support')}<dt>Created</dt><dd>${when(app.createdAt)}</dd><dt>Changed</dt><dd>${when(app.updatedAt)}</dd></dl><p>${app.listed && !app.suspended && html`<a href="/Apps/${encodeURIComponent(app.id)}">In the directory</a> · `}<a href="${withQuery('/Operator/Audit', { subjectKind: 'app', subjectId: app.id })}">Its audit trail</a></p></section>
<section class="card" aria-labelledby="prices"><h2 id="prices">Purchase options</h2>${definition.purchaseOptions.map((option) => html`<div><h3><bdi>${option.name}</bdi></h3>${rates(option)}</div>`)}</section>
${definition.acknowledgements.length > 0 && html`<section class="card" aria-labelledby="asked"><h2 id="asked">What users accept</h2><ul class="bullets">${definition.acknowledgements.map(({ title }) => html`<li><bdi>${title}</bdi></li>`)}</ul></section>`}
${suspensionCard(app, path, effect)}
</div></div>`,
  })
}

/** Says that the account cannot install the app again, and lets it. */
function barNotice(one: InstallationEntry, path: string, csrfToken: string): Html {
  return html`<section class="notice error" aria-labelledby="barred"><h2 id="barred">Uninstalled while suspended</h2><p><bdi>${one.partyName}</bdi> cannot install <bdi>${one.appName}</bdi> again until you allow it. You suspended the app for this account with the reason:</p>${paragraphs(one.suspendedReason ?? 'No reason was given.')}${changeForm({ action: `${path}/Resume`, csrfToken, button: 'Allow to install again', kind: '' })}</section>`
}

type InstallationPageInput = UserShell & {
  one: InstallationEntry
  effect: string
  message: Message | undefined
}

/** One installation: whose app works for whom, and how it stands. */
export function installationPage(input: InstallationPageInput): string {
  const { csrfToken, one, effect, message } = input
  const path = pathTo('Installations', one.id)
  const state = { ...one, suspended: one.status === 'suspended' }
  const by: Html | false =
    state.suspended &&
    one.suspendedBy === 'developer' &&
    html`<p class="muted">The app’s developer suspended it. When you do so too, only you can resume it.</p>`
  return operatorPage(input, {
    tab: 'Installations',
    title: `${one.appName} for ${one.partyName}`,
    back: { href: '/Operator/Installations', label: 'Installations' },
    beside: installationBadge(one),
    message,
    layout: 'form',
    body: html`${suspensionNotice(state, path, csrfToken)}${by}${one.reinstallBarred && barNotice(one, path, csrfToken)}
<section class="card" aria-labelledby="facts"><h2 id="facts">Details</h2><dl class="facts"><dt>App</dt><dd><a href="${pathTo('Apps', one.appId)}"><bdi>${one.appName}</bdi></a></dd><dt>Developer</dt><dd><a href="${pathTo('Developers', one.developerId)}"><bdi>${one.developerName}</bdi></a></dd><dt>Party</dt><dd><a href="${pathTo('Parties', one.partyId)}"><bdi>${one.partyName}</bdi></a> ${partyBadge(one.partyType)}</dd><dt>Version</dt><dd><bdi>${one.installedVersion}</bdi></dd><dt>Purchase option</dt><dd><code>${one.purchaseOptionId}</code></dd><dt>Permissions</dt><dd>${one.permissions.length === 0 ? 'None' : one.permissions.map((id) => html`<code>${id}</code> `)}</dd><dt>Installed</dt><dd>${when(one.installDate)}</dd>${one.uninstalledAt !== null && html`<dt>Uninstalled</dt><dd>${when(one.uninstalledAt)}</dd>`}<dt>Installation id</dt><dd><code>${one.id}</code></dd></dl><p><a href="${withQuery('/Operator/Audit', { subjectKind: 'installation', subjectId: one.id })}">Its audit trail</a></p></section>
${one.status !== 'uninstalled' && suspensionCard(state, path, effect)}`,
  })
}
