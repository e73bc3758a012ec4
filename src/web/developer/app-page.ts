import type { AppRecord, AppVersion } from '../../marketplace/apps/app-record.ts'
import { markBadge, typeBadge } from '../kit/badge.ts'
import { framePage, type Visit } from '../kit/frame.ts'
import { documentKind } from '../shared/app-parts/consent-view.ts'
import { permissionList } from '../shared/app-parts/permission-view.ts'
import { card, fact } from '../shared/page/blocks.ts'
import { installationCount } from '../shared/page/counts.ts'
import { type Html, html } from '../shared/page/html.ts'
import { type HtmlPage, tile } from '../shared/page/html-page.ts'
import { paragraphs } from '../shared/page/paragraphs.ts'
import {
  type HistoryPage,
  historyPage,
  namesForDeveloper,
  when,
} from '../shared/status/history-view.ts'
import { appBadges, ownAppPath } from './console-frame.ts'
import { acknowledgementsView, optionsView } from './definition-view.ts'
import { healthBadge } from './webhooks/endpoint-words.ts'
import { webhookPath } from './webhooks/webhook-paths.ts'

type OwnAppPageInput = Visit & {
  app: AppRecord
  installations: number
  /** The option whose settings are shown when there are very many. */
  shownOptionId: string | undefined
  /** Whether it is installed in the developer's sandbox. */
  inSandbox: boolean
  /** The newest versions. */
  versions: readonly AppVersion[]
  history: HistoryPage
  /** The names of the people in its history. */
  people: ReadonlyMap<string, string>
}

/** One of the developer's apps: its definition, its versions, and what can be done with it. */
export function ownAppPage(input: OwnAppPageInput): HtmlPage {
  const { app, history } = input
  const path = ownAppPath(app.id)
  return framePage({ console: 'developer', section: 'own-apps' }, input, {
    title: app.name,
    back: { href: '/Developer', label: 'Your apps' },
    head: head(input, path),
    content: html`${
      app.suspended &&
      html`<div class="notice error"><p>
<strong>The operator has suspended this app.</strong> Nobody can find, install or open it, and its tokens are
refused.${app.suspendedReason !== null && html` Reason: <bdi>${app.suspendedReason}</bdi>`}</p></div>`
    }
<div class="columns">
<div class="column">
${card(
  'about',
  'Description',
  html`${
    app.description.trim() === ''
      ? html`<p class="muted">No description yet. An app needs one before you can list it.</p>`
      : paragraphs(app.description)
  }`,
)}
${card('permissions', 'Permissions', permissionList(app.permissions))}
${card('options', 'Purchase options and settings', optionsView(app, { path, shownOptionId: input.shownOptionId }))}
${card('acknowledgements', 'Acknowledgements', html`${acknowledgementsView(app.acknowledgements)}`)}
</div>
<div class="column">
${facts(input)}
${card(
  'terms',
  'Terms document',
  html`${
    app.termsDocument === null
      ? html`<p class="muted">No terms document.
</p>`
      : html`<p><a href="${path}/Terms/Document">Download the terms</a> <span class="fine">(${documentKind(app.termsDocument)})</span>
</p>`
  }`,
  html`<a class="button small" href="${path}/Terms">${app.termsDocument === null ? 'Add' : 'Change'}</a>`,
)}
${webhooksCard(app, path)}
${versionsCard(input, path)}
${card('history', 'History', historyPage(history, namesForDeveloper(input.people), path))}
${card(
  'delete',
  'Delete this app',
  html`<p class="muted">
You can delete an app only while no account has it installed. Its ID can never be reused.</p><p>
<a class="button danger" href="${path}/Delete">Delete…</a></p>`,
)}</div></div>`,
  })
}

function head({ app, inSandbox }: OwnAppPageInput, path: string): Html {
  return html`<div class="listing-head">${tile(app.name)}
<div class="listing-title"><h1><bdi>${app.name}</bdi></h1><p class="row-note">
version <bdi>${app.version}</bdi></p><p class="badges">
${appBadges(app)}${app.partyTypes.map((type) => typeBadge(`For ${type}s`))}
</p></div>
<div class="actions">
<a class="button" href="${path}/Definition">Edit definition</a><a class="button" href="${path}/Sandbox">Install in the sandbox</a>
${app.authReturnUrl !== null && inSandbox && html`<a class="button" href="${path}/Sandbox/Open">Open in the sandbox</a>`}
${
  app.listed
    ? html`<a class="button" href="${path}/Unlist">Unlist…</a>`
    : html`<a class="button primary" href="${path}/List">List…</a>`
}</div></div>`
}

function facts({ app, installations }: OwnAppPageInput): Html {
  const address = (label: string, url: string | null, none = 'None') =>
    html`<dt>${label}</dt><dd>
${url === null ? html`<span class="muted">${none}</span>` : html`<bdi>${url}</bdi>`}</dd>`
  return html`${card(
    'facts',
    'Details',
    html`<dl class="facts">
${fact('App ID', html`<code>${app.id}</code>`)}
${fact(
  'Installations',
  html`<a
href="/Developer/Installations?appId=${encodeURIComponent(app.id)}">${installationCount(installations)}</a>`,
)}${address('Return address', app.authReturnUrl, 'None: runs in the background')}${
  app.authReturnUrl !== null && fact('Token delivery', handedOver(app))
}${address('Website', app.websiteUrl)}${address(
  'Support',
  app.supportUrl,
)}${fact('Created', when(app.createdAt))}${fact('Changed', when(app.updatedAt))}</dl>${
      app.listed &&
      !app.suspended &&
      html`<p><a href="/Apps/${encodeURIComponent(app.id)}">View listing</a>
</p>`
    }`,
  )}`
}

/** What the redirect of an app hands over. */
function handedOver({ tokenDelivery }: AppRecord): string {
  return tokenDelivery === 'code'
    ? 'By authorization code only'
    : 'In the URL, or by authorization code'
}

function webhooksCard({ id, webhooks }: AppRecord, path: string): Html {
  return card(
    'webhooks',
    'Webhooks',
    webhooks.length === 0
      ? html`<p class="muted">No endpoint receives the events of this app. They are in your
<a href="/Developer/Events?appId=${encodeURIComponent(id)}">event log</a>.</p>`
      : html`<ul class="history">${webhooks.map(
          (
            one,
          ) => html`<li><a href="${webhookPath({ appId: id, id: one.id })}"><bdi>${one.url}</bdi></a><span>${healthBadge(one)}</span></li>
`,
        )}</ul><p><a href="/Developer/Events?appId=${encodeURIComponent(id)}">Events of this app</a></p>`,
    html`<a class="button small" href="${path}/Webhooks">${webhooks.length === 0 ? 'Add endpoint' : 'All webhooks'}</a>`,
  )
}

function versionsCard({ versions }: OwnAppPageInput, path: string): Html {
  return html`${card(
    'versions',
    'Versions',
    html`<ul class="history">${versions.map(
      (one) => html`<li>
<span><bdi>${one.version}</bdi>${one.latest && html` ${markBadge('Latest')}`}</span><span
class="fine">${installationCount(one.installations)}, ${when(one.publishedAt)}</span></li>`,
    )}</ul>`,
    html`<a class="button small" href="${path}/Versions">All versions</a>`,
  )}`
}
