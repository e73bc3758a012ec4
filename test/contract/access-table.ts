import { randomUUID } from 'node:crypto'
import { GUIDES } from '../../src/web/docs/guides.ts'
import { pictureFile } from '../setup/hostile-pictures.ts'
import { CAST, PDF, type Role, type Things } from './access-cast.ts'
import { MEMBER_ROWS } from './access-members.ts'
import { OWN_SESSION, OWN_SIGN_IN } from './access-own-sign-in.ts'
import { PEOPLE_ROWS } from './access-people.ts'
import type { Entry, Row } from './access-row.ts'

const DEVELOPERS = ['developer A', 'developer B'] as const
const OWNING_DEVELOPER = ['developer A'] as const
/** An operator is a user too. */
const ADMINS = ['user A', 'user B', 'operator', 'support'] as const
const USERS = [...ADMINS, 'member A'] as const
const OWNING_USER = ['user A'] as const
const OWNING_MEMBERS = [...OWNING_USER, 'member A'] as const
/** A member of the account sees what its admins change. */
const ADMIN_NEEDED = { refusals: { 'member A': 403 } } as const
const OPERATORS = ['operator'] as const
const INSTALLATIONS = ['installation A', 'installation B'] as const

/** `METHOD url` of the route -> its row; HEAD goes with GET. */
export const ACCESS: Record<string, Row> = {}

function allow(allowed: readonly Role[], entries: readonly Entry[]): void {
  for (const entry of entries) {
    const [route, more] = typeof entry === 'string' ? [entry, {}] : entry
    const url = route.slice(route.indexOf(' ') + 1)
    if (ACCESS[route] !== undefined) throw new Error(`${route} has two rows`)
    ACCESS[route] = {
      allowed: withSupport(allowed, route),
      path: (things) => fill(url, things),
      ...more,
    }
  }
}

/** Support reads whatever operators read. */
function withSupport(allowed: readonly Role[], route: string): readonly Role[] {
  const isOperators = allowed.every((role) => role === 'operator')
  return isOperators && route.startsWith('GET ') ? [...allowed, 'support'] : allowed
}

/** Puts the ids of A's things into a route's url. */
export function fill(url: string, things: Things): string {
  const [, area = ''] = /^\/v1\/Operator\/([A-Za-z]+)/.exec(url) ?? []
  const ids = new Map<string, unknown>(Object.entries(things))
  ids
    .set('version', '1.0.0')
    .set('purchaseOptionId', 'free')
    .set('group', 'tokens')
    .set('name', 'erp')
  const idOf = new Map<string, string | number>([
    ['Developers', things.developerId],
    ['Parties', things.partyId],
    ['Users', things.userId],
    ['Apps', things.appId],
    ['Installations', things.installationId],
    ['Invitations', things.invitationId],
  ])
  ids.set('id', idOf.get(area) ?? things.productId)
  return url
    .replace('/assets/*', '/assets/style.css')
    .replace(/:([A-Za-z]\w*)/g, (_, name: string) => String(ids.get(name)))
}

const ICON = await pictureFile(128, 128)
const SCREENSHOT = await pictureFile(640, 100)
const PICTURE = { 'content-type': 'image/png' }

const newProduct = () => ({ brand: 'Acme', partNumber: randomUUID(), inStock: 1 })

const body = (make: (things: Things) => unknown) => ({ body: make })
const withQuery = (route: string, query: string): Entry => [
  route,
  { path: (things) => `${fill(route.slice(route.indexOf(' ') + 1), things)}?${query}` },
]

allow(CAST, [
  ['POST /v1/Auth', body(({ credentials }) => credentials.developer)],
  ['POST /v1/Account/Auth', body(({ credentials }) => credentials.user)],
  ...['GET /v1/Apps', 'GET /v1/Apps/:appId', 'GET /v1/Apps/:appId/TermsDocument'],
  'GET /v1/Apps/:appId/TermsDocument/Pdf',
  withQuery('GET /v1/Apps/:appId/PurchaseOptions/:purchaseOptionId/Quote', 'records=5'),
  ...[
    'GET /v1/Permissions',
    'GET /v1/EventTypes',
    'GET /livez',
    'GET /readyz',
    'GET /openapi.json',
    'GET /assets/*',
    'GET /favicon.ico',
    'GET /robots.txt',
  ],
  ...['GET /.well-known/jwks.json', 'GET /.well-known/oauth-authorization-server'],
  'GET /.well-known/oauth-authorization-server/Apps/:appId',
  ...['GET /docs', 'GET /docs/apps', 'GET /docs/api', 'GET /docs/errors'],
  withQuery('GET /docs/search', 'q=token'),
  ...GUIDES.map(({ name }) => `GET /docs/${name}`),
])

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const asClient =
  (fields: Record<string, string>) =>
  ({ credentials }: Things) => {
    const { clientId = '', password = '' } = credentials.developer ?? {}
    return `${new URLSearchParams({ ...fields, client_id: clientId, client_secret: password })}`
  }
