import { listAsFile } from '../../base/concurrency/list-as-file.ts'
import { BYTE_ORDER_MARK, csvLine } from '../../base/values/csv.ts'
import {
  COUNTED_IN_ROW_MAX,
  COUNTED_MAX,
  type Page,
  type PageRequest,
} from '../../base/values/page-of-list.ts'
import { PARTY_TYPES } from '../../base/values/party-type.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { sendStreamedFile } from '../../http/bodies/streamed-file.ts'
import { sendPage } from '../../http/send-page.ts'
import { countDevelopers } from '../../identity/accounts/developers-service.ts'
import { countParties } from '../../identity/accounts/parties-service.ts'
import { countUsers } from '../../identity/accounts/users-service.ts'
import { AUDIT_ACTIONS } from '../../identity/audit/audit-actions.ts'
import { AUDIT_FILES } from '../../identity/audit/audit-file.ts'
import { ACTOR_KINDS } from '../../identity/audit/audit-record.ts'
import { countAppsWith, listAllApps } from '../../marketplace/apps/operator-apps-service.ts'
import { INSTALLATION_STATUSES } from '../../marketplace/installations/installation.ts'
import { countInstallationsWith } from '../../marketplace/installations/operator/operator-installations-service.ts'
import { actionList } from '../kit/action-list.ts'
import { type EmptySubject, emptyState } from '../kit/empty-state.ts'
import { mayChange, OPERATOR_TABS, type OperatorTab, tabLabel } from '../kit/frame.ts'
import { type Chosen, type Filter, listPage } from '../kit/list-page.ts'
import { loadShown } from '../requests/list-pages.ts'
import { takeNotice } from '../requests/notices.ts'
import { recogniseAgain, requireOperator, visitorOf, visitorShell } from '../requests/visitor.ts'
import { type FilterReader, filterReader } from '../shared/forms/filter-reading.ts'
import type { FormProblem } from '../shared/forms/form-problems.ts'
import { Fields, type FormFields } from '../shared/forms/settings-form.ts'
import { type Html, html } from '../shared/page/html.ts'
import { pathTo, type RecordTab } from './addresses.ts'
import { namesOfFilters } from './filter-names-service.ts'
import { findAppId, findParty } from './find-service.ts'
import { bulkOf } from './list-bulk.ts'
import {
  APP_COLUMNS,
  DEVELOPER_COLUMNS,
  INSTALLATION_COLUMNS,
  type ListColumn,
  listCount,
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
import { SUBJECT_KINDS, TRAIL_EXPORTS, trailList } from './trail/audit-trail-view.ts'
import { readTrail } from './trail/trail-names-service.ts'

const PAGE_SIZE = 40
const CSV_TYPE = AUDIT_FILES.csv.mediaType

type OperatorList<Entry, Loaded extends Page<Entry>> = {
  tab: OperatorTab
  /** What an entry is called. */
  noun: string
  lead: string
  filters: readonly Filter[]
  create?: { href: string; label: string }
  choose: readonly Choose[]
  /** Filters that take an id or a name -> how the id is found. */
  named?: Readonly<Record<string, (deps: Deps, text: string) => Promise<string | number>>>
  load: (chosen: Chosen, page: PageRequest) => Promise<Loaded>
  /** What stands in the place of no entries, beside the way to create one. */
  empty: readonly [subject: EmptySubject, sentence: string]
} & (
  | {
      columns: (chosen: Chosen, isOperator: boolean) => readonly ListColumn<Entry>[]
      /** The order that an address without one has. */
      usual: string
      /** How many there are, up to a number that means that or more. */
      count: (chosen: Chosen, max: number) => Promise<number>
    }
  | {
      draw: (loaded: Loaded) => Html
      /** The files of all entries with the same filters: what a link says -> its path. */
      exports: Readonly<Record<string, string>>
    }
)

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

/** A name that may mean a few, each with the address of the list with it in the filter. */
function withLinks(problem: FormProblem, url: string): FormProblem {
  const { field, choices } = problem
  if (field === undefined || choices === undefined) return problem
  const { searchParams } = new URL(url, 'http://localhost')
  const links = choices.map((choice) => {
    searchParams.set(field, choice.value)
    return { ...choice, href: `?${searchParams}` }
  })
  return { ...problem, choices: links }
}

/** @throws whatever is not wrong with the name */
function refuseName(reader: FilterReader, name: string, error: unknown): undefined {
  if (!(error instanceof AppError && error.code === 'unprocessable')) throw error
  const [problem] = error.options.errors ?? []
  return reader.refuse(name, problem?.detail ?? error.message, problem?.choices)
}

/** The page of a list of the operator console, and its file. */
function operatorList<Entry, Loaded extends Page<Entry>>(
  app: App,
  spec: OperatorList<Entry, Loaded>,
): void {
  const { deps } = app
  const { tab, noun, choose, named = {}, load, create, empty, filters, lead } = spec
  const path = OPERATOR_TABS[tab]
  const labels = Object.fromEntries(filters.map(({ name, label }) => [name, label]))
  const place = { console: 'operator', tab } as const
  const schema = { hide: true, querystring: Fields }

  const read = async (typed: FormFields) => {
    const reader = filterReader(typed, labels)
    const chosen: Record<string, string> = Object.assign({}, ...choose.map((part) => part(reader)))
    for (const [name, find] of Object.entries(named)) {
      const text = chosen[name]
      if (text === undefined) continue
      const found = await find(deps, text).catch((error) => refuseName(reader, name, error))
      chosen[name] = String(found ?? text)
    }
    const columns = 'columns' in spec ? spec.columns(chosen, false) : []
    const orders = columns.flatMap(({ sort }) => (sort === undefined ? [] : [sort, `-${sort}`]))
    const sort = reader.oneOf('sort', orders) ?? ('usual' in spec ? spec.usual : undefined)
    return { chosen, ...(sort !== undefined && { sort }), problems: reader.problems }
  }

  app.get(path, { schema }, async (request, reply) => {
    const typed = request.query
    const { chosen, sort, ...asked } = await read(typed)
    const problems = asked.problems.map((problem) => withLinks(problem, request.url))
    const message = takeNotice(request, reply)?.text
    const visit = { ...visitorShell(request, reply), problems, message }
    const names = problems.length > 0 ? {} : await namesOfFilters(deps, chosen)
    const others = Object.entries(chosen).filter(([name]) => !Object.hasOwn(labels, name))
    const shown = {
      path,
      filters,
      lead,
      title: tabLabel(tab),
      typed,
      chosen,
      others: others.length > 0 && html`${others.map((one) => otherFilter(one, names))}`,
      empty: emptyState(...empty, mayChange(visit) && create),
      beside:
        mayChange(visit) &&
        create &&
        actionList([
          html`<a class="button primary" href="${create.href}">${create.label}</a>`,
          tab === 'Users' && html`<a class="button" href="/Operator/Invitations">Invite people</a>`,
        ]),
    }
    if (problems.length > 0) {
      reply.code(422)
      const none = { entries: [], columns: [] }
      return sendPage(reply, listPage(place, visit, { ...shown, ...none }))
    }
    const max = Object.keys(chosen).length === 0 ? COUNTED_MAX : COUNTED_IN_ROW_MAX
    let loaded: Loaded | undefined
    const [{ entries, cursor }, count] = await Promise.all([
      loadShown(
        request,
        ['console', tab, Object.entries(chosen).sort(), sort],
        PAGE_SIZE,
        async (page) => {
          loaded = await load(chosen, { ...page, ...(sort !== undefined && { sort }) })
          return loaded
        },
      ),
      'count' in spec ? spec.count(chosen, max) : undefined,
    ])
    const inColumns =
      'columns' in spec
        ? {
            columns: spec
              .columns(chosen, mayChange(visit))
              .filter(({ isOnlyInFile }) => !isOnlyInFile),
            sort: { by: sort ?? spec.usual, usual: spec.usual },
            count: count === undefined ? undefined : listCount(count, max, noun),
            exports: { CSV: `${path}/Export` },
            bulk: mayChange(visit) && bulkOf(tab, chosen),
          }
        : { columns: () => (loaded ? spec.draw(loaded) : html``), exports: spec.exports }
    return sendPage(reply, listPage(place, visit, { ...shown, ...inColumns, entries, cursor }))
  })

  if (!('columns' in spec)) return
  app.get(`${path}/Export`, { schema }, async (request, reply) => {
    const { chosen, sort, problems } = await read(request.query)
    if (problems.length > 0) throw new AppError('unprocessable')
    const columns = spec
      .columns(chosen, false)
      .flatMap(({ label, value }) => (value === undefined ? [] : [{ label, value }]))
    return sendStreamedFile(reply, {
      mediaType: CSV_TYPE,
      fileName: `${noun}s.csv`,
      userId: visitorOf(request).id,
      open: () =>
        listAsFile({
          head: BYTE_ORDER_MARK + csvLine(columns.map(({ label }) => label)),
          read: (page) => load(chosen, { ...page, ...(sort !== undefined && { sort }) }),
          lineOf: (entry) => csvLine(columns.map(({ value }) => value(entry))),
          checkAgain: async () => requireOperator(request, await recogniseAgain(request)),
        }),
    })
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
      textParam('appId'),
      textParam('partyId'),
      oneOfParam('status', INSTALLATION_STATUSES),
      uuidParam('developerId'),
    ],
    named: { appId: findAppId, partyId: findParty },
    load: (chosen, page) => listInstallationEntries(deps, installationFilters(chosen), page),
    count: (chosen, max) => countInstallationsWith(deps, installationFilters(chosen), max),
    columns: () => INSTALLATION_COLUMNS,
    usual: 'since',
    empty: ['apps', 'No installations yet. Users install apps for their accounts.'],
  })

  list({
    tab: 'Audit trail',
    noun: 'entry',
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
