import type { Page, PageRequest } from '../../base/values/page-of-list.ts'
import { PARTY_TYPES } from '../../base/values/party-type.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { sendPage } from '../../http/send-page.ts'
import { countAccounts } from '../../identity/accounts/account-names-service.ts'
import { listDevelopers } from '../../identity/accounts/developers-service.ts'
import { listParties } from '../../identity/accounts/parties-service.ts'
import { listUsers } from '../../identity/accounts/users-service.ts'
import { AUDIT_ACTIONS } from '../../identity/audit/audit-actions.ts'
import { ACTOR_KINDS } from '../../identity/audit/audit-record.ts'
import { countAllInstallations } from '../../marketplace/apps/installation-counts-service.ts'
import { countApps, listAllApps } from '../../marketplace/apps/operator-apps-service.ts'
import { INSTALLATION_STATUSES } from '../../marketplace/installations/installation.ts'
import { readFigures } from '../../operation/metrics/hourly-figures-service.ts'
import { mayChange, type OperatorTab } from '../kit/frame.ts'
import { loadShown } from '../requests/list-pages.ts'
import { takeNotice } from '../requests/notices.ts'
import { visitorShell } from '../requests/visitor.ts'
import { type FilterReader, filterReader } from '../shared/forms/filter-reading.ts'
import { withChoices } from '../shared/forms/form-problems.ts'
import { Fields } from '../shared/forms/settings-form.ts'
import { type Html, html } from '../shared/page/html.ts'
import { namesOfFilters } from './filter-names-service.ts'
import { findAppId, findParty } from './find-service.ts'
import {
  type Choose,
  closingFilters,
  closingParam,
  installationFilters,
  oneOfParam,
  partyFilters,
  partyIdParam,
  suspensionFilters,
  suspensionParam,
  TRAIL_PARAMS,
  textParam,
  trailFilters,
  userFilters,
  uuidParam,
} from './list-filters.ts'
import { type Chosen, emptyList, type Filter, listPage, nothingListed } from './list-page.ts'
import { operatorOverviewPage } from './overview-page.ts'
import { listStandingInstallations } from './record-details-service.ts'
import {
  appRow,
  developerRow,
  installationRow,
  partyRow,
  partyRowOf,
  rows,
  userRow,
  userRowOf,
} from './record-view.ts'
import { SUBJECT_KINDS, trailExports, trailList } from './trail/audit-trail-view.ts'
import { readTrail } from './trail/trail-names-service.ts'

const PAGE_SIZE = 40
const LATEST_EVENTS = 10

const search = (label: string): Filter => ({ kind: 'search', name: 'q', label })
const choice = (name: string, label: string, options: readonly [string, string][]): Filter => ({
  kind: 'select',
  name,
  label,
  options,
})
const SUSPENSIONS: [string, string][] = [
  ['', 'All'],
  ['true', 'Suspended'],
  ['false', 'Not suspended'],
]
const suspension = choice('suspended', 'State', SUSPENSIONS)
const closing = choice('suspended', 'State', [...SUSPENSIONS, ['closed', 'Closed']])
/** Kinds as choices, in words: `install_request` is "Install request". */
const named = (kinds: readonly string[]): [string, string][] =>
  kinds.map((one) => [one, one.charAt(0).toUpperCase() + one.slice(1).replaceAll('_', ' ')])

type List<Entry, Loaded extends Page<Entry>> = {
  tab: OperatorTab
  path: string
  lead: string
  filters: readonly Filter[]
  create?: { href: string; label: string }
  choose: readonly Choose[]
  /** Filters that take an id or a name -> how the id is found. */
  named?: Readonly<Record<string, (deps: Deps, text: string) => Promise<string | number>>>
  load: (chosen: Chosen, page: PageRequest) => Promise<Loaded>
  draw: (loaded: Loaded, chosen: Chosen, isOperator: boolean) => Html
}

/** @throws whatever is not wrong with the name */
function refuseName(reader: FilterReader, name: string, error: unknown): undefined {
  if (!(error instanceof AppError && error.code === 'unprocessable')) throw error
  const [problem] = error.options.errors ?? []
  return reader.refuse(name, problem?.detail ?? error.message, problem?.choices)
}