allow(CAST, [
  ['POST /oauth/token', { body: asClient({ grant_type: 'client_credentials' }), headers: FORM }],
  ['POST /oauth/revoke', { body: asClient({ token: 'x' }), headers: FORM }],
  ['POST /v1/Secrets/Report', body(() => ({ secret: 'unknown' }))],
  ...PEOPLE_ROWS.everybody,
  ['POST /oauth/introspect', { body: asClient({ token: 'x' }), headers: FORM }],
])

allow([...USERS, 'anonymous'], PEOPLE_ROWS.usersAndStrangers)

allow(DEVELOPERS, [
  ...['GET /v1/Developer', 'GET /v1/Developer/Credentials'],
  ['POST /v1/Developer/Credentials', body(() => ({}))],
  ...PEOPLE_ROWS.developers,
  'GET /v1/Developer/Installations',
  'GET /v1/Developer/Apps',
  'GET /v1/Developer/Audit',
  ...['GET /v1/Developer/Events', 'GET /v1/Developer/EventConsumers'],
  ['PUT /v1/Developer/EventConsumers/:name', body(() => ({ position: 0 }))],
  ['POST /v1/Developer/Apps', body(({ newApp }) => newApp)],
  ['POST /v1/Developer/Token/Introspect', body(() => ({ token: 'x' }))],
])

allow(OWNING_DEVELOPER, [
  ...PEOPLE_ROWS.owningDeveloper,
  [
    'POST /v1/Developer/Token',
    { body: ({ installationId }) => ({ installationId }), refusal: 403 },
  ],
  [
    'POST /v1/Developer/Token/Revoke',
    { body: ({ installationId }) => ({ installationId }), refusal: 403 },
  ],
  'GET /v1/Developer/Installations/:installationId',
  'GET /v1/Developer/Installations/:installationId/Quote',
  'GET /v1/Developer/Installations/:installationId/Acceptances',
  'GET /v1/Developer/Installations/:installationId/Acceptances/:sha256/TermsDocument',
  'GET /v1/Developer/Installations/:installationId/Usage',
  ['PATCH /v1/Developer/Installations/:installationId/AdminSettings', body(() => ({}))],
  ['POST /v1/Developer/Installations/:installationId/Suspend', body(() => ({ reason: 'x' }))],
  'POST /v1/Developer/Installations/:installationId/Resume',
  'DELETE /v1/Developer/Installations/:installationId',
  'GET /v1/Developer/Apps/:appId',
  'GET /v1/Developer/Apps/:appId/Versions',
  'GET /v1/Developer/Apps/:appId/Definition',
  'GET /v1/Developer/Apps/:appId/Versions/:version',
  withQuery('GET /v1/Developer/Apps/:appId/Versions/:version/Changes', 'from=1.0.0'),
  // The one in use stays: that is a conflict.
  [
    'DELETE /v1/Developer/Credentials/:credentialId',
    { path: ({ credentialOfA }) => `/v1/Developer/Credentials/${credentialOfA}` },
  ],
  'GET /v1/Developer/Apps/:appId/TermsDocument',
  ['PUT /v1/Developer/Apps/:appId', body(({ nextVersion }) => nextVersion)],
  'DELETE /v1/Developer/Apps/:appId',
  'POST /v1/Developer/Apps/:appId/List',
  'POST /v1/Developer/Apps/:appId/Unlist',
  'GET /v1/Developer/Apps/:appId/Visibility',
  ['PUT /v1/Developer/Apps/:appId/Visibility', body(() => ({ visibility: 'listed' }))],
  ['POST /v1/Developer/Apps/:appId/InstallLinks', body(() => ({}))],
  'GET /v1/Developer/Apps/:appId/InstallLinks',
  [
    'DELETE /v1/Developer/Apps/:appId/InstallLinks/:id',
    {
      path: ({ appId, installLinkId }) =>
        `/v1/Developer/Apps/${appId}/InstallLinks/${installLinkId}`,
    },
  ],
  'POST /v1/Developer/Apps/:appId/Sandbox',
  [
    'PUT /v1/Developer/Apps/:appId/TermsDocument',
    { body: () => '# Other terms', headers: { 'content-type': 'text/markdown' } },
  ],
  'DELETE /v1/Developer/Apps/:appId/TermsDocument',
  'GET /v1/Developer/Apps/:appId/TermsDocument/Pdf',
  [
    'PUT /v1/Developer/Apps/:appId/TermsDocument/Pdf',
    { body: () => PDF, headers: { 'content-type': 'application/pdf' } },
  ],
  'DELETE /v1/Developer/Apps/:appId/TermsDocument/Pdf',
  ...['GET', 'PUT'].map(
    (method): Entry => [
      `${method} /v1/Developer/Apps/:appId/Listing`,
      method === 'PUT' ? body(() => ({ tagline: 'Another' })) : {},
    ],
  ),
  ['PUT /v1/Developer/Apps/:appId/Icon', { body: () => ICON, headers: PICTURE }],
  'DELETE /v1/Developer/Apps/:appId/Icon',
  [
    'POST /v1/Developer/Apps/:appId/Screenshots',
    {
      path: ({ appId }) => `/v1/Developer/Apps/${appId}/Screenshots?alt=x`,
      body: () => SCREENSHOT,
      headers: PICTURE,
    },
  ],
  ['PATCH /v1/Developer/Apps/:appId/Screenshots/:screenshotId', body(() => ({ alt: 'Another' }))],
  'DELETE /v1/Developer/Apps/:appId/Screenshots/:screenshotId',
  ['PUT /v1/Developer/Apps/:appId/Screenshots/Order', body(({ screenshotId }) => [screenshotId])],
  [
    'DELETE /v1/Developer/EventConsumers/:name',
    { path: ({ consumer }) => `/v1/Developer/EventConsumers/${consumer}` },
  ],
])

