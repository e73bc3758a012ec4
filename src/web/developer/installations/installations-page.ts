import { PARTY_TYPES } from '../../../base/values/party-type.ts'
import {
  INSTALLATION_STATUSES,
  type Installation,
} from '../../../marketplace/installations/installation.ts'
import type { SuspensionCause } from '../../../marketplace/installations/suspension-causes.ts'
import { emptyState } from '../../kit/empty-state.ts'
import type { Visit } from '../../kit/frame.ts'
import { type Chosen, type Filter, listPage } from '../../kit/list-page.ts'
import type { Column } from '../../kit/table.ts'
import type { FormFields } from '../../shared/forms/settings-form.ts'
import { html } from '../../shared/page/html.ts'
import { type HtmlPage, partyBadge } from '../../shared/page/html-page.ts'
import { when } from '../../shared/status/history-view.ts'
import { STATUSES, standingOf, statusBadge } from '../../shared/status/status-badge.ts'
import { ownInstallationPath, YOUR_APPS } from '../console-frame.ts'
import { type AppChoices, appOptions } from '../filter-controls.ts'

type OwnRow = Installation & { suspensions: readonly SuspensionCause[]; optionName: string }

type OwnInstallationsPageInput = Visit & {
  typed: FormFields
  chosen: Chosen
  choices: AppChoices
  installations: readonly OwnRow[]
  /** Whether the list is continued from a page before. */
  isContinued: boolean
  /** Where the next page begins, if there is one. */
  cursor: string | undefined
}

const PARTY_TEXT = { Buyer: 'Buyers', Seller: 'Sellers', None: 'Your sandbox' } as const

const COLUMNS: readonly Column<OwnRow>[] = [
  {
    label: 'Account',
    cell: ({
      id,
      partyName,
      appName,
    }) => html`<a href="${ownInstallationPath(id)}"><bdi>${partyName}</bdi><span
 class="visually-hidden"> with ${appName}</span></a>`,
  },
  { label: 'App', cell: ({ appName }) => html`<bdi>${appName}</bdi>` },
  { label: 'Version', cell: ({ installedVersion }) => html`<bdi>${installedVersion}</bdi>` },
  { label: 'Option', cell: ({ optionName }) => html`<bdi>${optionName}</bdi>` },
  { label: 'Type', cell: ({ partyType }) => partyBadge(partyType) },
  { label: 'State', phone: 'end', cell: (one) => statusBadge(standingOf(one)) },
  { label: 'Since', cell: ({ installDate }) => when(installDate) },
]

/** Who has installed the developer's apps, oldest first. */
export function ownInstallationsPage(input: OwnInstallationsPageInput): HtmlPage {
  const { installations, choices } = input
  return listPage({ console: 'developer', section: 'installations' }, input, {
    ...input,
    title: 'Installations',
    lead: html`Accounts using your apps. <a href="/Developer/Events">View events</a>`,
    path: '/Developer/Installations',
    filters: filtersOf(choices),
    entries: installations,
    columns: COLUMNS,
    bulk: {
      actions: {
        'Suspend…': '/Developer/Installations/Suspend',
        'Resume…': '/Developer/Installations/Resume',
      },
      choiceOf: ({ id, status, appName, partyName }) =>
        status === 'uninstalled' ? undefined : { id, name: `${appName} for ${partyName}` },
    },
    empty: emptyState(
      'apps',
      'No installations yet. List an app so that accounts can find it, or try one in your sandbox.',
      YOUR_APPS,
    ),
  })
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