/** The lists of the operator console, and its first page. */
export async function operatorListRoutes(app: App) {
  const { deps } = app
  app.get('/Operator', { schema: { hide: true, querystring: Fields } }, async (request, reply) => {
    const range = request.query.get('range') === '30d' ? '30d' : '24h'
    const [accounts, apps, installations, trail, figures] = await Promise.all([
      countAccounts(deps),
      countApps(deps),
      countAllInstallations(deps),
      readTrail(deps, {}, { after: undefined, limit: LATEST_EVENTS }),
      readFigures(deps, range),
    ])
    const counts = { ...accounts, apps, installations }
    const shell = visitorShell(request, reply)
    return sendPage(reply, operatorOverviewPage({ ...shell, counts, trail, range, figures }))
  })

  const list = <Entry, Loaded extends Page<Entry>>(spec: List<Entry, Loaded>) => {
    const { choose, named = {}, load, draw, ...page } = spec
    const labels = Object.fromEntries(spec.filters.map(({ name, label }) => [name, label]))
    app.get(spec.path, { schema: { hide: true, querystring: Fields } }, async (request, reply) => {
      const typed = request.query
      const reader = filterReader(typed, labels)
      const chosen: Record<string, string> = Object.assign(
        {},
        ...choose.map((part) => part(reader)),
      )
      for (const [name, find] of Object.entries(named)) {
        const text = chosen[name]
        if (text === undefined) continue
        const found = await find(deps, text).catch((error) => refuseName(reader, name, error))
        chosen[name] = String(found ?? text)
      }
      const { problems } = withChoices({ problems: reader.problems, typed }, request.url)
      const message = takeNotice(request, reply)?.text
      const names = problems.length > 0 ? {} : await namesOfFilters(deps, chosen)
      const list = { ...page, typed, problems, chosen, names, message }
      const shell = { ...visitorShell(request, reply), ...list }
      if (problems.length > 0) {
        reply.code(422)
        return sendPage(reply, listPage({ ...shell, cursor: undefined, content: nothingListed }))
      }
      let loaded: Loaded | undefined
      const { cursor } = await loadShown(
        request,
        ['console', spec.tab, Object.entries(chosen).sort()],
        PAGE_SIZE,
        async (wanted) => {
          loaded = await load(chosen, wanted)
          return loaded
        },
      )
      const content = loaded === undefined ? html`` : draw(loaded, chosen, mayChange(shell))
      return sendPage(reply, listPage({ ...shell, cursor, content }))
    })
  }

  list({
    tab: 'Parties',
    path: '/Operator/Parties',
    lead: 'Buyers, Sellers and the sandboxes of developers.',
    filters: [
      search('Name'),
      choice('type', 'Type', [
        ['', 'All types'],
        ['Buyer', 'Buyers'],
        ['Seller', 'Sellers'],
        ['None', 'Sandboxes'],
      ]),
      closing,
    ],
    create: { href: '/Operator/Parties/New', label: 'New account' },
    choose: [
      textParam('q'),
      oneOfParam('type', PARTY_TYPES),
      closingParam,
      partyIdParam('partnerId'),
      uuidParam('memberId'),
    ],
    load: (chosen, page) => listParties(deps, partyFilters(chosen), page),
    draw: ({ entries }, chosen, isOperator) =>
      rows(
        entries,
        isOperator ? partyRowOf(chosen) : partyRow,
        emptyList(chosen, 'No accounts yet', html`Create the first Buyer or Seller.`),
      ),
  })

  list({
    tab: 'Users',
    path: '/Operator/Users',
    lead: 'People who sign in and use the apps of their accounts.',
    filters: [search('Name or email'), suspension],
    create: { href: '/Operator/Users/New', label: 'New user' },
    choose: [textParam('q'), suspensionParam, partyIdParam('partyId')],
    load: (chosen, page) => listUsers(deps, userFilters(chosen), page),
    draw: ({ entries }, chosen, isOperator) =>
      rows(
        entries,
        isOperator ? userRowOf(chosen) : userRow,
        emptyList(chosen, 'No users yet', html`Create the first one.`),
      ),
  })

  list({
    tab: 'Developers',
    path: '/Operator/Developers',
    lead: 'Publishers of apps. Their people sign in as users, their programs with credentials.',
    filters: [search('Name'), closing],
    create: { href: '/Operator/Developers/New', label: 'New developer' },
    choose: [textParam('q'), closingParam],
    load: (chosen, page) => listDevelopers(deps, closingFilters(chosen), page),
    draw: ({ entries }, chosen) =>
      rows(
        entries,
        developerRow,
        emptyList(chosen, 'No developers yet', html`Create the first one.`),
      ),
  })

  list({
    tab: 'Apps',
    path: '/Operator/Apps',
    lead: 'All apps, listed or not.',
    filters: [search('Name or ID'), suspension],
    choose: [textParam('q'), suspensionParam, uuidParam('developerId')],
    load: (chosen, page) => listAllApps(deps, suspensionFilters(chosen), page),
    draw: ({ entries }, chosen) =>
      rows(entries, appRow, emptyList(chosen, 'No apps yet', html`Developers publish them.`)),
  })

  list({
    tab: 'Installations',
    path: '/Operator/Installations',
    lead: 'Apps that accounts have installed.',
    filters: [
      { kind: 'text', name: 'appId', label: 'App: ID or name' },
      { kind: 'text', name: 'partyId', label: 'Account: ID or name' },
      choice('status', 'State', [
        ['', 'Live'],
        ['active', 'Active'],
        ['suspended', 'Suspended'],
        ['uninstalled', 'Uninstalled'],
      ]),
    ],
    choose: [
      textParam('appId'),
      textParam('partyId'),
      oneOfParam('status', INSTALLATION_STATUSES),
      uuidParam('developerId'),
    ],
    named: { appId: findAppId, partyId: findParty },
    load: (chosen, page) => listStandingInstallations(deps, installationFilters(chosen), page),
    draw: ({ entries }, chosen) =>
      rows(
        entries,
        installationRow,
        emptyList(chosen, 'No installations yet', html`Users install apps for their accounts.`),
      ),
  })

  list({
    tab: 'Audit trail',
    path: '/Operator/Audit',
    lead: 'All actions, newest first. Entries are never changed or deleted.',
    filters: [
      search('Name, email, ID or action'),
      choice('actorKind', 'By', [['', 'Everyone'], ...named(ACTOR_KINDS)]),
      { kind: 'text', name: 'action', label: 'Action', suggestions: AUDIT_ACTIONS },
      choice('subjectKind', 'Object', [['', 'All objects'], ...named(SUBJECT_KINDS)]),
      { kind: 'text', name: 'subjectId', label: 'Object ID' },
      { kind: 'date', name: 'from', label: 'From (UTC)' },
      { kind: 'date', name: 'to', label: 'To, inclusive (UTC)' },
    ],
    choose: TRAIL_PARAMS,
    load: (chosen, page) => readTrail(deps, trailFilters(chosen), page),
    draw: (trail, chosen) =>
      html`${trailList(trail, emptyList(chosen, 'No activity yet', html`Actions appear here.`))}${trailExports(chosen)}`,
  })
}
