import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../client/src/generated/client/index.ts'
import * as api from '../../client/src/generated/index.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { demoInstallation } from '../setup/client.ts'
import { clientOf, credentialsOf } from '../setup/marketplace-client.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

const open = (token?: string) =>
  createClient({ baseUrl: market.url, throwOnError: true, ...(token && { auth: token }) })

// The compiler checks each name and type that is used here.
test('the generated calls run the main flow', async () => {
  const installation = demoInstallation(market, 'price-sync', 'Seller')
  const body = credentialsOf(market, 'price-sync')
  const signedIn = await api.createDeveloperToken({ client: open(), body })
  const developer = open(signedIn.data.token)
  const { data: installations } = await api.listInstallations({
    client: developer,
    query: { limit: 10, partyType: 'Seller', status: 'active' },
  })
  expect(installations.map(({ id }) => id)).toContain(installation.id)
  const issued = await api.createInstallationToken({
    client: developer,
    body: { installationId: installation.id },
  })
  expect(issued.data.installationId).toBe(installation.id)
  const app = open(issued.data.token)
  const { data: profile } = await api.readProfile({ client: app })
  expect(profile.partyId).toBe(installation.partyId)
})

test('they make their requests without a client, which Deno would take for one of its own', async () => {
  const { Request } = globalThis
  onTestFinished(() => {
    globalThis.Request = Request
  })
  globalThis.Request = class extends Request {
    constructor(input: string | URL | Request, init?: RequestInit) {
      if (init !== undefined && 'client' in init) throw new TypeError('no Deno.HttpClient')
      super(input, init)
    }
  }
  const { client } = clientOf(market, 'price-sync')
  expect((await api.listOwnApps({ client })).response.status).toBe(200)
})

test('their errors have the codes of the operation', async () => {
  const body = { clientId: 'nobody', password: 'wrong' }
  const { error } = await api.createDeveloperToken({ client: open(), body, throwOnError: false })
  const told = () => {
    switch (error?.code) {
      case 'invalid_credentials':
        return 'wrong password'
      case 'too_many_requests':
      case 'unavailable':
        return 'later'
      // @ts-expect-error a sign-in has no cursor
      case 'invalid_cursor':
        return 'a cursor'
      default:
        return error?.detail
    }
  }
  expect(told()).toBe('wrong password')
})

test('their types have the names of the document', () => {
  const option: api.PurchaseOption = {
    id: 'free',
    name: 'Free',
    pricingModel: 'FlatMonthly',
    currency: 'USD',
    monthlyRate: 0,
  }
  const change: api.DefinitionChange['kind'] = 'option_price_changed'
  const status: api.InstallationStatus = 'suspended'
  expect([option.id, change, status]).toHaveLength(3)
})
