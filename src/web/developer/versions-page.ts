import type { AppRecord, AppVersion } from '../../marketplace/apps/app-record.ts'
import type { Change } from '../../marketplace/apps/versions/change-kinds.ts'
import { isBreaking } from '../../marketplace/apps/versions/compare-definitions.ts'
import { pager } from '../kit/action-list.ts'
import { markBadge, stateBadge } from '../kit/badge.ts'
import { controlsView, type FormSpec } from '../kit/fields.ts'
import { framePage, type Visit } from '../kit/frame.ts'
import { changeList } from '../shared/app-parts/definition-changes-view.ts'
import { installationCount } from '../shared/page/counts.ts'
import { type Html, html } from '../shared/page/html.ts'
import type { HtmlPage } from '../shared/page/html-page.ts'
import { publicMarkdown } from '../shared/page/public-markdown.ts'
import { when } from '../shared/status/history-view.ts'
import { ownAppPath } from './console-frame.ts'

type VersionsPageInput = Visit & {
  app: AppRecord
  versions: readonly AppVersion[]
  /** Two versions and what is different between them, when they were asked for. */
  comparison: { from: string; to: string; changes: readonly Change[] } | undefined
  /** Where this page begins, unless it is the first, and where the next one does, if there is one. */
  shown: string | undefined
  cursor: string | undefined
}

/** The versions of an app, newest first, and the difference between any two of them. */
export function versionsPage(input: VersionsPageInput): HtmlPage {
  const { app, versions, comparison, shown, cursor } = input
  const path = ownAppPath(app.id)
  const compared = comparison && { from: comparison.from, to: comparison.to }
  const query = (more: Record<string, string>) => new URLSearchParams({ ...compared, ...more })
  const place = { console: 'developer', section: 'own-apps' } as const
  return framePage({ ...place, app: { id: app.id, tab: 'Versions' } }, input, {
    title: `Versions of ${app.name}`,
    back: { href: path, label: app.name },
    heading: html`Versions of <bdi>${app.name}</bdi>`,
    lead: 'Each account keeps the version it agreed to.',
    content: html`${comparisonForm(input, path)}
${comparisonView(input)}
<div class="card flush"><ul class="rows">${versions.map(versionRow)}</ul></div>
${pager({
  first: shown !== undefined && {
    href: `${path}/Versions?${String(query({}))}`,
    label: 'Newest versions',
  },
  next: cursor !== undefined && {
    href: `${path}/Versions?${String(query({ cursor }))}`,
    label: 'Older versions',
  },
})}`,
  })
}

function versionRow(one: AppVersion): Html {
  const { version, latest, installations, publishedAt, changes, releaseNotes } = one
  return html`<li class="row"><div class="row-text stack">
<span><span class="row-name"><bdi>${version}</bdi></span>${
    latest && html` ${markBadge('Latest')}`
  }<br><span class="row-note">published
${when(publishedAt)} · ${installationCount(installations)}</span></span>
${
  releaseNotes.trim() !== '' &&
  html`<details>
<summary>Release notes</summary>
${publicMarkdown(releaseNotes)}</details>`
}
${
  changes.length > 0 &&
  html`<details>
<summary>${changes.length} ${changes.length === 1 ? 'change' : 'changes'} since the previous
version${isBreaking(changes) && html` ${stateBadge('off', 'Breaking')}`}</summary>
${changeList(changes)}</details>`
}</div></li>
`
}

function comparisonForm(
  { versions, comparison, shown }: VersionsPageInput,
  path: string,
): Html | false {
  const offered = new Set(versions.map(({ version }) => version))
  // Those that are compared already, also from another page.
  for (const version of [comparison?.from, comparison?.to]) {
    if (version !== undefined) offered.add(version)
  }
  if (offered.size < 2) return false
  const from = comparison?.from ?? versions[1]?.version
  const to = comparison?.to ?? versions[0]?.version
  const choices = [...offered].map((version) => [version, version] as const)
  const fields: FormSpec = {
    from: { label: 'From version', kind: 'choice', choices },
    to: { label: 'To version', kind: 'choice', choices },
  }
  const typed = new Map([
    ['from', from ?? ''],
    ['to', to ?? ''],
  ])
  return html`<form class="search" method="get" action="${path}/Versions">
${shown !== undefined && html`<input type="hidden" name="cursor" value="${shown}">`}
${controlsView(fields, { typed, problems: [] })}
<button class="button" type="submit">Compare</button></form>`
}

function comparisonView({ comparison }: VersionsPageInput): Html | false {
  if (comparison === undefined) return false
  const { from, to, changes } = comparison
  return html`<section class="card" aria-labelledby="comparison">
<h2 id="comparison">From <bdi>${from}</bdi> to <bdi>${to}</bdi></h2>${
    changes.length === 0 ? html`<p>No differences.</p>` : changeList(changes)
  }</section>`
}
