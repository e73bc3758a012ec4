import type { Things } from './access-cast.ts'
import { type Outcome, VISITORS, type VisitorRole } from './access-page-cast.ts'
import { fill } from './access-table.ts'

type Row = Record<VisitorRole, Outcome>

/** A row in which everybody gets the same but for some. */
const row = (usual: Outcome, others: Partial<Row> = {}): Row => ({
  ...(Object.fromEntries(VISITORS.map((role) => [role, usual])) as Row),
  ...others,
})

const STRANGERS = {
  nobody: 'sign in',
  'developer token': 'sign in',
  'installation token': 'sign in',
} as const
const EVERYBODY = row('in')
const USERS = row('in', STRANGERS)
/** Pages about a thing of account A. */
const OF_ACCOUNT = row('hidden', { ...STRANGERS, admin: 'in', member: 'in' })
const OF_ADMINS = { ...OF_ACCOUNT, member: 'refused' } as const
/** What somebody else in the account has begun is shown to its admins. */
const OF_OTHERS_IN_ACCOUNT = { ...OF_ACCOUNT, member: 'hidden' } as const
const OPERATORS = row('hidden', { ...STRANGERS, operator: 'in', support: 'in' })
const PEOPLE = { owner: 'in', 'developer member': 'in', 'other owner': 'in' } as const
const DEVELOPERS = row('refused', { ...STRANGERS, ...PEOPLE })

const CHOOSING = row('refused', {
  ...STRANGERS,
  ...{ owner: 'hidden', 'developer member': 'hidden', 'other owner': 'hidden' },
})

/** `METHOD url` of the pages for users -> who gets what. */
const PAGES: Record<string, Row> = {}
function pages(expected: Row, routes: readonly string[]): void {
  for (const route of routes) PAGES[route] = expected
}
const both = (urls: readonly string[]) => urls.flatMap((url) => [`GET ${url}`, `POST ${url}`])

pages(EVERYBODY, [
  ...both(['/login', '/invitation', '/reset-password', '/confirm-email', '/forgot']),
  ...both(['/signin/link']),
  ...['GET /signed-out', 'POST /logout', 'GET /', 'GET /Apps', 'GET /.well-known/change-password'],
  'GET /Search',
  ...['GET /Apps/:appId', 'GET /Apps/:appId/Terms', 'GET /Apps/:appId/Terms/Pdf'],
  'GET /media/:pictureId/:file',
])
// Single sign-on is not set up.
pages(row('hidden'), ['GET /signin/oidc', 'GET /signin/oidc/callback'])
// Nobody has given a password and waits for a code.
pages(row('sign in'), both(['/login/code']))
// Leads to the sign-in.
pages(row('sign in'), ['GET /Developer/Login'])
pages(USERS, [
  ...both(['/Account/SecondFactor', '/Account/SecondFactor/Confirm', '/Apps/:appId/Install']),
  ...both(['/install-link']),
  ...[
    'GET /Account/SecondFactor/Done',
    'GET /Installed',
    'GET /Installed/Export',
    'GET /Account',
    'GET /Account/Accounts',
    'GET /Account/Data',
  ],
  ...both(['/Account/Name', '/Account/Password', '/Account/SignOutEverywhere']),
  ...both(['/Account/SecondFactor/RecoveryCodes', '/Account/SecondFactor/Remove']),
  ...both(['/Account/Sessions/:id/End', '/Account/Sessions/EndOthers', '/Account/Confirm']),
  ...['GET /Account/Security', 'GET /Account/Export', 'GET /Account/Requests'],
  'GET /Account/Requests/Export',
  ...both(['/Account/Notifications/Mail', '/Account/Notifications/Read']),
  ...['GET /Account/Notifications', 'GET /Account/Notifications/:id/Open'],
  'GET /Account/Upgrades',
  ...['GET /Account/Views', 'GET /Account/Views/:viewId/Remove'],
  ...both(['/Account/Choose', '/Account/Remove', '/Account/Email', '/Account/Token']),
  // Leads to the page of the members.
  'GET /Account/Members/Revoke',
])
// Leads on after a sign-in that interrupted the form.
pages(USERS, ['GET /Account/Invitations'])
pages(row('hidden', STRANGERS), [
  'POST /Account/Invitations',
  'POST /Account/Notifications/:id/Open',
  ...both(['/Account/Views/New']),
  'POST /Account/Views/:viewId/Remove',
])
pages(OF_ACCOUNT, [
  ...both(['/Apps/Authenticate/:appId']),
  ...['GET /Installed/:installationId', 'GET /Installed/:installationId/Terms'],
  'GET /Installed/:installationId/Terms/Pdf',
  'GET /Installed/:installationId/Acceptances',
  'GET /Installed/:installationId/Acceptances/:sha256/TermsDocument',
  'GET /Account/Members',
])
pages(OF_ADMINS, [
  ...both(['/Installed/:installationId/Uninstall', '/Installed/:installationId/Settings']),
  ...both(['/Installed/:installationId/Option', '/Installed/:installationId/Upgrade']),
  ...both(['/Account/Members/Remove']),
  ...['POST /Account/Members', 'POST /Account/Members/Revoke', 'GET /Account/Members/Export'],
])
// About the account that the visitor has chosen, or the only one.
pages({ ...USERS, member: 'refused' }, ['GET /Account/Members/Invite'])
// Who has no account has nothing to invite to.
pages({ ...OF_ADMINS, 'other admin': 'in' }, ['POST /Account/Members/Invite'])
pages(OF_OTHERS_IN_ACCOUNT, both(['/Account/Requests/:requestId']))

