import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Author, author, draft, largeParts, newId } from '../../../setup/apps.ts'
import { type Answer, call, demoInstallation } from '../../../setup/client.ts'
import {
  type Customer,
  developerCalls,
  fullDraft,
  GOOD_SETTINGS,
  listedApp,
  newCustomer,
} from '../../../setup/customer.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'

let market: TestMarketplace
let developer: Author
let seller: Customer
let calls: ReturnType<typeof developerCalls>
beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
  calls = developerCalls(market, developer.token)
  seller = await newCustomer(market)
})
afterAll(() => market.close())

const idsOf = ({ body }: Answer): string[] => body.map(({ id }: { id: string }) => id)

async function installed(customer = seller, changes = {}, partyId = customer.party.id) {
  const { id: appId } = await listedApp(developer, fullDraft(changes))
  const { body, text } = await customer.install({
    ...{ appId, partyId, purchaseOptionId: 'full', userSettings: GOOD_SETTINGS },
  })
  expect(body.id, text).toBeTypeOf('string')
  return { id: body.id as string, appId }
}

describe('the list of an account', () => {
  test('has what is installed for all accounts of the user, oldest first, and no more', async () => {
    const customer = await newCustomer(market, 'Seller', [seller.party.id])
    await installed(await newCustomer(market))
    const ids = [
      (await installed(customer)).id,
      (await installed(seller)).id,
      (await installed(customer)).id,
    ]
    const answer = await customer.list()
    expect(answer.status).toBe(200)
    expect(idsOf(answer)).toEqual(expect.arrayContaining(ids))
    expect(answer.body.map(({ installDate }: { installDate: string }) => installDate)).toEqual(
      answer.body.map(({ installDate }: { installDate: string }) => installDate).toSorted(),
    )
    const parties = answer.body.map(({ partyId }: { partyId: number }) => partyId)
    expect(new Set(parties)).toEqual(new Set([customer.party.id, seller.party.id]))
  })

  test('has each entry as it is read alone', async () => {
    const { id } = await installed()
    const [entry] = (await seller.list()).body.filter((one: { id: string }) => one.id === id)
    expect(entry).toEqual((await seller.read(id)).body)
  })

  test('can be filtered by account, app and status', async () => {
    const customer = await newCustomer(market, 'Seller', [seller.party.id])
    const a = await installed(customer)
    const b = await installed(customer)
    const c = await installed(customer)
    await calls.suspend(b.id)
    await customer.uninstall(c.id)
    const mine = `partyId=${customer.party.id}`
    expect(idsOf(await customer.list(`?${mine}`))).toEqual([a.id, b.id])
    expect(idsOf(await customer.list(`?${mine}&status=active`))).toEqual([a.id])
    expect(idsOf(await customer.list(`?${mine}&status=suspended`))).toEqual([b.id])
    expect(idsOf(await customer.list(`?${mine}&status=uninstalled`))).toEqual([c.id])
    expect(idsOf(await customer.list(`?appId=${a.appId}`))).toEqual([a.id])
    expect(idsOf(await customer.list(`?appId=${c.appId}`))).toEqual([])
    expect(idsOf(await customer.list(`?partyId=${a.appId.length + 999_999}`))).toEqual([])
    expect(idsOf(await customer.list('?appId=constructor'))).toEqual([])
  })

  test('comes in pages that make up the whole', async () => {
    const customer = await newCustomer(market)
    const ids: string[] = []
    for (let index = 0; index < 5; index += 1) ids.push((await installed(customer)).id)
    const seen: string[] = []
    let path = '?limit=2'
    for (let pages = 0; pages < 5 && path !== ''; pages += 1) {
      const answer = await customer.list(path)
      seen.push(...idsOf(answer))
      const link = answer.headers.get('link')
      path = link === null ? '' : new URL(link.slice(1, link.indexOf('>'))).search
    }
    expect(seen).toEqual(ids)
  })

  test('ends a page with 1 MiB of definitions, each counted once, and leads on', async () => {
    const customer = await newCustomer(market, 'Seller', [seller.party.id])
    const apps = [1, 2, 3].map(() => listedApp(developer, draft(newId(), largeParts())))
    const [one, two, three] = (await Promise.all(apps)).map(({ id }) => id)
    const { party } = customer
    const filter = '?status=active'
    for (const { appId, partyId } of [
      { appId: one, partyId: party.id },
      { appId: one, partyId: seller.party.id },
      { appId: two, partyId: party.id },
      { appId: three, partyId: party.id },
    ]) {
      await customer.install({ appId, partyId, purchaseOptionId: 'one', userSettings: {} })
    }
    const mine = ({ body }: Answer) =>
      body
        .filter(({ appId }: { appId: string }) => [one, two, three].includes(appId))
        .map(({ appId }: { appId: string }) => appId)
    const first = await customer.list(filter)
    expect(mine(first)).toEqual([one, one, two])
    const link = first.headers.get('link') ?? ''
    const rest = await customer.list(new URL(link.slice(1, link.indexOf('>'))).search)
    expect(mine(rest)).toEqual([three])
    expect(rest.headers.get('link')).toBeNull()
  })

  test("refuses a cursor of another user's list, of other filters, and a forged one", async () => {
    const [one, two] = [await newCustomer(market), await newCustomer(market)]
    for (const customer of [one, two]) {
      await installed(customer)
      await installed(customer)
    }
    const link = (await one.list('?limit=1')).headers.get('link') ?? ''
    const { search } = new URL(link.slice(1, link.indexOf('>')))
    expect((await one.list(search)).status).toBe(200)
    expectProblem(await two.list(search), 'invalid_cursor')
    expectProblem(await one.list(`${search}&status=active`), 'invalid_cursor')
    expectProblem(await one.list('?cursor=WyIyMDI2Il0'), 'invalid_cursor')
  })

  test.each([
    ...['partyId=0', 'partyId=-1', 'partyId=x', 'partyId=2147483648', 'partyId=1&partyId=2'],
    ...['status=gone', 'status=', 'limit=0', 'limit=1001', 'limit=x', 'x=1', 'developerId=x'],
    ...['appId=%00', `appId=${'x'.repeat(65)}`],
  ])('refuses the query %s with a pointer', async (query) => {
    const answer = await seller.list(`?${query}`)
    expectProblem(answer, 'invalid_request')
    expect(pointersOf(answer)).toEqual([`/${query.split('=')[0]}`])
  })
})

