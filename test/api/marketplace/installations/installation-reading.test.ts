import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Author, author, draft, largeParts, newId } from '../../../setup/apps.ts'
import { type Answer, call, demoInstallation } from '../../../setup/client.ts'
import {
  type Customer,
  developerCalls,
  EVERY_SETTING,
  fullDraft,
  GOOD_SETTINGS,
  listedApp,
  newCustomer,
} from '../../../setup/customer.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'
import { type OperatorCalls, operatorCalls } from '../../../setup/operator.ts'
import { noteStatements } from '../../../setup/statements.ts'
import { holdRows, untilWaiting } from '../../../setup/turns.ts'

let market: TestMarketplace
let statements: ReturnType<typeof noteStatements>
let developer: Author
let calls: ReturnType<typeof developerCalls>
let operate: OperatorCalls
let seller: Customer
beforeAll(async () => {
  market = await startMarketplace()
  statements = noteStatements(market.deps.pool)
  developer = await author(market)
  calls = developerCalls(market, developer.token)
  operate = await operatorCalls(market)
  seller = await newCustomer(market)
})
afterAll(() => market.close())

/** Texts whose JSON has to be escaped, in one way or another. */
const NASTY = '"quoted" \\ back\tslash </script> \u007f \u001e \u2028 😀 é'
const SETTINGS = { ...GOOD_SETTINGS, note: NASTY, amount: 0.3, count: 3, flag: 'true' }

const publish = (changes = {}) => listedApp(developer, fullDraft(changes))

/** Installs an app, a new one unless it is said which. */
async function installed(customer = seller, app?: Awaited<ReturnType<typeof publish>>) {
  const definition = app ?? (await publish())
  const { body, text } = await customer.install({
    appId: definition.id,
    partyId: customer.party.id,
    purchaseOptionId: 'full',
    userSettings: SETTINGS,
  })
  expect(body.id, text).toBeTypeOf('string')
  return { id: body.id as string, appId: definition.id, definition }
}

