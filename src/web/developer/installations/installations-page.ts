import { PARTY_TYPES } from '../../../base/values/party-type.ts'
import { INSTALLATION_STATUSES } from '../../../marketplace/installations/installation.ts'
import type { BulkChoice } from '../../kit/bulk-choice.ts'
import { fileColumn, type ListColumn } from '../../kit/columns.ts'
import { emptyState } from '../../kit/empty-state.ts'
import type { Filter } from '../../kit/list-page.ts'
import { bdi } from '../../shared/page/blocks.ts'
import { html } from '../../shared/page/html.ts'
import { partyBadge } from '../../shared/page/html-page.ts'
import { when } from '../../shared/status/history-view.ts'
import { STATUSES, standingOf, statusBadge } from '../../shared/status/status-badge.ts'
import { ownInstallationPath, YOUR_APPS } from '../console-frame.ts'
import { type AppChoices, appOptions } from '../filter-controls.ts'
import type { OwnRow } from './installation-shown.ts'

const PARTY_TEXT = { Buyer: 'Buyers', Seller: 'Sellers', None: 'Your sandbox' } as const

const COLUMNS: readonly ListColumn<OwnRow>[] = [
  {
    label: 'Account',
    value: ({ partyName }) => partyName,
    cell: ({
      id,
      partyName,
      appName,
    }) => html`<a href="${ownInstallationPath(id)}"><bdi>${partyName}</bdi><span
 class="visually-hidden"> with ${appName}</span></a>`,
  },
  fileColumn('Account ID', ({ partyId }) => partyId),
  {
    label: 'App',
    value: ({ appName }) => appName,
    cell: ({ appName }) => bdi(appName),
  },
  fileColumn('App ID', ({ appId }) => appId),
  {
    label: 'Version',
    value: ({ installedVersion }) => installedVersion,
    cell: ({ installedVersion }) => bdi(installedVersion),
  },
  {
    label: 'Option',
    value: ({ optionName }) => optionName,
    cell: ({ optionName }) => bdi(optionName),
  },
  {
    label: 'Type',
    value: ({ partyType }) => (partyType === 'None' ? 'Sandbox' : partyType),
    cell: ({ partyType }) => partyBadge(partyType),
  },
  {
    label: 'State',
    phone: 'end',
    value: (one) => STATUSES[standingOf(one)].text,
    cell: (one) => statusBadge(standingOf(one)),
  },
  {
    label: 'Since',
    sort: 'since',
    value: ({ installDate }) => installDate,
    cell: ({ installDate }) => when(installDate),
  },
  fileColumn('Installation ID', ({ id }) => id),
]

const BULK: BulkChoice<OwnRow> = {
  actions: {
    'Suspend…': '/Developer/Installations/Suspend',
    'Resume…': '/Developer/Installations/Resume',
  },
  choiceOf: ({ id, status, appName, partyName }) =>
    status === 'uninstalled' ? undefined : { id, name: `${appName} for ${partyName}` },
}

/** Who has installed the developer's apps, oldest first unless another order is asked for. */
export function ownInstallationList(choices: AppChoices) {
  return {
    title: 'Installations',
    lead: html`Accounts using your apps. <a href="/Developer/Events">View events</a>`,
    filters: filtersOf(choices),
    columns: () => COLUMNS,
    usual: 'since',
    bulk: () => BULK,
    empty: emptyState(
      'apps',
      'No installations yet. List an app so that accounts can find it, or try one in your sandbox.',
      YOUR_APPS,
    ),
  }
}

function filtersOf(choices: AppChoices): readonly Filter[] {
  const parties = PARTY_TYPES.map((type) => [type, PARTY_TEXT[type]] as const)
  const statuses = INSTALLATION_STATUSES.map((status) => [status, STATUSES[status].text] as const)
  return [
    { name: 'appId', label: 'App', kind: 'select', options: appOptions(choices) },
    {
      name: 'partyType',
      label: 'Installed by',
      kind: 'select',
      options: [['', 'All accounts'], ...parties],
    },
    {
      name: 'status',
      label: 'State',
      kind: 'select',
      options: [['', 'Active and suspended'], ...statuses],
    },
  ]
}
