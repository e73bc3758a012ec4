import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Author, author, draft, flat, newId } from '../../../setup/apps.ts'
import {
  type Customer,
  fullDraft,
  GOOD_SETTINGS,
  INSTALLATIONS,
  listedApp,
  newCustomer,
  sandboxUser,
} from '../../../setup/customer.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'

let market: TestMarketplace
let developer: Author
let seller: Customer
beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
  seller = await newCustomer(market)
})
afterAll(() => market.close())

const published = (changes: Record<string, unknown> = {}) =>
  listedApp(developer, draft(newId(), changes))
const request = (appId: string, more = {}) => ({ appId, purchaseOptionId: 'free', ...more })
const installations = () => market.deps.db.installation.count()

async function expectRefused(body: unknown, ...pointers: string[]) {
  const before = await installations()
  const answer = await seller.install(body)
  expectProblem(answer, answer.status === 400 ? 'invalid_request' : 'unprocessable')
  expect(pointersOf(answer)).toEqual(pointers.toSorted())
  expect(await installations()).toBe(before)
  return answer
}

describe('an install', () => {
  test('makes the record that its answer shows, with version and permissions of this moment', async () => {
    const app = await listedApp(developer, fullDraft())
    const answer = await seller.install({
      appId: app.id,
      partyId: seller.party.id,
      purchaseOptionId: 'full',
      userSettings: { ...GOOD_SETTINGS, amount: 0.3, flag: true },
    })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('location')).toBe(`${INSTALLATIONS}/${answer.body.id}`)
    expect(answer.headers.get('etag')).toBe('"1"')
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      appId: app.id,
      appName: app.name,
      partyType: 'Seller',
      partyId: seller.party.id,
      partyName: seller.party.name,
      installDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      purchaseOptionId: 'full',
      installedVersion: '1.0.0',
      userSettings: { amount: 0.3, choice: 'eu', flag: 'true', text: 'jane' },
      passwordsSet: ['secret'],
      missingSettings: [],
      status: 'active',
      suspendedReason: null,
      permissions: ['products:read', 'settings:read'],
      updatedAt: expect.any(String),
      quote: {
        ...{ purchaseOptionId: 'full', pricingModel: 'FlatMonthly', currency: 'USD', records: 0 },
        ...{ buckets: null, monthlyCost: 10, annualCharge: null, explanation: '10.00 a month' },
      },
      upgrade: null,
      webhooks: { status: 'none', since: null },
      openUrl: `${market.url}/Apps/Authenticate/${app.id}?partyId=${seller.party.id}`,
    })
    expect((await seller.read(answer.body.id)).body).toEqual(answer.body)
  })

  test('may leave partyId out when the user has one account', async () => {
    const { id } = await published()
    expect((await seller.install(request(id))).body.partyId).toBe(seller.party.id)
  })

  test('needs partyId from a user of several accounts, and from one of none', async () => {
    const { id } = await published()
    const several = await newCustomer(market, 'Seller', [seller.party.id])
    const refused = await several.install(request(id))
    expectProblem(refused, 'unprocessable')
    expect(pointersOf(refused)).toEqual(['/partyId'])
    await market.deps.db.membership.deleteMany({ where: { userId: several.user.id } })
    expect(pointersOf(await several.install(request(id)))).toEqual(['/partyId'])
  })

  test('a second time is 409 already_installed and names the one that is there', async () => {
    const { id } = await published()
    const first = await seller.install(request(id))
    const second = await seller.install(request(id))
    expectProblem(second, 'already_installed')
    expect(second.body.installationId).toBe(first.body.id)
  })

  test('by another account of the same user is another installation', async () => {
    const { id } = await published()
    const several = await newCustomer(market, 'Seller', [seller.party.id])
    const answers = [
      await several.install(request(id, { partyId: seller.party.id })),
      await several.install(request(id, { partyId: several.party.id })),
    ]
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
  })
})

describe('the app', () => {
  test.each(['no-such-app', 'constructor', '__proto__', 'toString', ' ', ''])(
    'with the unknown id %j is a problem of /appId',
    async (appId) => {
      await expectRefused(request(appId), '/appId')
    },
  )

  test('that is not listed is as unknown as any other', async () => {
    const app = draft(newId())
    await developer.create(app)
    const hidden = await expectRefused(request(app.id), '/appId')
    const unknown = await expectRefused(request('no-such-app'), '/appId')
    expect(hidden.body.errors).toEqual(unknown.body.errors)
  })

  test('that was deleted is unknown', async () => {
    const { id } = await published()
    expect((await developer.remove(id)).status).toBe(204)
    await expectRefused(request(id), '/appId')
  })

  test('that is suspended cannot be installed', async () => {
    const { id } = await published()
    await market.deps.db.app.update({ where: { id }, data: { suspendedAt: new Date() } })
    await expectRefused(request(id), '/appId')
  })

  test('of a suspended developer cannot be installed', async () => {
    const { id } = await published()
    const { developerId } = await market.deps.db.app.findUniqueOrThrow({ where: { id } })
    const suspend = (suspendedAt: Date | null) =>
      market.deps.db.developer.update({ where: { id: developerId }, data: { suspendedAt } })
    await suspend(new Date())
    await expectRefused(request(id), '/appId').finally(() => suspend(null))
  })
})