const WEBHOOKS = '/v1/Developer/Apps/:appId/Webhooks'
const WEBHOOK = `${WEBHOOKS}/:endpointId`
allow(OWNING_DEVELOPER, [
  [`POST ${WEBHOOKS}`, body(() => ({ url: 'https://hooks.example.com/events' }))],
  ...[`GET ${WEBHOOKS}`, `GET ${WEBHOOK}`, `DELETE ${WEBHOOK}`],
  [`PATCH ${WEBHOOK}`, body(() => ({ ordered: true }))],
  ...['RotateSecret', 'Test', 'Enable', 'Disable'].map((action) => `POST ${WEBHOOK}/${action}`),
  [`POST ${WEBHOOK}/Recover`, body(() => ({ since: new Date(Date.now() - 60_000).toISOString() }))],
  ...[`GET ${WEBHOOK}/Deliveries`, `GET ${WEBHOOK}/Deliveries/:deliveryId`],
  `POST ${WEBHOOK}/Deliveries/:deliveryId/Replay`,
])

allow(USERS, ['GET /v1/Account', 'GET /v1/Account/Installations', 'GET /v1/Account/Audit'])
allow(USERS, ['GET /v1/Account/Apps/:appId', 'GET /v1/Account/Upgrades'])
allow(OWNING_MEMBERS, [
  [
    'POST /v1/Account/InstallLinks',
    body(({ installLink, partyOfA }) => ({ link: installLink, partyId: partyOfA })),
  ],
])
allow(USERS, OWN_SIGN_IN)
allow(OWNING_USER, OWN_SESSION)
allow(ADMINS, [
  [
    'POST /v1/Account/Installations',
    {
      ...body(({ otherAppId }) => ({ appId: otherAppId, purchaseOptionId: 'free' })),
      ...ADMIN_NEEDED,
    },
  ],
])

const MINE = '/v1/Account/Installations/:installationId'
allow(OWNING_MEMBERS, [
  ...[`GET ${MINE}`, `GET ${MINE}/Usage`],
  withQuery(`GET ${MINE}/PurchaseOption`, 'purchaseOptionId=free'),
  ...[`GET ${MINE}/Upgrade`, `GET ${MINE}/TermsDocument`, `GET ${MINE}/Upgrade/TermsDocument`],
  ...[`GET ${MINE}/TermsDocument/Pdf`, `GET ${MINE}/Upgrade/TermsDocument/Pdf`],
  ...[`GET ${MINE}/Acceptances`, `GET ${MINE}/Acceptances/:sha256/TermsDocument`],
])
allow(OWNING_USER, [
  [`PATCH ${MINE}/UserSettings`, { ...body(() => ({})), ...ADMIN_NEEDED }],
  [
    `POST ${MINE}/PurchaseOption`,
    { ...body(() => ({ purchaseOptionId: 'free' })), ...ADMIN_NEEDED },
  ],
  [`POST ${MINE}/Upgrade`, { ...body(() => ({ version: '1.0.0' })), ...ADMIN_NEEDED }],
  [`DELETE ${MINE}`, ADMIN_NEEDED],
  ...PEOPLE_ROWS.admins,
])