describe('what a user never sees', () => {
  test('are passwords and admin settings', async () => {
    const { id } = await installed()
    await calls.patch(id, { adminText: 'for developers only', adminSecret: 'hidden' })
    for (const { body, text } of [await seller.read(id), await seller.list()]) {
      expect(text).not.toMatch(/s3cret-one|for developers only|hidden|adminSettings/)
      expect([body].flat()[0]).not.toHaveProperty('tokenGeneration')
    }
  })
})

describe("the app's view, GET /v1/Installation", () => {
  const own = async (id: string, permissions?: string[]) => {
    const minted = await call(market, 'POST', '/v1/Developer/Token', {
      token: developer.token,
      body: { installationId: id, ...(permissions && { permissions }) },
    })
    return call(market, 'GET', '/v1/Installation', { token: minted.body.token })
  }

  test('has the settings with settings:read, but never passwords', async () => {
    const { id } = await installed()
    await calls.patch(id, { adminText: 'routing', adminNumber: 2.5, adminSecret: 'hidden' })
    const { status, body, text } = await own(id)
    expect(status).toBe(200)
    expect(body).toEqual((await calls.read(id, '?secrets=omit')).body)
    expect(body).toMatchObject({
      userSettings: { text: 'jane', choice: 'eu' },
      adminSettings: { adminText: 'routing', adminNumber: '2.5' },
    })
    expect(text).not.toMatch(/s3cret-one|hidden/)
  })

  test('has no settings without settings:read, whether it was not granted or narrowed away', async () => {
    const granted = await installed()
    const narrowed = await own(granted.id, ['products:read'])
    expect(narrowed.body).toMatchObject({ id: granted.id, userSettings: {}, adminSettings: {} })
    const without = await installed(seller, {
      permissions: [{ id: 'products:read', purpose: 'Reads.' }],
    })
    expect((await own(without.id)).body).toMatchObject({ userSettings: {}, adminSettings: {} })
  })

  test('of the profile names the party; without profile:read it is 403', async () => {
    const { id } = demoInstallation(market, 'price-sync', 'Seller')
    const minted = await calls.mint(id)
    const profile = (token: string) => call(market, 'GET', '/api/v1/user/profile', { token })
    expect((await profile(minted.body.token)).body).toEqual({
      partyId: expect.any(Number),
      partyName: 'Keyline Electronics',
      partyType: 'Seller',
      installationId: id,
      appId: 'price-sync',
      user: null,
    })
    const { token } = (await calls.mint((await installed()).id)).body
    expectProblem(await profile(token), 'insufficient_scope')
  })
})

describe('a quote', () => {
  const tiered = {
    ...{ id: 'tiered', name: 'T', pricingModel: 'TieredBuckets', currency: 'USD' },
    ...{ bucketSize: 10, ratePerBucket: 5, baseFee: 20 },
  }

  test('counts the products that the party has now, a Buyer those of its Sellers', async () => {
    const app = await listedApp(
      developer,
      draft(newId(), { partyTypes: ['Seller', 'Buyer'], purchaseOptions: [tiered] }),
    )
    const [shop, buyer] = [await newCustomer(market), await newCustomer(market, 'Buyer')]
    const install = async ({ install: send }: Customer) =>
      (await send({ appId: app.id, purchaseOptionId: 'tiered' })).body
    const [ofShop, ofBuyer] = [await install(shop), await install(buyer)]
    expect(ofShop.quote).toMatchObject({ records: 0, buckets: 0, monthlyCost: 20 })
    const { db } = market.deps
    await db.product.createMany({
      data: Array.from({ length: 11 }, (_, index) => ({
        partyId: shop.party.id,
        brand: 'Acme',
        partNumber: `p${index}`,
        inStock: 1,
        body: '}',
      })),
    })
    expect((await shop.read(ofShop.id)).body.quote).toMatchObject({
      records: 11,
      buckets: 2,
      monthlyCost: 30,
      explanation: 'ceil(11 / 10) = 2 buckets x 5.00 + 20.00',
    })
    expect((await buyer.read(ofBuyer.id)).body.quote.records).toBe(0)
    await db.connection.create({ data: { buyerId: buyer.party.id, sellerId: shop.party.id } })
    expect((await buyer.read(ofBuyer.id)).body.quote.records).toBe(11)
    expect((await calls.quote(ofBuyer.id)).body).toEqual((await buyer.read(ofBuyer.id)).body.quote)
    expect((await buyer.list()).body[0].quote.records).toBe(11)
  })
  test('of so many products is asked for by `records`, whatever the party has', async () => {
    const app = await listedApp(developer, draft(newId(), { purchaseOptions: [tiered] }))
    const { body } = await seller.install({ appId: app.id, purchaseOptionId: 'tiered' })
    const quoted = await calls.quote(body.id, '?records=25')
    expect(quoted.body).toMatchObject({ records: 25, buckets: 3, monthlyCost: 35 })
    expectProblem(await calls.quote(body.id, '?records=-1'), 'invalid_request')
  })
})