const idsOf = ({ body }: Answer): string[] => body.map(({ id }: { id: string }) => id)
/** The query of the next page, or '' when there is none. */
const nextOf = ({ headers }: Answer) => {
  const link = headers.get('link')
  return link === null ? '' : new URL(link.slice(1, link.indexOf('>'))).search
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
      path = nextOf(answer)
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
    const rest = await customer.list(nextOf(first))
    expect(mine(rest)).toEqual([three])
    expect(rest.headers.get('link')).toBeNull()
  })

  test("refuses a cursor of another user's list, of other filters, and a forged one", async () => {
    const [one, two] = [await newCustomer(market), await newCustomer(market)]
    for (const customer of [one, two]) {
      await installed(customer)
      await installed(customer)
    }
    const next = nextOf(await one.list('?limit=1'))
    expect((await one.list(next)).status).toBe(200)
    expectProblem(await two.list(next), 'invalid_cursor')
    expectProblem(await one.list(`${next}&status=active`), 'invalid_cursor')
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
    const permissions = [{ id: 'products:read', purpose: 'Reads.' }]
    const without = await installed(seller, await publish({ permissions }))
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

/** The list has an installation in the very bytes in which it is read alone. */
async function expectSame(id: string, partyId: number, query = '') {
  const alone = await calls.read(id)
  expect(alone.status).toBe(200)
  const list = await calls.list(`?partyId=${partyId}${query}`)
  expect(list.text).toBe(`[${alone.text}]`)
  const secretless = await calls.list(`?partyId=${partyId}${query}&secrets=omit`)
  expect(secretless.text).toBe(`[${(await calls.read(id, '?secrets=omit')).text}]`)
  return alone.body
}

test('the list shows each change of an installation, as the installation read alone does', async () => {
  const customer = await newCustomer(market)
  const partyId = customer.party.id
  const { id, definition } = await installed(customer)
  const same = (query?: string) => expectSame(id, partyId, query)
  expect((await same()).userSettings).toMatchObject({ note: NASTY, secret: 's3cret-one', count: 3 })

  const admin = { adminText: NASTY, adminNumber: '1.5', adminSecret: 'hidden', adminMust: 'x' }
  expect((await calls.patch(id, admin)).status).toBe(200)
  expect((await same()).adminSettings).toMatchObject({ adminText: NASTY, adminSecret: 'hidden' })
  expect((await customer.patch(id, { note: null, amount: 0.7 })).status).toBe(200)
  expect((await same()).userSettings).not.toHaveProperty('note')

  const reason = NASTY.replace('\u007f', '\n').replace('\u001e', '')
  expect((await calls.suspend(id, reason)).status).toBe(200)
  expect(await same()).toMatchObject({ status: 'suspended', suspendedReason: reason })
  expect((await calls.suspend(id, 'Another reason')).status).toBe(200)
  expect((await same()).suspendedReason).toBe('Another reason')
  expect((await calls.resume(id)).status).toBe(200)
  expect(await same()).toMatchObject({ status: 'active', suspendedReason: null })

  const next = { ...definition, version: '2.0.0', settings: { full: { ...EVERY_SETTING } } }
  const published = await developer.put(next)
  expect(published.status, published.text).toBe(200)
  const upgraded = await customer.upgrade(id, { version: '2.0.0', userSettings: {} })
  expect(upgraded.status, upgraded.text).toBe(200)
  expect((await same()).installedVersion).toBe('2.0.0')

  expect((await developer.put({ ...next, name: `New ${definition.id}` })).status).toBe(200)
  expect((await same()).appName).toBe(`New ${definition.id}`)
  await rename(partyId, `Renamed "${partyId}"`)
  expect((await same()).partyName).toBe(`Renamed "${partyId}"`)

  expect((await customer.changeOption(id, 'free')).status).toBe(200)
  expect((await same()).userSettings).toEqual({})
  expect((await customer.uninstall(id)).status).toBe(204)
  await rename(partyId, `Once more ${partyId}`)
  const last = await same('&status=uninstalled')
  expect(last).toMatchObject({ status: 'uninstalled', partyName: `Once more ${partyId}` })
})

test('each installation of a list has its own passwords, also between those without any', async () => {
  const definition = await publish()
  for (const secret of [null, 'first', null, null, 'second', null]) {
    const customer = await newCustomer(market)
    const { status, text } = await customer.install({
      appId: definition.id,
      partyId: customer.party.id,
      purchaseOptionId: secret === null ? 'free' : 'full',
      ...(secret !== null && { userSettings: { ...GOOD_SETTINGS, secret } }),
    })
    expect(status, text).toBe(201)
  }
  const list = await calls.list(`?appId=${definition.id}`)
  const alone = await Promise.all(
    list.body.map(({ id }: { id: string }) => calls.read(id).then(({ text }) => text)),
  )
  expect(list.text).toBe(`[${alone.join(',')}]`)
  const secrets = list.body.map(({ userSettings }: { userSettings: { secret?: string } }) => {
    return userSettings.secret ?? null
  })
  expect(secrets).toEqual([null, 'first', null, null, 'second', null])
})

test('settings that change just before the account is renamed are in the list', async () => {
  const customer = await newCustomer(market)
  const { id } = await installed(customer)
  const held = await holdRows(market, LOCKED_INSTALLATION, [id])
  try {
    const changed = customer.patch(id, { note: 'new' })
    await untilWaiting(market, 1)
    const renamed = rename(customer.party.id, `Renamed ${customer.party.id}`)
    await untilWaiting(market, 2)
    await held.release()
    expect((await changed).status).toBe(200)
    await renamed
  } finally {
    await held.release()
  }
  expect((await expectSame(id, customer.party.id)).userSettings.note).toBe('new')
})

test('what is installed while the account is renamed has the new name', async () => {
  const customer = await newCustomer(market)
  const partyId = customer.party.id
  const first = await installed(customer)
  const name = `Renamed ${partyId}`
  // Whoever waits for a row does so for some seconds only.
  const app = await publish()
  const held = await holdRows(market, LOCKED_INSTALLATION, [first.id])
  let id: string
  try {
    const renamed = rename(partyId, name)
    await untilWaiting(market, 1)
    const made = installed(customer, app)
    await untilWaiting(market, 2)
    await held.release()
    await renamed
    ;({ id } = await made)
  } finally {
    await held.release()
  }
  expect((await customer.uninstall(first.id)).status).toBe(204)
  expect((await expectSame(id, partyId)).partyName).toBe(name)
})

const LOCKED_INSTALLATION = 'SELECT 1 FROM installations WHERE id = $1 FOR UPDATE'

async function rename(partyId: number, name: string) {
  const answer = await operate('PATCH', `Parties/${partyId}`, { name })
  expect(answer.status, answer.text).toBe(200)
}

test('what another release writes is in the list too', async () => {
  const customer = await newCustomer(market)
  const { id } = await installed(customer)
  const { db } = market.deps
  await db.settingValue.update({
    where: { installationId_scope_key: { installationId: id, scope: 'user', key: 'note' } },
    data: { value: 'written by itself' },
  })
  await db.$executeRaw`
    UPDATE installations SET status = 'suspended', suspended_at = now(), suspended_by = 'developer',
      suspended_reason = 'alone' WHERE id = ${id}::uuid`
  expect((await expectSame(id, customer.party.id)).suspendedReason).toBe('alone')
  expect((await expectSame(id, customer.party.id)).userSettings.note).toBe('written by itself')
  const held = await holdRows(market, LOCKED_INSTALLATION, [id])
  try {
    const changed = customer.patch(id, { text: 'new' })
    await untilWaiting(market, 1)
    const reencrypted = market.deps.pool.query(
      "UPDATE setting_values SET secret = secret WHERE installation_id = $1 AND key = 'choice'",
      [id],
    )
    await untilWaiting(market, 2)
    await held.release()
    expect((await changed).status).toBe(200)
    await reencrypted
  } finally {
    await held.release()
  }
  expect((await expectSame(id, customer.party.id)).userSettings.text).toBe('new')
  await db.settingValue.deleteMany({
    where: { installationId: id, key: { in: ['note', 'secret'] } },
  })
  const { userSettings } = await expectSame(id, customer.party.id)
  expect(userSettings).not.toHaveProperty('note')
  expect(userSettings).not.toHaveProperty('secret')
})

/** All settings of all options of a version have up to 1 MiB. */
const ALL_SETTINGS = '"app_versions"."settings"'

test('an installation that is made reads the settings of its option alone', async () => {
  const app = await publish()
  statements.take()
  await installed(seller, app)
  const texts = statements.take().map(({ text }) => text)
  expect(texts.filter((text) => text.includes(ALL_SETTINGS))).toEqual([])
})

test.each<[string, (id: string) => Promise<{ status: number }>]>([
  ['is listed for its account', () => seller.list()],
  ['is read by its account', (id) => seller.read(id)],
  ['gets user settings', (id) => seller.patch(id, { text: 'joe' })],
  ['gets admin settings', (id) => calls.patch(id, { adminFlag: true })],
  ['is shown another option', (id) => seller.previewOption(id, 'free')],
  ['gets another option', (id) => seller.changeOption(id, 'free')],
])('an installation that %s reads the settings of its option alone', async (_what, request) => {
  const { id } = await installed()
  statements.take()
  expect((await request(id)).status).toBe(200)
  const texts = statements.take().map(({ text }) => text)
  expect(texts.filter((text) => text.includes('app_versions'))).not.toEqual([])
  expect(texts.filter((text) => text.includes(ALL_SETTINGS))).toEqual([])
})
