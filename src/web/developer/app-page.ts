import type { App, AppVersion } from '../../apps/app-record.ts'
import { documentKind } from '../shared/consent-view.ts'
import { type HistoryPage, historyPage, namesForDeveloper, when } from '../shared/history-view.ts'
import { type Html, html } from '../shared/html.ts'
import { csrfField, tile } from '../shared/html-page.ts'
import { paragraphs } from '../shared/paragraphs.ts'
import { permissionList } from '../shared/permission-view.ts'
import { installationCount } from './apps-page.ts'
import { appBadges, type ConsoleInput, developerPage, ownAppPath } from './console-frame.ts'
import { acknowledgementsView, optionsView } from './definition-view.ts'

type OwnAppPageInput = ConsoleInput & {
  app: App
  installations: number
  /** The newest versions. */
  versions: readonly AppVersion[]
  history: HistoryPage
}

/** One of the developer's apps: its definition, its versions, and what can be done with it. */
export function ownAppPage(input: OwnAppPageInput): string {
  const { app, history } = input
  const path = ownAppPath(app.id)
  return developerPage(input, {
    title: app.name,
    section: 'own-apps',
    back: { href: '/Developer', label: 'your apps' },
    head: head(input, path),
    content: html`${app.suspended && html`<div class="notice error"><p><strong>The operator has suspended this app.</strong> Nobody can find, install or open it, and its tokens are refused. The history says why.</p></div>`}
<div class="columns">
<div class="column">
<section class="card" aria-labelledby="about"><h2 id="about">What it does</h2>${app.description.trim() === '' ? html`<p class="muted">The definition has no description yet. A listed app needs one.</p>` : paragraphs(app.description)}</section>
<section class="card" aria-labelledby="permissions"><h2 id="permissions">Permissions</h2>${permissionList(app.permissions)}</section>
<section class="card" aria-labelledby="options"><h2 id="options">Purchase options and settings</h2>${optionsView(app)}</section>
<section class="card" aria-labelledby="acknowledgements"><h2 id="acknowledgements">To be acknowledged at install</h2>${acknowledgementsView(app.acknowledgements)}</section>
</div>
<div class="column">
${facts(input)}
<section class="card" aria-labelledby="terms"><div class="card-title"><h2 id="terms">Terms document</h2><a class="button small" href="${path}/Terms">${app.termsDocument === null ? 'Add' : 'Change'}</a></div>${app.termsDocument === null ? html`<p class="muted">There are no terms to accept.</p>` : html`<p><a href="${path}/Terms/Document">Download the terms</a> <span class="fine">(${documentKind(app.termsDocument)})</span></p>`}</section>
${versionsCard(input, path)}
<section class="card" aria-labelledby="history"><h2 id="history">History</h2>${historyPage(history, namesForDeveloper(), path)}</section>
<section class="card" aria-labelledby="delete"><h2 id="delete">Delete this app</h2><p class="muted">Only while nobody has it installed. Its id is never used again.</p><p><a class="button danger" href="${path}/Delete">Delete…</a></p></section>
</div>
</div>`,
  })
}

function head({ app, csrfToken }: OwnAppPageInput, path: string): Html {
  return html`<div class="listing-head">${tile(app.name)}
<div class="listing-title"><h1><bdi>${app.name}</bdi></h1><p class="row-note">version <bdi>${app.version}</bdi></p><p class="badges">${appBadges(app)}${app.partyTypes.map((type) => html`<span class="badge badge-${type.toLowerCase()}">For ${type}s</span>`)}</p></div>
<div class="actions"><a class="button" href="${path}/Definition">Edit definition</a><a class="button" href="${path}/Sandbox">Try in the sandbox</a><form method="post" action="${path}/${app.listed ? 'Unlist' : 'List'}">${csrfField(csrfToken)}<button class="button${app.listed ? '' : ' primary'}" type="submit">${app.listed ? 'Unlist' : 'List'}</button></form></div></div>`
}

function facts({ app, installations }: OwnAppPageInput): Html {
  const address = (label: string, url: string | null) =>
    html`<dt>${label}</dt><dd>${url === null ? html`<span class="muted">None</span>` : html`<bdi>${url}</bdi>`}</dd>`
  return html`<section class="card" aria-labelledby="facts"><h2 id="facts">Details</h2><dl class="facts"><dt>App id</dt><dd><code>${app.id}</code></dd><dt>In use</dt><dd><a href="/Developer/Installations?appId=${encodeURIComponent(app.id)}">${installationCount(installations)}</a></dd>${address('Return address', app.authReturnUrl)}${address('Website', app.websiteUrl)}${address('Support', app.supportUrl)}<dt>Created</dt><dd>${when(app.createdAt)}</dd><dt>Changed</dt><dd>${when(app.updatedAt)}</dd></dl>${app.listed && !app.suspended && html`<p><a href="/Apps/${encodeURIComponent(app.id)}">View listing</a></p>`}</section>`
}

function versionsCard({ versions }: OwnAppPageInput, path: string): Html {
  return html`<section class="card" aria-labelledby="versions"><div class="card-title"><h2 id="versions">Versions</h2><a class="button small" href="${path}/Versions">All versions</a></div><ul class="history">${versions.map((one) => html`<li><span><bdi>${one.version}</bdi>${one.latest && html` <span class="badge badge-on">Latest</span>`}</span><span class="fine">${installationCount(one.installations)}, ${when(one.publishedAt)}</span></li>`)}</ul></section>`
}