describe('the account', () => {
  test.each([999_999, 2_147_483_647])('%d that the user is no member of is refused', async (id) => {
    const app = await published()
    await expectRefused(request(app.id, { partyId: id }), '/partyId')
  })

  test('of somebody else is refused in the same words as an unknown one', async () => {
    const { id } = await published()
    const other = await newCustomer(market)
    const foreign = await expectRefused(request(id, { partyId: other.party.id }), '/partyId')
    const unknown = await expectRefused(request(id, { partyId: 999_999 }), '/partyId')
    expect(foreign.body.errors).toEqual(unknown.body.errors)
  })

  test.each([0, -1, 2_147_483_648, 9_007_199_254_740_991, 1e300, 1.5, '3', null, [1], {}, true])(
    '%j is no partyId',
    async (partyId) => {
      const { id } = await published()
      await expectRefused(request(id, { partyId }), '/partyId')
    },
  )

  test('of a type that the app is not offered to is refused', async () => {
    const { id } = await published({ partyTypes: ['Buyer'] })
    const { body } = await expectRefused(request(id), '/partyId')
    expect(body.errors[0].detail).toContain('offered to Buyer, not to Seller')
  })

  test('that is suspended is refused', async () => {
    const { id } = await published()
    const customer = await newCustomer(market)
    const where = { id: customer.party.id }
    await market.deps.db.party.update({ where, data: { suspendedAt: new Date() } })
    expect(pointersOf(await customer.install(request(id)))).toEqual(['/partyId'])
  })

  test("that is a developer's sandbox takes no app of other developers, listed or not", async () => {
    const other = await author(market, 1)
    const app = await listedApp(other, draft(newId(), { partyTypes: ['Seller', 'Buyer'] }))
    const refused = await (await sandboxUser(market)).install(request(app.id))
    expectProblem(refused, 'unprocessable')
    expect(pointersOf(refused)).toEqual(['/partyId'])
    expect(await market.deps.db.installation.count({ where: { appId: app.id } })).toBe(0)
  })

  test("that is the developer's own sandbox takes its unlisted app", async () => {
    const app = draft(newId())
    await developer.create(app)
    const answer = await (await sandboxUser(market)).install(request(app.id))
    expect(answer.body).toMatchObject({ partyType: 'None', appId: app.id })
  })
})

describe('the purchase option', () => {
  test.each(['premium', 'constructor', '__proto__', 'toString', 'FREE', 'free ', ''])(
    '%j that the app lacks is refused',
    async (purchaseOptionId) => {
      const { id } = await published()
      const { body } = await expectRefused({ appId: id, purchaseOptionId }, '/purchaseOptionId')
      expect(body.errors).toHaveLength(1)
    },
  )

  test('of another app is refused', async () => {
    await published({ purchaseOptions: [flat('elsewhere', 1)] })
    const { id } = await published()
    await expectRefused(request(id, { purchaseOptionId: 'elsewhere' }), '/purchaseOptionId')
  })

  test('of a former version is refused', async () => {
    const app = await published()
    await developer.put({ ...app, version: '2', purchaseOptions: [flat('new', 1)] } as typeof app)
    await expectRefused(request(app.id), '/purchaseOptionId')
  })
})

describe('all problems', () => {
  test('come at once, each with its pointer', async () => {
    const app = await listedApp(
      developer,
      fullDraft({
        partyTypes: ['Buyer'],
        acknowledgements: [{ id: 'ack', title: 'Title', text: 'Text', order: 1 }],
      }),
    )
    await developer.putTerms(app.id, 'The terms')
    await expectRefused(
      {
        appId: app.id,
        purchaseOptionId: 'full',
        userSettings: { choice: 'us', amount: 0.25, adminText: 'x', unknown: 1 },
        acknowledgements: [{ id: 'other', sha256: 'aa' }],
      },
      ...['/partyId', '/userSettings/text', '/userSettings/secret', '/userSettings/choice'],
      ...['/userSettings/amount', '/userSettings/adminText', '/userSettings/unknown'],
      ...['/acknowledgements', '/acknowledgements/0/id', '/termsDocument'],
    )
  })

  test('include a foreign account', async () => {
    const app = await listedApp(developer, fullDraft())
    await expectRefused(
      { appId: app.id, partyId: 999_999, purchaseOptionId: 'full', userSettings: { amount: 2 } },
      ...['/partyId', '/userSettings/amount', '/userSettings/text', '/userSettings/choice'],
      '/userSettings/secret',
    )
    await expectRefused({ ...request('no-such-app'), partyId: 999_999 }, '/appId', '/partyId')
  })

  test('of a wrong shape come at once', () =>
    expectRefused(
      { appId: 5, purchaseOptionId: null, userSettings: [], acknowledgements: {}, more: 1 },
      ...['/appId', '/purchaseOptionId', '/userSettings', '/acknowledgements', '/more'],
    ))

  test.each([null, [], 'text', 5, true, '', '{', Buffer.from([0xff, 0xfe])])(
    'of the body %j are 400',
    async (body) => {
      const answer = await seller.install(body)
      expectProblem(answer, 'invalid_request')
    },
  )

  test('of an id that no party has keep the row count', async () => {
    await expectRefused(request(randomUUID()), '/appId')
  })
})