/** Pages of the developer console that lead on to the page of the thing, whoever asks. */
const LEADING_ON =
  /\/(Resume|Members\/Revoke|Webhooks\/:endpointId\/(Test|Enable)|Deliveries\/:deliveryId\/Replay|Listing\/Icon\/Remove|Screenshots\/:screenshotId\/(Earlier|Later|Remove))$/
const OWNERS_ONLY = /^\/Developer\/(Credentials|Members\/(?!Export))/

/**
 * Who gets what from a page: by a row of its own, or by the console that it stands in. A new page
 * of a console is held to the rule of the console.
 */
export function expectedOf(method: string, url: string): Row | undefined {
  if (url.startsWith('/Operator')) {
    return method === 'GET' ? OPERATORS : { ...OPERATORS, support: 'refused' }
  }
  if (!url.startsWith('/Developer') || url === '/Developer/Login') return PAGES[`${method} ${url}`]
  // The form names no developer.
  if (`${method} ${url}` === 'POST /Developer/Choose') return CHOOSING
  const isMembers = `${method} ${url}` === 'POST /Developer/Members'
  const leadsOn = method === 'GET' && LEADING_ON.test(url)
  const isOfA = (isMembers || url.includes(':')) && !leadsOn
  return {
    ...DEVELOPERS,
    ...(isOfA && { 'other owner': 'hidden' as const }),
    ...((isMembers || OWNERS_ONLY.test(url)) &&
      !leadsOn && { 'developer member': 'refused' as const }),
  }
}

/** Routes that there are no rows for, and rows without a route. */
export function strayRows(routes: readonly string[]): string[] {
  return Object.keys(PAGES).filter((row) => !routes.includes(row))
}

/** Forms after which the thing that they are about is gone for whoever comes next. */
export const USES_UP =
  /^\/(Developer|Operator|Installed)\/.*\/(Delete|Uninstall|Remove|Close|Revoke)$|^\/Account\/Requests/

/** The address of a page, with the ids of A's things in it. */
export function pagePath(url: string, things: Things): string {
  const isOperators = url.startsWith('/Operator')
  const own = isOperators
    ? { id: operatorId(url, things), otherId: things.buyerId }
    : {
        ...{ id: things.sessionOfA, requestId: things.requestOfA },
        ...{ credentialId: things.credentialOfA, userId: things.personOfDeveloperA },
      }
  const appId = url === '/Apps/:appId/Install' ? things.otherAppId : things.appId
  const ids = new Map<string, unknown>(Object.entries({ ...things, ...own, appId }))
  ids.set('name', things.consumer)
  const path = url.replace(/:([A-Za-z]\w*)/g, (_, name: string) => String(ids.get(name)))
  const { partyOfA, memberOfA } = things
  const asked: Record<string, string> = {
    '/install-link': new URL(things.installLink).search.slice(1),
    '/Developer/Members': `userId=${things.personOfDeveloperA}`,
    '/Developer/Members/Revoke': `invitationId=${things.invitationToDeveloperA}`,
    '/Account/Members/Revoke': `partyId=${partyOfA}&invitationId=${things.invitationToPartyA}`,
    '/Operator/Developers/:id/Roles': `userId=${things.userId}`,
    '/Operator/Parties/:id/Roles': `userId=${things.userId}`,
    '/Operator/Users/:id/Roles': `partyId=${things.partyId}`,
  }
  if (asked[url] !== undefined) return `${path}?${asked[url]}`
  return /^\/Account\/Members(\/(Remove|Export))?$/.test(path)
    ? `${path}?partyId=${partyOfA}&userId=${memberOfA}`
    : path
}

function operatorId(url: string, things: Things): string {
  const [, , collection = ''] = url.split('/')
  return fill(`/v1/Operator/${collection}/:id`, things).split('/')[4] ?? ''
}
