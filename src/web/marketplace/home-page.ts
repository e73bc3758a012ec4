import type { RequestListed } from '../../marketplace/installations/requests/request-shown.ts'
import type { SuspensionCause } from '../../marketplace/installations/suspension-causes.ts'
import { actionList } from '../kit/action-list.ts'
import { accountGlyph, appFace } from '../kit/avatar.ts'
import { checklistCard } from '../kit/checklist.ts'
import { emptyState } from '../kit/empty-state.ts'
import { framePage } from '../kit/frame.ts'
import { openLink } from '../shared/app-parts/open-link.ts'
import { type Html, html } from '../shared/page/html.ts'
import { type HtmlPage, type PageShell, partyBadge } from '../shared/page/html-page.ts'
import { when } from '../shared/status/history-view.ts'
import { invitationsNotice } from '../shared/status/invitations-notice.ts'
import { decision, requestBadge } from '../shared/status/request-status.ts'
import { REQUESTS_PATH, requestsNotice } from '../shared/status/requests-notice.ts'
import { backgroundBadge, statusBadge } from '../shared/status/status-badge.ts'
import { reasonGiven, suspensionNote } from '../shared/status/suspension-notices.ts'
import { APPS_OF_ACCOUNT_SHOWN, type HomeApp, type HomeParty } from './home-app.ts'

type HomePageInput = PageShell & {
  parties: readonly HomeParty[]
  /** The account that the page is narrowed to, if so. */
  partyId?: number | undefined
  apps: readonly HomeApp[]
  /** How many install requests wait for the user as an admin. */
  requestsToDecide: number
  /** How many invitations the user can answer. */
  invitations: number
  /** The user's own requests: those that wait, and what has become of others lately. */
  ownRequests: readonly RequestListed[]
  /** Whether the user signs in with a second factor. */
  hasTwoStep: boolean
}

/** The start page of a user: what needs attention, and the apps of the accounts. */
export function homePage(input: HomePageInput): HtmlPage {
  const { user, parties, partyId, requestsToDecide, invitations, ownRequests } = input
  const shown = parties.filter((party) => partyId === undefined || party.partyId === partyId)
  const [only] = shown.length === 1 ? shown : []
  const own = consoleOf(user)
  const waiting = ownRequests.filter(({ decidedAt }) => decidedAt === null)
  const content = html`
    ${requestsNotice(requestsToDecide)}
    ${invitationsNotice(invitations)}
    ${rowsCard('needs', 'Needs you', needs(input, shown))}
    ${parties.length === 0 ? noAccounts(user) : shown.map((party) => account(party, input.apps))}
    ${rowsCard('requests', 'Your requests', waiting.map(requestRow), allRequests)}
    ${only?.isAdmin && only.partyType !== 'None' && checklist(input, only)}
    ${
      shown.length < parties.length &&
      html`<p class="actions"><a class="button" href="/?partyId=">Show all accounts</a></p>`
    }`
  return framePage({ console: 'marketplace' }, input, {
    title: 'Your apps',
    lead: shown.length < parties.length && 'Apps installed for the selected account.',
    beside: actionList([
      html`<a class="button" href="/Apps">Find apps</a>`,
      html`<a class="button" href="/Installed">Manage apps</a>`,
      own && html`<a class="button" href="${own.href}">${own.button}</a>`,
    ]),
    content,
  })
}

const allRequests = html`<a class="button small" href="${REQUESTS_PATH}">All requests</a>`

/** A card of rows; nothing without any. */
function rowsCard(id: string, title: string, rows: readonly Html[], beside?: Html): Html | false {
  return (
    rows.length > 0 &&
    html`<section class="card flush" aria-labelledby="${id}">
      <div class="section-head">
        <h2 id="${id}">${title}</h2>
        ${beside}
      </div>
      <ul class="rows">${rows}</ul>
    </section>`
  )
}

/** Decisions on the own requests, what is suspended or does not work, and what can be upgraded. */
function needs({ apps, ownRequests }: HomePageInput, shown: readonly HomeParty[]): Html[] {
  const decided = ownRequests.filter(({ decidedAt }) => decidedAt !== null)
  return [
    ...decided.map(requestRow),
    ...shown.flatMap((party) => {
      const own = apps
        .filter(({ partyId }) => partyId === party.partyId)
        .slice(0, APPS_OF_ACCOUNT_SHOWN)
      const stopped =
        party.suspension && own.length > 0 ? [accountRow(party, party.suspension)] : []
      return [...stopped, ...own.flatMap((app) => needOf(app, party))]
    }),
  ]
}

function accountRow({ partyName, partyType }: HomeParty, suspension: SuspensionCause): Html {
  return html`<li class="row">
    ${accountGlyph(partyType)}
    <span class="row-text">
      <span class="row-name"><bdi>${partyName}</bdi></span>
      ${suspensionNote([suspension])}
      <span class="badges">${statusBadge('suspended')}</span>
    </span>
  </li>`
}

