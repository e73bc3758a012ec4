import type { RequestListed } from '../../marketplace/installations/requests/request-shown.ts'
import type { SuspensionCause } from '../../marketplace/installations/suspension-causes.ts'
import { openLink } from '../shared/app-parts/open-link.ts'
import { type Html, html } from '../shared/page/html.ts'
import { type HtmlPage, type PageShell, page, partyBadge, tile } from '../shared/page/html-page.ts'
import { invitationsNotice } from '../shared/status/invitations-notice.ts'
import { decision, requestBadge } from '../shared/status/request-status.ts'
import { REQUESTS_PATH, requestsNotice } from '../shared/status/requests-notice.ts'
import { backgroundBadge, statusBadge } from '../shared/status/status-badge.ts'
import { reasonGiven, suspensionNote } from '../shared/status/suspension-notices.ts'
import { APPS_OF_ACCOUNT_SHOWN, type HomeApp, type HomeParty } from './home-app.ts'

type HomePageInput = Pick<PageShell, 'assetVersion' | 'csrfToken'> & {
  user: NonNullable<PageShell['user']> | null
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
  /** Public address of this server, without a trailing slash. */
  baseUrl: string
}

/** The start page: what this is for visitors, accounts and their apps for who is signed in. */
export function homePage(input: HomePageInput): HtmlPage {
  const { user, csrfToken, assetVersion } = input
  const shell = { user, csrfToken, assetVersion }
  if (!user) return page({ ...shell, title: 'Welcome', body: welcome(input.baseUrl) })
  return page({ ...shell, title: 'Your apps', body: yourApps(input) })
}

function yourApps(input: HomePageInput): Html {
  const { user, parties, partyId, apps, requestsToDecide, invitations, ownRequests } = input
  const shown = parties.filter((party) => partyId === undefined || party.partyId === partyId)
  const own = consoleOf(user)
  return html`<div class="page-head"><h1>Your apps</h1>
${shown.length < parties.length && html`<p class="lead">Apps installed for the selected account.</p>`}
<p class="actions"><a class="button" href="/Apps">Find apps</a> <a class="button" href="/Installed">Manage
apps</a>${own && html` <a class="button" href="${own.href}">${own.button}</a>`}</p>
</div>
${requestsNotice(requestsToDecide)}
${invitationsNotice(invitations)}
${ownRequests.length > 0 && ownRequestsCard(ownRequests)}
${parties.length === 0 ? noAccounts(user) : shown.map((party) => account(party, apps))}
${
  shown.length < parties.length &&
  html`<p class="actions"><a class="button" href="/?partyId=">Show all accounts</a></p>`
}`
}

function ownRequestsCard(requests: readonly RequestListed[]): Html {
  return html`<section class="card flush" aria-labelledby="requests"><div class="section-head">
<h2 id="requests">Your requests</h2><a class="button small" href="${REQUESTS_PATH}">All requests</a></div>
<ul class="rows">${requests.map(
    (one) => html`<li class="row">${tile(one.appName)}<span class="row-text"><a class="row-name"
href="${REQUESTS_PATH}/${one.id}"><bdi>${one.appName}</bdi></a><span class="row-note"><bdi>${one.partyName}</bdi></span>
${decision(one)}<span class="badges">${requestBadge(one.status)}</span></span></li>
`,
  )}</ul></section>
`
}

function account(party: HomeParty, apps: readonly HomeApp[]): Html {
  const own = apps.filter((app) => app.partyId === party.partyId)
  const headingId = `account-${party.partyId}`
  return html`<section class="card flush" aria-labelledby="${headingId}">
<div class="section-head"><h2 id="${headingId}"><bdi>${party.partyName}</bdi></h2>
${partyBadge(party.partyType)}</div>
${
  own.length === 0
    ? party.suspension === null
      ? noApps
      : suspended(party.suspension)
    : html`<ul class="rows">${own.slice(0, APPS_OF_ACCOUNT_SHOWN).map(appRow)}${
        own.length > APPS_OF_ACCOUNT_SHOWN && allApps(party)
      }</ul>`
}</section>
`
}

function allApps({ partyId, partyName }: HomeParty): Html {
  return html`<li class="row"><a class="button" href="/Installed?partyId=${partyId}">Show all apps<span
class="visually-hidden"> of ${partyName}</span></a></li>
`
}

