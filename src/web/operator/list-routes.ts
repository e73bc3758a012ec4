import type { Page, PageRequest } from '../../base/values/page-of-list.ts'
import { PARTY_TYPES } from '../../base/values/party-type.ts'
import { AppError } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { countDevelopers } from '../../identity/accounts/developers-service.ts'
import { countParties } from '../../identity/accounts/parties-service.ts'
import { countUsers } from '../../identity/accounts/users-service.ts'
import { AUDIT_ACTIONS } from '../../identity/audit/audit-actions.ts'
import { ACTOR_KINDS } from '../../identity/audit/audit-record.ts'
import { countAppsWith, listAllApps } from '../../marketplace/apps/operator-apps-service.ts'
import { INSTALLATION_STATUSES } from '../../marketplace/installations/installation.ts'
import { countInstallationsWith } from '../../marketplace/installations/operator/operator-installations-service.ts'
import { actionList } from '../kit/action-list.ts'
import type { ListColumn } from '../kit/columns.ts'
import { type EmptySubject, emptyState } from '../kit/empty-state.ts'
import { OPERATOR_TABS, type OperatorTab, tabLabel } from '../kit/frame.ts'
import type { Chosen, Filter } from '../kit/list-page.ts'
import { listRoutes } from '../requests/lists.ts'
import { visitorOf } from '../requests/visitor.ts'
import {
  type Choose,
  chosenAs,
  oneOfParam,
  textParam,
  uuidParam,
} from '../shared/forms/filter-params.ts'
import type { FilterReader } from '../shared/forms/filter-reading.ts'
import { type Html, html } from '../shared/page/html.ts'
import { pathTo, type RecordTab } from './addresses.ts'
import { namesOfFilters } from './filter-names-service.ts'
import { findAppId, findParty } from './find-service.ts'
import { bulkOf } from './list-bulk.ts'
import {
  APP_COLUMNS,
  DEVELOPER_COLUMNS,
  INSTALLATION_COLUMNS,
  partyColumns,
  userColumns,
} from './list-columns.ts'
import {
  listDeveloperEntries,
  listInstallationEntries,
  listPartyEntries,
  listUserEntries,
} from './list-entries-service.ts'
import {
  closingFilters,
  closingParam,
  installationFilters,
  partyFilters,
  partyIdParam,
  suspensionFilters,
  suspensionParam,
  TRAIL_PARAMS,
  trailFilters,
  userFilters,
} from './list-filters.ts'
import { SUBJECT_KINDS, TRAIL_EXPORTS, trailList } from './trail/audit-trail-view.ts'
import { readTrail } from './trail/trail-names-service.ts'

type OperatorList<Entry, Loaded extends Page<Entry>> = {
  tab: OperatorTab
  /** What an entry is called. */
  noun?: string
  lead: string
  filters: readonly Filter[]
  create?: { href: string; label: string }
  choose: readonly Choose[]
  load: (chosen: Chosen, page: PageRequest) => Promise<Loaded>
  count?: (chosen: Chosen, max: number) => Promise<number>
  columns?: (chosen: Chosen, isOperator: boolean) => readonly ListColumn<Entry>[]
  draw?: (loaded: Loaded) => Html
  usual?: string
  /** The files of all entries with the same filters: what a link says -> its path. */
  exports?: Readonly<Record<string, string>>
  /** What stands in the place of no entries, beside the way to create one. */
  empty: readonly [subject: EmptySubject, sentence: string]
}

/** Filters that links set and no control shows -> words, and whose page their value leads to. */
const OTHERS: Readonly<Record<string, readonly [words: string, tab?: RecordTab]>> = {
  partyId: ['account', 'Parties'],
  partnerId: ['connected with account', 'Parties'],
  memberId: ['user', 'Users'],
  developerId: ['developer', 'Developers'],
  actorId: ['actor'],
}

/** @param names what those are called whose ids the filters have, by filter */
function otherFilter([filter, value]: [string, string], names: Chosen): Html {
  const [words, tab] = OTHERS[filter] ?? [filter]
  const name = names[filter]
  const shown =
    name === undefined ? html`<bdi><code>${value}</code></bdi>` : html`<bdi>${name}</bdi>`
  return html`${words} ${tab === undefined ? shown : html`<a href="${pathTo(tab, value)}">${shown}</a>`} `
}

/** @throws whatever is not wrong with the name */
function refuseName(reader: FilterReader, name: string, error: unknown): undefined {
  if (!(error instanceof AppError && error.code === 'unprocessable')) throw error
  const [problem] = error.options.errors ?? []
  return reader.refuse(name, problem?.detail ?? error.message, problem?.choices)
}

/** A filter that takes an id or a name. */
const namedParam =
  (name: string, find: (text: string) => Promise<string | number>): Choose =>
  async (reader) => {
    const text = reader.text(name)
    if (text === undefined) return {}
    const found = await find(text).catch((error) => refuseName(reader, name, error))
    return chosenAs(name, String(found ?? text))
  }