/** What an app needs, the most urgent first; its account's own suspension has a row. */
function needOf(app: HomeApp, { isAdmin }: HomeParty): Html[] {
  const path = `/Installed/${app.installationId}`
  const suspensions = app.suspensions.filter(({ what }) => what !== 'account')
  if (suspensions.length > 0) {
    const badge = html`<span class="badges">${statusBadge('suspended')}</span>`
    return [appRow(app, html`${suspensionNote(suspensions)}${badge}`, path)]
  }
  if (app.suspensions.length > 0) return []
  const failing =
    app.failingSince !== null &&
    html`<span class="row-note">Could not always be reached since ${when(app.failingSince)}</span>`
  const upgrade =
    isAdmin &&
    app.upgrade !== null &&
    html`<span class="row-note">Version <bdi>${app.upgrade}</bdi> is available</span>`
  if (!failing && !upgrade) return []
  const review = upgrade && {
    href: `${path}/Upgrade`,
    text: html`See what changes<span class="visually-hidden"> in ${app.name}</span>`,
  }
  return [appRow(app, html`${failing}${upgrade}`, path, review || undefined)]
}

function appRow(
  { id, iconId, name, partyName }: HomeApp,
  note: Html,
  href: string,
  action?: { href: string; text: Html },
): Html {
  return html`<li class="row">
    ${appFace(id, iconId)}
    <span class="row-text">
      <span><a href="${href}"><bdi>${name}</bdi></a> <span class="row-note">· <bdi>${partyName}</bdi></span></span>
      ${note}
    </span>
    ${action && html`<a class="button small" href="${action.href}">${action.text}</a>`}
  </li>`
}

function requestRow(one: RequestListed): Html {
  return html`<li class="row">
    ${appFace(one.appId, one.iconId)}
    <span class="row-text">
      <a class="row-name" href="${REQUESTS_PATH}/${one.id}"><bdi>${one.appName}</bdi></a>
      <span class="row-note"><bdi>${one.partyName}</bdi></span>
      ${decision(one)}
      <span class="badges">${requestBadge(one.status)}</span>
    </span>
  </li>`
}

function account(party: HomeParty, apps: readonly HomeApp[]): Html {
  const { partyId, partyName, partyType, suspension } = party
  const own = apps.filter((app) => app.partyId === partyId)
  const headingId = `account-${partyId}`
  return html`<section class="card flush" aria-labelledby="${headingId}">
    <div class="section-head">
      <h2 id="${headingId}"><bdi>${partyName}</bdi></h2>
      ${partyBadge(partyType)}
    </div>
    ${
      own.length === 0
        ? suspension === null
          ? noApps
          : suspended(suspension)
        : html`<ul class="launcher">${own.slice(0, APPS_OF_ACCOUNT_SHOWN).map(launchTile)}</ul>`
    }
    ${
      own.length > APPS_OF_ACCOUNT_SHOWN &&
      html`<p class="actions">
        <a class="button" href="/Installed?partyId=${partyId}">Show all apps<span class="visually-hidden"> of
          ${partyName}</span></a>
      </p>`
    }
  </section>`
}

function launchTile(app: HomeApp): Html {
  const standing = app.suspensions.length > 0 ? statusBadge('suspended') : backgroundBadge
  return html`<li class="launch">
    ${appFace(app.id, app.iconId)}
    <span class="row-text">
      <a class="row-name" href="/Installed/${app.installationId}"><bdi>${app.name}</bdi></a>
      ${!app.canOpen && html`<span class="badges">${standing}</span>`}
    </span>
    ${app.canOpen && openLink({ ...app, appId: app.id, appName: app.name })}
  </li>`
}

/** What an admin does first for an account; gone when all of it is done. */
function checklist({ apps, hasTwoStep }: HomePageInput, party: HomeParty): Html | false {
  const { partyId, hasColleagues } = party
  return checklistCard('Get started', [
    {
      label: 'Install your first app',
      href: '/Apps',
      isDone: apps.some((app) => app.partyId === partyId),
    },
    {
      label: 'Invite a colleague',
      href: `/Account/Members/Invite?partyId=${partyId}`,
      isDone: hasColleagues,
    },
    { label: 'Turn on two-step sign-in', href: '/Account/Security', isDone: hasTwoStep },
  ])
}

const noApps = emptyState('apps', 'No apps yet. Apps you install for this account appear here.', {
  href: '/Apps',
  label: 'Find an app',
})

function suspended(suspension: SuspensionCause): Html {
  return emptyState(
    'company',
    html`<strong>Your account is suspended.</strong> ${reasonGiven(suspension)}
      You cannot install apps for it until the suspension ends. Contact the operator of this marketplace.`,
  )
}

/** The consoles that people work in who need no account, and what they do there. */
const CONSOLES = {
  operator: {
    href: '/Operator',
    button: 'Run the marketplace',
    opens: 'Open the operator console',
    what: 'Operators do not need one. They manage accounts, users, developers and apps in their console.',
  },
  support: {
    href: '/Operator',
    button: 'Operator console',
    opens: 'Open the operator console',
    what: 'Support does not need one. It looks at accounts, users, developers and apps in the console.',
  },
  developer: {
    href: '/Developer',
    button: 'Developer console',
    opens: 'Open the developer console',
    what: 'Developers do not need one. They publish apps in their console.',
  },
} as const

function consoleOf(user: HomePageInput['user']) {
  if (user?.operator) return CONSOLES.operator
  if (user?.support) return CONSOLES.support
  return user?.worksForDevelopers ? CONSOLES.developer : undefined
}

function noAccounts(user: HomePageInput['user']): Html {
  const own = consoleOf(user)
  const next = own
    ? `You do not belong to an account. ${own.what}`
    : 'You do not belong to an account yet. Ask the operator of this marketplace to add you to your company’s account.'
  return html`<div class="card">${emptyState('company', next, own && { href: own.href, label: own.opens })}</div>`
}
