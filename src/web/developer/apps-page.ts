import { COUNTED_IN_LIST_MAX, type Page } from '../../base/values/page-of-list.ts'
import type { AppRecord } from '../../marketplace/apps/app-record.ts'
import type { Installation } from '../../marketplace/installations/installation.ts'
import type { RecentReport } from '../../marketplace/leaks/recent-report.ts'
import { pager } from '../kit/action-list.ts'
import { appFace } from '../kit/avatar.ts'
import { typeBadge } from '../kit/badge.ts'
import { checklistCard } from '../kit/checklist.ts'
import { emptyState } from '../kit/empty-state.ts'
import { framePage, type Visit } from '../kit/frame.ts'
import { installationCount } from '../shared/page/counts.ts'
import { type Html, html } from '../shared/page/html.ts'
import type { HtmlPage } from '../shared/page/html-page.ts'
import { withQuery } from '../shared/page/with-query.ts'
import { reportedSecrets } from '../shared/status/reported-secrets-view.ts'
import { statusBadge } from '../shared/status/status-badge.ts'
import { appBadges, GUIDE_PATH, ownAppPath, ownInstallationPath } from './console-frame.ts'

type OwnAppsPageInput = Visit & {
  apps: readonly AppRecord[]
  /** AppRecord id -> number of live installations. */
  installations: ReadonlyMap<string, number>
  /** What is installed in the developer's sandbox; the first ones. */
  sandbox: Page<Installation>
  /** Secrets of the developer that were reported lately. */
  reports: readonly RecentReport[]
  /** Where the next page begins, if there is one. */
  cursor: string | undefined
}

/** The start page of the developer console: the developer's apps and its sandbox. */
export function ownAppsPage(input: OwnAppsPageInput): HtmlPage {
  const { apps, installations, cursor } = input
  return framePage({ console: 'developer', section: 'own-apps' }, input, {
    title: 'Your apps',
    head: html`<div class="section-line"><div class="page-head"><h1>Your apps</h1><p class="lead">
Publish, change and list your apps, and see who uses them.</p></div>
<a class="button primary" href="${GUIDE_PATH}">New app</a></div>`,
    content: html`${reportedSecrets(input.reports)}${checklist(input)}${
      apps.length === 0
        ? noApps
        : html`<div class="card flush"><ul class="rows">
${apps.map((app) => appRow(app, installations.get(app.id) ?? 0))}</ul></div>`
    }
${pager({ next: cursor !== undefined && { href: withQuery('/Developer', { cursor }), label: 'More apps' } })}
${sandboxCard(input)}`,
  })
}

/** The first steps of a developer, until all are done. */
function checklist({ apps, sandbox }: OwnAppsPageInput): Html | false {
  const path = apps[0] && ownAppPath(apps[0].id)
  return checklistCard('First steps', [
    { label: 'Create an app', href: GUIDE_PATH, isDone: apps.length > 0 },
    {
      label: 'Try it in your sandbox',
      href: path && `${path}/Sandbox`,
      isDone: sandbox.entries.length > 0,
    },
    {
      label: 'Receive its events with a webhook',
      href: path && `${path}/Webhooks`,
      isDone: apps.some(({ webhooks }) => webhooks.length > 0),
    },
    { label: 'List it', href: path && `${path}/List`, isDone: apps.some(({ listed }) => listed) },
  ])
}

const noApps = html`<div class="card">${emptyState(
  'apps',
  html`No apps yet. An app starts with its definition: <a href="/docs/apps">name, permissions, prices and settings</a>.`,
  { href: GUIDE_PATH, label: 'Create your first app' },
)}</div>`

function appRow(app: AppRecord, count: number): Html {
  return html`<li class="row">
${appFace(app.id, app.icon?.id)}<span class="row-text"><a class="row-name"
href="${ownAppPath(app.id)}"><bdi>${app.name}</bdi></a><span class="row-note">version <bdi>${app.version}</bdi>
· ${installationCount(count, COUNTED_IN_LIST_MAX)}</span></span><span class="badges row-badges">${appBadges(app)}</span></li>
`
}

function sandboxCard({ sandbox, apps }: OwnAppsPageInput): Html {
  const icons = new Map(apps.map(({ id, icon }) => [id, icon?.id]))
  return html`<section class="card flush" aria-labelledby="sandbox"><div class="section-head">
<h2 id="sandbox">Your sandbox</h2>${
    sandbox.next !== undefined &&
    html`<a class="button small" href="/Developer/Installations?partyType=None">Show all</a>`
  }${typeBadge('Sandbox')}</div>
${
  sandbox.entries.length === 0
    ? emptyState(
        'apps',
        `Nothing is installed in your sandbox, an account with sample products. Try your apps in it before others can see them.${
          apps.length > 0 ? ' Open an app and choose “Install in the sandbox”.' : ''
        }`,
      )
    : html`<ul class="rows">${sandbox.entries.map(
        (one) => html`<li class="row">
${appFace(one.appId, icons.get(one.appId))}<span class="row-text"><a class="row-name"
href="${ownInstallationPath(one.id)}"><bdi>${one.appName}</bdi></a><span class="row-note">version
<bdi>${one.installedVersion}</bdi> ·
<bdi>${one.purchaseOptionId}</bdi></span></span>${one.status === 'suspended' && statusBadge('suspended')}
</li>`,
      )}</ul>`
}</section>`
}
