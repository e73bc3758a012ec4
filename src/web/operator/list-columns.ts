import { shownEmail } from '../../base/values/email.ts'
import { COUNTED_IN_LIST_MAX } from '../../base/values/page-of-list.ts'
import type {
  DeveloperRecord,
  PartyRecord,
  UserRecord,
} from '../../identity/accounts/operator-records.ts'
import type { OperatorApp } from '../../marketplace/apps/operator-app.ts'
import type { PurchaseOption } from '../../marketplace/apps/pricing/purchase-options.ts'
import { accountGlyph, appFace, DEVELOPER_GLYPH, personAvatar } from '../kit/avatar.ts'
import { fileColumn, type ListColumn, nameCell, numberColumn, timeColumn } from '../kit/columns.ts'
import type { Chosen } from '../kit/list-page.ts'
import { rateText } from '../shared/app-parts/amounts.ts'
import { VISIBILITY_WORDS } from '../shared/app-parts/visibility-badge.ts'
import { bdi } from '../shared/page/blocks.ts'
import { type Html, html } from '../shared/page/html.ts'
import { partyBadge } from '../shared/page/html-page.ts'
import { STATUSES } from '../shared/status/status-badge.ts'
import { pathTo } from './addresses.ts'
import type { InstallationEntry } from './record-details.ts'
import {
  appRow,
  installationBadge,
  partyRowOf,
  type Row,
  suspendedBadge,
  suspendedBadgeOf,
  unverifiedBadge,
  userRowOf,
} from './record-view.ts'

export type PartyEntry = PartyRecord & { members: number; connections: number; apps: number }
export type UserEntry = UserRecord & {
  accounts: readonly { id: number; name: string }[]
  hasFactor: boolean
  signedInAt: Date | null
}
export type DeveloperEntry = DeveloperRecord & { members: number; apps: number }
export type InstallationListed = InstallationEntry & { option: PurchaseOption | undefined }

type Record = { id: string | number; name: string }

/** What leads to the page of an entry, and its id in the file. */
function nameColumns<Entry extends Record>(
  tab: Parameters<typeof pathTo>[0],
  faceOf: (entry: Entry) => Html,
  sort?: string,
): ListColumn<Entry>[] {
  return [
    {
      label: 'Name',
      ...(sort !== undefined && { sort }),
      value: ({ name }) => name,
      cell: (entry) => nameCell(pathTo(tab, entry.id), entry.name, faceOf(entry)),
    },
  ]
}

const idColumn: ListColumn<{ id: string | number }> = {
  label: 'ID',
  phone: 'hidden',
  value: ({ id }) => id,
  cell: ({ id }) => html`<code>${id}</code>`,
}

/** What the rows of a list that belongs to one thing are taken from it by. */
function actionColumn<Entry>(rowOf: (entry: Entry) => Row): ListColumn<Entry> {
  return { label: 'Change', phone: 'end', cell: (entry) => rowOf(entry).action ?? false }
}

function stateWord({ suspended, closedAt }: { suspended: boolean; closedAt?: Date | null }) {
  return closedAt ? 'Closed' : suspended ? 'Suspended' : 'Active'
}

/** The accounts, and how one is taken from the account or the user whose list it is. */
export function partyColumns(chosen: Chosen, isOperator: boolean): ListColumn<PartyEntry>[] {
  const isOwned = chosen.partnerId !== undefined || chosen.memberId !== undefined
  return [
    ...nameColumns<PartyEntry>('Parties', ({ type }) => accountGlyph(type)),
    idColumn,
    {
      label: 'Type',
      phone: 'end',
      value: ({ type }) => (type === 'None' ? 'Sandbox' : type),
      cell: ({ type }) => partyBadge(type),
    },
    numberColumn('Members', ({ members }) => members),
    numberColumn('Apps', ({ apps }) => apps),
    numberColumn('Connections', ({ connections }) => connections),
    {
      label: 'State',
      phone: 'end',
      value: stateWord,
      cell: suspendedBadgeOf,
    },
    timeColumn('Created', ({ createdAt }) => createdAt, 'created'),
    ...(isOwned && isOperator ? [actionColumn(partyRowOf(chosen))] : []),
  ]
}

/** The users, and how one is taken from the account whose list it is. */
export function userColumns(chosen: Chosen, isOperator: boolean): ListColumn<UserEntry>[] {
  return [
    ...nameColumns<UserEntry>('Users', ({ name }) => personAvatar(name)),
    fileColumn('ID', ({ id }) => id),
    {
      label: 'Email',
      sort: 'email',
      value: ({ email }) => email,
      cell: ({ email }) => bdi(shownEmail(email)),
    },
    {
      label: 'Accounts',
      value: ({ accounts }) => accounts.map(({ name }) => name).join('; '),
      cell: ({ accounts }) => accountsCell(accounts),
    },
    {
      label: 'Role',
      phone: 'end',
      value: (user) => roleWord(user),
      cell: (user) => roleWord(user),
    },
    {
      label: 'Two-step',
      value: ({ hasFactor }) => (hasFactor ? 'On' : 'Off'),
      cell: ({ hasFactor }) => (hasFactor ? 'On' : 'Off'),
    },
    timeColumn('Last sign-in', ({ signedInAt }) => signedInAt),
    timeColumn('Created', ({ createdAt }) => createdAt, 'created'),
    {
      label: 'State',
      phone: 'end',
      value: stateWord,
      cell: ({ suspended, emailProved }) =>
        (suspended || !emailProved) &&
        html`${suspended && suspendedBadge}${!emailProved && unverifiedBadge}`,
    },
    ...(chosen.partyId !== undefined && isOperator ? [actionColumn(userRowOf(chosen))] : []),
  ]
}