/** A list of the operator console. */
function operatorList<Entry, Loaded extends Page<Entry>>(
  app: App,
  { tab, noun, create, empty, columns = () => [], ...list }: OperatorList<Entry, Loaded>,
): void {
  listRoutes(app, {
    path: OPERATOR_TABS[tab],
    ...(noun !== undefined && { noun }),
    open(request) {
      const isOperator = visitorOf(request).operator
      return {
        ...list,
        place: { console: 'operator', tab },
        title: tabLabel(tab),
        owner: ['console'],
        columns: (chosen) => columns(chosen, isOperator),
        bulk: (chosen) => isOperator && bulkOf(tab, chosen),
        empty: emptyState(...empty, isOperator && create),
        beside:
          isOperator &&
          create &&
          actionList([
            html`<a class="button primary" href="${create.href}">${create.label}</a>`,
            tab === 'Users' &&
              html`<a class="button" href="/Operator/Invitations">Invite people</a>`,
          ]),
        async others(unseen, chosen) {
          const names = await namesOfFilters(app.deps, chosen)
          return html`${unseen.map((one) => otherFilter(one, names))}`
        },
      }
    },
  })
}

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
/** Kinds as choices, in words; what the API calls a party is an account on pages. */
const named = (kinds: readonly string[]): [string, string][] =>
  kinds.map((one) => {
    const words = one === 'party' ? 'account' : one.replaceAll('_', ' ')
    return [one, words.charAt(0).toUpperCase() + words.slice(1)]
  })

/** The lists of the operator console. */
export async function operatorListRoutes(app: App) {
  const { deps } = app
  const list = <Entry, Loaded extends Page<Entry>>(spec: OperatorList<Entry, Loaded>) =>
    operatorList(app, spec)

  list({
    tab: 'Parties',
    noun: 'account',
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
    load: (chosen, page) => listPartyEntries(deps, partyFilters(chosen), page),
    count: (chosen, max) => countParties(deps, partyFilters(chosen), max),
    columns: partyColumns,
    usual: 'created',
    empty: ['company', 'No accounts yet. Create the first Buyer or Seller.'],
  })

  list({
    tab: 'Users',
    noun: 'user',
    lead: 'People who sign in and use the apps of their accounts.',
    filters: [search('Name or email'), suspension],
    create: { href: '/Operator/Users/New', label: 'New user' },
    choose: [textParam('q'), suspensionParam, partyIdParam('partyId')],
    load: (chosen, page) => listUserEntries(deps, userFilters(chosen), page),
    count: (chosen, max) => countUsers(deps, userFilters(chosen), max),
    columns: userColumns,
    usual: 'created',
    empty: ['people', 'No users yet. Create the first one.'],
  })

  list({
    tab: 'Developers',
    noun: 'developer',
    lead: 'Publishers of apps. Their people sign in as users, their programs with credentials.',
    filters: [search('Name'), closing],
    create: { href: '/Operator/Developers/New', label: 'New developer' },
    choose: [textParam('q'), closingParam],
    load: (chosen, page) => listDeveloperEntries(deps, closingFilters(chosen), page),
    count: (chosen, max) => countDevelopers(deps, closingFilters(chosen), max),
    columns: () => DEVELOPER_COLUMNS,
    usual: 'created',
    empty: ['company', 'No developers yet. Create the first one.'],
  })

  list({
    tab: 'Apps',
    noun: 'app',
    lead: 'All apps, listed or not.',
    filters: [search('Name or ID'), suspension],
    choose: [textParam('q'), suspensionParam, uuidParam('developerId')],
    load: (chosen, page) => listAllApps(deps, suspensionFilters(chosen), page),
    count: (chosen, max) => countAppsWith(deps, suspensionFilters(chosen), max),
    columns: () => APP_COLUMNS,
    usual: 'id',
    empty: ['apps', 'No apps yet. Developers publish them.'],
  })

  list({
    tab: 'Installations',
    noun: 'installation',
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
      namedParam('appId', (text) => findAppId(deps, text)),
      namedParam('partyId', (text) => findParty(deps, text)),
      oneOfParam('status', INSTALLATION_STATUSES),
      uuidParam('developerId'),
    ],
    load: (chosen, page) => listInstallationEntries(deps, installationFilters(chosen), page),
    count: (chosen, max) => countInstallationsWith(deps, installationFilters(chosen), max),
    columns: () => INSTALLATION_COLUMNS,
    usual: 'since',
    empty: ['apps', 'No installations yet. Users install apps for their accounts.'],
  })

  list({
    tab: 'Audit trail',
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
    draw: (trail) => trailList(trail),
    empty: ['events', 'No activity yet. Actions appear here.'],
    exports: TRAIL_EXPORTS,
  })
}
