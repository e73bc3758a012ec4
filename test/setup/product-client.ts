import { randomUUID } from 'node:crypto'
import { createConnection } from '../../src/identity/accounts/connections-service.ts'
import { createParty } from '../../src/identity/accounts/parties-service.ts'
import { issueToken } from '../../src/identity/tokens/issue-service.ts'
import { tokenClaims } from '../../src/marketplace/installations/mint-token-service.ts'
import type { SharedMarketplace } from './app.ts'
import { installedBy } from './apps.ts'
import { type Answer, call } from './client.ts'
import { credentialOf } from './token-maker.ts'

/** An app at work on products: every endpoint as one short call. */
export function productClient(market: { url: string }, token: string) {
  const send = (method: string, path: string, body?: unknown, headers = {}): Promise<Answer> =>
    call(market, method, `/v1/Products${path}`, {
      token,
      headers,
      ...(body === undefined ? {} : { body }),
    })
  return {
    token,
    send,
    list: (query = '') => send('GET', query),
    read: (id: number, headers = {}) => send('GET', `/${id}`, undefined, headers),
    upsert: (body: unknown) => send('POST', '', body),
    patch: (id: number, body: unknown, headers = {}) => send('PATCH', `/${id}`, body, headers),
    remove: (id: number, headers = {}) => send('DELETE', `/${id}`, undefined, headers),
    batch: (body: unknown) => send('POST', '/Batch', body),
    changes: (query = '') => send('GET', `/Changes${query}`),
    export: (query = '', accept = 'application/x-ndjson') =>
      send('GET', query, undefined, { accept }),
    import: (body: string | Uint8Array, type = 'text/csv', query = '', headers = {}) =>
      send('POST', `/Import${query}`, body, { 'content-type': type, ...headers }),
    imports: (path = '') => send('GET', `/Imports${path}`),
  }
}

const TOKEN_SECONDS = 86_400
const PERMISSIONS = ['products:read', 'products:write']

/** A party without products and an app that may do everything with them. */
export async function newProductParty(
  market: SharedMarketplace,
  type: 'Buyer' | 'Seller' = 'Seller',
  permissions = PERMISSIONS,
  appId = 'price-sync',
) {
  const { deps } = market
  const party = await createParty(deps, { name: `Party ${randomUUID()}`, type })
  const id = await installedBy(market, appId, party.id)
  const installation = await deps.db.installation.findUniqueOrThrow({ where: { id } })
  const claims = tokenClaims(installation, permissions, await credentialOf(deps.db, installation))
  const { token } = await issueToken(deps, claims, TOKEN_SECONDS)
  return { partyId: party.id, installationId: id, ...productClient(market, token) }
}
export type ProductParty = Awaited<ReturnType<typeof newProductParty>>

/** Lets a Buyer see the products of a Seller. */
export async function connect(
  { deps }: SharedMarketplace,
  buyer: { partyId: number },
  seller: { partyId: number },
): Promise<void> {
  await createConnection(deps, { buyerId: buyer.partyId, sellerId: seller.partyId })
}