function roleWord({ operator, support }: UserRecord): string {
  return operator ? 'Operator' : support ? 'Support' : ''
}

/** The first account, and how many more there are. */
function accountsCell(accounts: UserEntry['accounts']): Html | string {
  const [first] = accounts
  if (first === undefined) return 'None'
  const more = accounts.length - 1
  return html`<a href="${pathTo('Parties', first.id)}"><bdi>${first.name}</bdi></a>${more > 0 && ` and ${more} more`}`
}

/** The developers. */
export const DEVELOPER_COLUMNS: readonly ListColumn<DeveloperEntry>[] = [
  ...nameColumns<DeveloperEntry>('Developers', () => DEVELOPER_GLYPH),
  fileColumn('ID', ({ id }) => id),
  {
    label: 'Client IDs',
    value: ({ credentials }) => credentials.map(({ clientId }) => clientId).join('; '),
    cell: ({ credentials }) =>
      credentials.length === 0
        ? 'None'
        : html`${credentials.map(({ clientId }) => html`<bdi><code>${clientId}</code></bdi> `)}`,
  },
  numberColumn('Members', ({ members }) => members),
  numberColumn('Apps', ({ apps }) => apps),
  { label: 'State', phone: 'end', value: stateWord, cell: suspendedBadgeOf },
  timeColumn('Created', ({ createdAt }) => createdAt, 'created'),
]

/** The apps. */
export const APP_COLUMNS: readonly ListColumn<OperatorApp>[] = [
  ...nameColumns<OperatorApp>('Apps', ({ id, icon }) => appFace(id, icon?.id), 'name'),
  { ...idColumn, sort: 'id' },
  {
    label: 'Developer',
    value: ({ developerName }) => developerName,
    cell: ({ developerId, developerName }) =>
      html`<a href="${pathTo('Developers', developerId)}"><bdi>${developerName}</bdi></a>`,
  },
  {
    label: 'Version',
    value: ({ version }) => version,
    cell: ({ version }) => bdi(version ?? 'None'),
  },
  numberColumn('Installations', ({ installations }) => installations, COUNTED_IN_LIST_MAX),
  {
    label: 'Webhooks',
    phone: 'hidden',
    value: ({ webhooks }) => webhooks.status,
    cell: ({ webhooks }) => WEBHOOKS[webhooks.status],
  },
  {
    label: 'State',
    phone: 'end',
    value: (app) => (app.suspended ? 'Suspended' : VISIBILITY_WORDS[app.visibility]),
    cell: (app) => html`<span class="badges">${appRow(app).badges}</span>`,
  },
  fileColumn('Created', ({ createdAt }) => createdAt),
]

const WEBHOOKS = { none: 'None', healthy: 'Healthy', failing: 'Failing', disabled: 'Disabled' }

/** The installations. */
export const INSTALLATION_COLUMNS: readonly ListColumn<InstallationListed>[] = [
  {
    label: 'App',
    value: ({ appName }) => appName,
    cell: ({ id, appId, appName, iconId }) =>
      nameCell(pathTo('Installations', id), appName, appFace(appId, iconId)),
  },
  fileColumn('ID', ({ id }) => id),
  {
    label: 'Account',
    value: ({ partyName }) => partyName,
    cell: ({ partyId, partyName }) =>
      html`<a href="${pathTo('Parties', partyId)}"><bdi>${partyName}</bdi></a>`,
  },
  fileColumn('Account ID', ({ partyId }) => partyId),
  {
    label: 'Option',
    value: ({ option, purchaseOptionId }) => option?.name ?? purchaseOptionId,
    cell: ({ option, purchaseOptionId }) => bdi(option?.name ?? purchaseOptionId),
  },
  {
    label: 'Price',
    value: ({ option }) => (option === undefined ? null : rateText(option)),
    cell: ({ option }) => option !== undefined && rateText(option),
  },
  {
    label: 'Version',
    value: ({ installedVersion }) => installedVersion,
    cell: ({ installedVersion }) => bdi(installedVersion),
  },
  {
    label: 'State',
    phone: 'end',
    value: ({ status }) => STATUSES[status].text,
    cell: installationBadge,
  },
  timeColumn('Since', ({ installDate }) => installDate, 'since'),
]