function appRow(app: HomeApp): Html {
  const open = openLink({ ...app, appId: app.id, appName: app.name })
  const standing = app.suspensions.length > 0 ? statusBadge('suspended') : backgroundBadge
  return html`<li class="row">
${tile(app.name)}<span class="row-text"><a class="row-name"
href="/Installed/${app.installationId}"><bdi>${app.name}</bdi></a>${suspensionNote(app.suspensions)}${
    !app.canOpen && html`<span class="badges">${standing}</span>`
  }</span>${app.canOpen && open}
</li>
`
}

const noApps = html`<div class="empty"><p class="empty-title">No apps yet</p><p>
Apps you install for this account appear here. <a href="/Apps">Find one</a></p></div>`

function suspended(suspension: SuspensionCause): Html {
  return html`<div class="empty"><p class="empty-title">Your account is suspended</p><p>${reasonGiven(suspension)}</p>
<p>You cannot install apps for it until the suspension ends. Contact the operator of this marketplace.</p></div>`
}

/** The consoles that people work in who need no account, and what they do there. */
const CONSOLES = {
  operator: {
    href: '/Operator',
    button: 'Run the marketplace',
    name: 'operator console',
    what: 'Operators do not need one. Manage accounts, users, developers and apps in the',
  },
  support: {
    href: '/Operator',
    button: 'Operator console',
    name: 'operator console',
    what: 'Support does not need one. Look at accounts, users, developers and apps in the',
  },
  developer: {
    href: '/Developer',
    button: 'Developer console',
    name: 'developer console',
    what: 'Developers do not need one. Publish apps in the',
  },
} as const

function consoleOf(user: HomePageInput['user']) {
  if (user?.operator) return CONSOLES.operator
  if (user?.support) return CONSOLES.support
  return user?.worksForDevelopers ? CONSOLES.developer : undefined
}

function noAccounts(user: HomePageInput['user']): Html {
  const own = consoleOf(user)
  return html`<div class="card"><div class="empty"><p class="empty-title">
You do not belong to an account${!own && ' yet'}</p><p>${
    own
      ? html`${own.what} <a href="${own.href}">${own.name}</a>.`
      : 'Ask the operator of this marketplace to add you to your company’s account. Its apps then appear here.'
  }</p></div></div>`
}

/** A picture of what an installation is; says nothing that the text beside it does not. */
const sample = html`<div class="card sample" aria-hidden="true"><div class="row-head">
${tile('App')}<span class="row-text"><span class="row-name">An app</span><span class="row-note">for your company</span></span>
</div>
<ul class="ticks"><li>Read your products</li><li>Read its own settings</li><li class="no">Change your products
</li></ul></div>`

function welcome(baseUrl: string): Html {
  return html`<section class="hero">
<div class="pitch">
<h1>Apps for your trading&nbsp;account</h1>
<p class="lead">Install what your business needs. Each app gets only the permissions you agreed to, for one
account, and only until you remove it.</p>
<p class="actions"><a class="button primary large" href="/Apps">Browse the apps</a>
<a class="button large" href="/docs">API documentation</a></p></div>
${sample}</section>
<div class="grid">
<section class="card"><h2>Buyers and Sellers</h2><p>
Open the apps of your company’s accounts from one place, with one sign-in. <a href="/login">Open your apps</a>
</p></section>
<section class="card"><h2>Developers</h2><p>
Publish apps, see who installed them, and get a short-lived token for each installation. <a href="/Developer">Developer console</a>
</p></section>
<section class="card"><h2>Operators</h2><p>
Suspend an app, a developer or an installation. Its tokens stop working immediately. <a href="/Operator">Run the marketplace</a>
</p></section></div>
<section class="card" aria-labelledby="start">
<h2 id="start">Start with the API</h2>
<p>Get a developer token, then one for each installation. <a href="/docs">The documentation</a> has every
endpoint; <a href="/openapi.json">openapi.json</a> describes them to your tools.</p>
<pre tabindex="0" role="region" aria-label="Example request"><code>curl -X POST ${baseUrl}/v1/Auth \\
  -H 'content-type: application/json' \\
  -d '{"clientId": "…", "password": "…"}'</code></pre>
</section>`
}
