import type { DeveloperRecord } from '../../identity/accounts/operator-records.ts'
import { appBadges, ownAppPath, ownInstallationPath } from '../developer/console-frame.ts'
import type { Hit } from '../docs/search-index.ts'
import { appFace, DEVELOPER_GLYPH } from '../kit/avatar.ts'
import { emptyState } from '../kit/empty-state.ts'
import { controlView } from '../kit/fields.ts'
import { framePage } from '../kit/frame.ts'
import type { AppCard } from '../marketplace/app-card.ts'
import { pathTo } from '../operator/addresses.ts'
import {
  appRow,
  installationBadge,
  installationRow,
  partyRow,
  type Row,
  rows,
  rowsCard,
  suspendedBadgeOf,
  userRow,
} from '../operator/record-view.ts'
import type { FormProblem } from '../shared/forms/form-problems.ts'
import { type Html, html } from '../shared/page/html.ts'
import type { HtmlPage, PageShell } from '../shared/page/html-page.ts'
import { withQuery } from '../shared/page/with-query.ts'
import type { DeveloperFinds, Finds, FoundSome, InstallationFound, OperatorFinds } from './found.ts'

type SearchPageInput = PageShell & {
  /** What was typed. */
  q: string
  problems: readonly FormProblem[]
  /** Undefined where nothing was searched. */
  finds: Finds | undefined
  /** Whether the visitor works for several developers and has chosen none. */
  mustChooseDeveloper: boolean
}

type Group = {
  id: string
  title: string
  rows: readonly Row[]
  more: { href: string; label: string } | undefined
}

/** Everything that a visitor may see and that has a text, in groups. */
export function resultsPage(input: SearchPageInput): HtmlPage {
  const { q, problems, finds, user } = input
  const groups =
    finds === undefined ? [] : groupsOf(q, finds).filter((group) => group.rows.length > 0)
  const isEmpty = q === ''
  return framePage({ console: 'marketplace' }, input, {
    title: 'Search',
    ...(finds !== undefined && { about: q }),
    takesFocus: isEmpty,
    lead: isEmpty && (user ? 'Everything that you may see, by name or ID.' : 'Apps and guides.'),
    content: html`<form class="search" method="get" action="/Search" role="search">
      ${controlView('q', { label: 'Search', kind: 'search', takesFocus: isEmpty }, { problems, typed: new Map([['q', q]]) })}
      <button class="button primary" type="submit">Search</button>
    </form>
    ${finds !== undefined && input.mustChooseDeveloper && CHOOSE_DEVELOPER}
    ${groups.map(groupCard)}
    ${
      finds !== undefined &&
      groups.length === 0 &&
      html`<div class="card">${emptyState('search', 'No results. Check the spelling, or enter fewer words.')}</div>`
    }`,
  })
}

const CHOOSE_DEVELOPER = html`<p class="muted">
  <a href="/Developer/Choose">Choose a developer</a> to find its apps and installations.
</p>`

function groupCard({ id, title, rows: found, more }: Group): Html {
  const way = more !== undefined && html`<a href="${more.href}">${more.label}</a>`
  return rowsCard(
    id,
    title,
    rows(found, (row) => row, html``),
    way,
  )
}

function groupsOf(q: string, { operator, developer, installed, apps, guides }: Finds): Group[] {
  return [
    ...(operator === undefined ? [] : operatorGroups(q, operator)),
    ...(developer === undefined ? [] : developerGroups(developer)),
    group('installed', 'Your installed apps', installed, installedRow, {
      href: '/Installed',
      label: 'All installed apps',
    }),
    group('directory', 'Apps in the directory', apps, directoryRow, allWith('apps', '/Apps', q)),
    group('guides', 'Guides', guides, guideRow, allWith('guides', '/docs/search', q)),
  ]
}

function operatorGroups(q: string, finds: OperatorFinds): Group[] {
  const { parties, users, developers, apps, installations } = finds
  const { of } = installations
  const ofWhom = of && {
    href: withQuery('/Operator/Installations', { partyId: of.partyId, appId: of.appId }),
    label: `All installations of ${of.name}`,
  }
  return [
    group('accounts', 'Accounts', parties, partyRow, allWith('accounts', '/Operator/Parties', q)),
    group('users', 'Users', users, userRow, allWith('users', '/Operator/Users', q)),
    group(
      'developers',
      'Developers',
      developers,
      developerRow,
      allWith('developers', '/Operator/Developers', q),
    ),
    group('apps', 'Apps', apps, appRow, allWith('apps', '/Operator/Apps', q)),
    group('installations', 'Installations', installations, installationRow, ofWhom),
  ]
}

function developerGroups({ apps, installations }: DeveloperFinds): Group[] {
  return [
    group('own-apps', 'Your apps', apps, ownAppRow, { href: '/Developer', label: 'All your apps' }),
    group('own-installations', 'Installations of your apps', installations, ownInstallationRow, {
      href: '/Developer/Installations',
      label: 'All installations',
    }),
  ]
}

/** The way to the list that holds the rest. */
function allWith(noun: string, path: string, q: string) {
  return { href: withQuery(path, { q }), label: `All ${noun} with “${q}”` }
}

function group<Entry>(
  id: string,
  title: string,
  { entries, hasMore }: FoundSome<Entry>,
  rowOf: (entry: Entry) => Row,
  more: Group['more'],
): Group {
  return { id, title, rows: entries.map(rowOf), more: hasMore ? more : undefined }
}

function developerRow(developer: DeveloperRecord): Row {
  const { id, name, credentials } = developer
  const ids = credentials.map(({ clientId }) => clientId).join(', ')
  return {
    href: pathTo('Developers', id),
    face: DEVELOPER_GLYPH,
    name,
    note: html`<bdi>${ids === '' ? 'No client ID' : ids}</bdi>`,
    badges: suspendedBadgeOf(developer),
  }
}

function ownAppRow(app: DeveloperFinds['apps']['entries'][number]): Row {
  const { id, name, version, iconId } = app
  return {
    href: ownAppPath(id),
    face: appFace(id, iconId),
    name,
    note: html`version <bdi>${version}</bdi>`,
    badges: appBadges(app),
  }
}

function ownInstallationRow(one: InstallationFound): Row {
  return { ...installedRow(one), href: ownInstallationPath(one.id) }
}

function installedRow(one: InstallationFound): Row {
  const { id, appId, appName, iconId, partyName, installedVersion } = one
  return {
    href: `/Installed/${id}`,
    face: appFace(appId, iconId),
    name: appName,
    note: html`for <bdi>${partyName}</bdi> · version <bdi>${installedVersion}</bdi>`,
    badges: installationBadge(one),
  }
}

function directoryRow({ id, name, iconId, developerName }: AppCard): Row {
  return {
    href: `/Apps/${encodeURIComponent(id)}`,
    face: appFace(id, iconId),
    name,
    note: html`by <bdi>${developerName}</bdi>`,
  }
}

function guideRow({ page, heading, href }: Hit): Row {
  return { href, face: html``, name: heading, note: html`${page !== heading && page}` }
}