const suspension = ['Developers', 'Apps', 'Parties', 'Users', 'Installations'].flatMap(
  (kind): Entry[] => [
    [`POST /v1/Operator/${kind}/:id/Suspend`, body(() => ({ reason: 'x' }))],
    `POST /v1/Operator/${kind}/:id/Resume`,
  ],
)
allow(OPERATORS, [
  ['POST /v1/Operator/Developers', body(() => ({ name: randomUUID() }))],
  ...['GET /v1/Operator/Developers', 'GET /v1/Operator/Developers/:id'],
  ['PATCH /v1/Operator/Developers/:id', body(() => ({ name: randomUUID() }))],
  ['POST /v1/Operator/Developers/:id/Credentials', body(() => ({}))],
  'GET /v1/Operator/Developers/:id/Credentials',
  'DELETE /v1/Operator/Developers/:id/Credentials/:credentialId',
  ['POST /v1/Operator/Parties', body(() => ({ name: randomUUID(), type: 'Buyer' }))],
  ...['GET /v1/Operator/Parties', 'GET /v1/Operator/Parties/:id'],
  ['PATCH /v1/Operator/Parties/:id', body(() => ({ name: randomUUID() }))],
  ['POST /v1/Operator/Connections', body(({ buyerId, sellerId }) => ({ buyerId, sellerId }))],
  'GET /v1/Operator/Connections',
  'DELETE /v1/Operator/Connections/:buyerId/:sellerId',
  [
    'POST /v1/Operator/Users',
    body(() => ({ email: `${randomUUID()}@example.com`, name: 'New', partyIds: [] })),
  ],
  ...['GET /v1/Operator/Users', 'GET /v1/Operator/Users/:id'],
  ['PATCH /v1/Operator/Users/:id', body(() => ({ name: randomUUID() }))],
  ...PEOPLE_ROWS.operators,
  'DELETE /v1/Operator/Users/:id/SecondFactor',
  'DELETE /v1/Operator/Users/:id',
  ...['POST /v1/Operator/Parties/:id/Close', 'POST /v1/Operator/Developers/:id/Close'],
  ['PUT /v1/Operator/Users/:id/Password', body(() => ({ password: randomUUID() }))],
  ['POST /v1/Operator/Memberships', body(({ userId, buyerId }) => ({ userId, partyId: buyerId }))],
  'DELETE /v1/Operator/Memberships/:userId/:partyId',
  'GET /metrics',
  ...['GET /v1/Operator/Apps', 'GET /v1/Operator/Apps/:id', 'GET /v1/Operator/Audit'],
  'GET /v1/Operator/Audit/Export',
  ...['GET /v1/Operator/Installations', 'GET /v1/Operator/Installations/:id'],
  'GET /v1/Operator/Installations/:id/Acceptances',
  'GET /v1/Operator/Installations/:id/Acceptances/:sha256/TermsDocument',
  'GET /v1/Operator/Installations/:id/Usage',
  ...suspension,
])

allow(INSTALLATIONS, [
  'GET /v1/Products',
  'GET /v1/Products/Changes',
  'GET /v1/User/Profile',
  'GET /v1/Installation',
])
// Of products of another party there is nothing.
allow(['installation A'], ['GET /v1/Products/:id'])
// A's app may not write products: 403 whatever it asks for.
allow(
  ['installation B'],
  [
    ['POST /v1/Products', { ...body(newProduct), refusal: 403 }],
    ['POST /v1/Products/Batch', { ...body(() => [newProduct()]), refusal: 403 }],
    [
      'POST /v1/Products/Import',
      {
        body: () => `brand,partNumber,inStock\nAcme,${randomUUID()},1\n`,
        headers: { 'content-type': 'text/csv' },
        refusal: 403,
      },
    ],
    ['GET /v1/Products/Imports', { refusal: 403 }],
    [
      'GET /v1/Products/Imports/:importId',
      { path: ({ importOfB }) => `/v1/Products/Imports/${importOfB}`, refusal: 403 },
    ],
    [
      'PATCH /v1/Products/:id',
      {
        path: ({ productOfB }) => `/v1/Products/${productOfB}`,
        body: () => ({ inStock: 2 }),
        refusal: 403,
      },
    ],
    [
      'DELETE /v1/Products/:id',
      { path: ({ productOfB }) => `/v1/Products/${productOfB}`, refusal: 403 },
    ],
  ],
)

for (const [allowed, entries] of MEMBER_ROWS) allow(allowed, entries)
