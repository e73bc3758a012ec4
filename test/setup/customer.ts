import { randomUUID } from 'node:crypto'
import { SYSTEM } from '../../src/base/values/actor.ts'
import { createMembership } from '../../src/identity/accounts/members/memberships-service.ts'
import { createParty } from '../../src/identity/accounts/parties-service.ts'
import { createUser } from '../../src/identity/accounts/users-service.ts'
import type { SharedMarketplace } from './app.ts'
import { type Author, draft, flat, newId } from './apps.ts'
import { type Answer, accountToken, call } from './client.ts'
import { demoUser } from './web-client.ts'

export const INSTALLATIONS = '/v1/Account/Installations'

/** A user at work: every endpoint of the account as one short call. */
export function accountCalls(market: Pick<SharedMarketplace, 'url'>, token: string) {
  const send = (method: string, path: string, body?: unknown, headers = {}): Promise<Answer> =>
    call(market, method, `${INSTALLATIONS}${path}`, {
      token,
      headers,
      ...(body === undefined ? {} : { body }),
    })
  return {
    token,
    send,
    account: () => call(market, 'GET', '/v1/Account', { token }),
    install: (body: unknown) => send('POST', '', body),
    list: (query = '') => send('GET', query),
    read: (id: string) => send('GET', `/${id}`),
    patch: (id: string, body: unknown, headers = {}) =>
      send('PATCH', `/${id}/UserSettings`, body, headers),
    previewOption: (id: string, option: string) =>
      send('GET', `/${id}/PurchaseOption?purchaseOptionId=${option}`),
    changeOption: (id: string, purchaseOptionId: string, userSettings = {}, headers = {}) =>
      send('POST', `/${id}/PurchaseOption`, { purchaseOptionId, userSettings }, headers),
    previewUpgrade: (id: string, query = '') => send('GET', `/${id}/Upgrade${query}`),
    upgrade: (id: string, body: unknown, headers = {}) =>
      send('POST', `/${id}/Upgrade`, body, headers),
    uninstall: (id: string) => send('DELETE', `/${id}`),
  }
}

/** A new account with one user, who is signed in. */
export async function newCustomer(
  market: SharedMarketplace,
  type: 'Buyer' | 'Seller' = 'Seller',
  more: number[] = [],
) {
  const { deps } = market
  const party = await createParty(deps, { name: `Party ${randomUUID()}`, type })
  const user = await createUser(deps, {
    email: `${randomUUID()}@example.com`,
    name: 'Casey Customer',
    partyIds: [party.id, ...more],
  })
  return { party, user, ...accountCalls(market, await accountToken(market, user)) }
}
/** A new user who is a member of an account without being its admin. */
export async function newMember({ deps }: Pick<SharedMarketplace, 'deps'>, partyId: number) {
  const user = await createUser(deps, {
    email: `${randomUUID()}@example.com`,
    name: 'Morgan Member',
  })
  await createMembership(deps, { userId: user.id, partyId, role: 'member' }, SYSTEM)
  return user
}

/** So many accounts with their users at work, taken in turns by their number. */
export async function newCustomers(market: SharedMarketplace, count: number) {
  const customers: Customer[] = []
  for (let index = 0; index < count; index += 1) customers.push(await newCustomer(market))
  return (index: number) => customers[index % count] as Customer
}

export type Customer = Awaited<ReturnType<typeof newCustomer>>

/** The demo's user of the first developer's sandbox, signed in. */
export async function sandboxUser(market: SharedMarketplace) {
  return accountCalls(market, await accountToken(market, demoUser(market, 'None')))
}

/** A developer's calls on one of its installations. */
export function developerCalls(market: Pick<SharedMarketplace, 'url'>, token: string) {
  const send = (method: string, path: string, body?: unknown, headers = {}): Promise<Answer> =>
    call(market, method, `/v1/Developer/Installations${path}`, {
      token,
      headers,
      ...(body === undefined ? {} : { body }),
    })
  return {
    token,
    send,
    list: (query = '') => send('GET', query),
    read: (id: string, query = '') => send('GET', `/${id}${query}`),
    quote: (id: string, query = '') => send('GET', `/${id}/Quote${query}`),
    patch: (id: string, body: unknown, headers = {}) =>
      send('PATCH', `/${id}/AdminSettings`, body, headers),
    suspend: (id: string, reason: unknown = 'It misbehaves.') =>
      send('POST', `/${id}/Suspend`, { reason }),
    resume: (id: string) => send('POST', `/${id}/Resume`),
    uninstall: (id: string) => send('DELETE', `/${id}`),
    mint: (installationId: string) =>
      call(market, 'POST', '/v1/Developer/Token', { token, body: { installationId } }),
  }
}

const CHOICES = [
  { name: 'Europe', value: 'eu' },
  { name: 'Zone 5', value: 5 },
]

/** Settings of every type in both scopes; `text`, `choice` and `secret` are mandatory. */
export const EVERY_SETTING = {
  text: { type: 'text', name: 'Text', mandatory: true },
  note: { type: 'text', name: 'Note' },
  choice: { type: 'select', name: 'Choice', options: CHOICES, mandatory: true },
  amount: { type: 'number', name: 'Amount', min: 0, max: 1, step: 0.1 },
  count: { type: 'number', name: 'Count', min: 1, max: 9, step: 2 },
  flag: { type: 'boolean', name: 'Flag' },
  secret: { type: 'password', name: 'Secret', mandatory: true },
  pin: { type: 'password', name: 'Pin' },
  adminText: { type: 'text', name: 'Admin text', scope: 'admin' },
  adminNumber: { type: 'number', name: 'Admin number', min: 0, step: 0.5, scope: 'admin' },
  adminFlag: { type: 'boolean', name: 'Admin flag', scope: 'admin' },
  adminChoice: { type: 'select', name: 'Admin choice', options: CHOICES, scope: 'admin' },
  adminSecret: { type: 'password', name: 'Admin secret', scope: 'admin' },
  adminMust: { type: 'text', name: 'Admin must', mandatory: true, scope: 'admin' },
}

/** Values that the option `full` takes. */
export const GOOD_SETTINGS = { text: 'jane', choice: 'eu', secret: 's3cret-one' }

/** An app with the options `free` (no settings) and `full` (every setting). */
export function fullDraft(changes: Record<string, unknown> = {}) {
  return draft(newId(), {
    permissions: [
      { id: 'products:read', purpose: 'Reads your products.' },
      { id: 'settings:read', purpose: 'Reads your settings.' },
    ],
    purchaseOptions: [flat('free', 0, { order: 1 }), flat('full', 10, { order: 2 })],
    settings: { full: EVERY_SETTING },
    authReturnUrl: 'https://app.example/return',
    ...changes,
  })
}

/** Publishes an app and lists it. */
export async function listedApp(
  developer: Pick<Author, 'create' | 'list'>,
  definition: ReturnType<typeof draft>,
) {
  const created = await developer.create(definition)
  if (created.status !== 201) throw new Error(created.text)
  const listed = await developer.list(definition.id)
  if (listed.status !== 200) throw new Error(listed.text)
  return definition
}

/** What an app asks to be accepted, accepted: as its page in the catalogue has it. */
export async function acceptAll(market: Pick<SharedMarketplace, 'url'>, appId: string) {
  const { body } = await call(market, 'GET', `/v1/Apps/${appId}`)
  return {
    acknowledgements: body.acknowledgements.map(({ id, sha256 }: Record<string, string>) => ({
      id,
      sha256,
    })),
    ...(body.termsDocument === null
      ? {}
      : { termsDocument: { sha256: body.termsDocument.sha256 } }),
  }
}
