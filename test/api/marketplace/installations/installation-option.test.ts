import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AuditRecord } from '../../../../src/identity/audit/audit-record.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Author, author, flat } from '../../../setup/apps.ts'
import { call } from '../../../setup/client.ts'
import {
  type Customer,
  developerCalls,
  fullDraft,
  GOOD_SETTINGS,
  listedApp,
  newCustomer,
} from '../../../setup/customer.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'

const TIERED = {
  ...{ id: 'tiered', name: 'Tiered', pricingModel: 'TieredBuckets', currency: 'USD', order: 3 },
  ...{ bucketSize: 2, ratePerBucket: 5, baseFee: 1.5 },
}

let market: TestMarketplace
let developer: Author
let seller: Customer
let appId: string
let id: string
beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
  const definition = fullDraft()
  const { full = {} } = definition.settings
  const { text, choice, secret, amount, adminText } = full
  appId = (
    await listedApp(developer, {
      ...definition,
      purchaseOptions: [...definition.purchaseOptions, TIERED, flat('turned', 1, { order: 4 })],
      settings: {
        full,
        tiered: {
          text: { ...text },
          choice: { ...choice, options: [{ name: 'Zone 5', value: 5 }] },
          secret: { ...secret },
          amount: { ...amount, max: 0.4 },
          extra: { type: 'text', name: 'Extra', mandatory: true },
          adminText: { ...adminText },
        },
        // Every key has turned into something else.
        turned: {
          secret: { type: 'text', name: 'Secret no more' },
          note: { type: 'password', name: 'Note' },
          text: { type: 'text', name: 'Text', scope: 'admin' },
          adminText: { type: 'text', name: 'Admin text' },
        },
      },
    } as typeof definition)
  ).id
})
beforeEach(async () => {
  seller = await newCustomer(market)
  const { body } = await seller.install({
    appId,
    purchaseOptionId: 'full',
    userSettings: { ...GOOD_SETTINGS, amount: 0.5, note: 'a note' },
  })
  id = body.id
  await calls().patch(id, { adminText: 'routing', adminFlag: true })
})
afterAll(() => market.close())

const calls = () => developerCalls(market, developer.token)
const asDeveloper = async () => (await calls().read(id)).body
const changesIn = async (token: string) => {
  const trail = token === developer.token ? 'Developer' : 'Account'
  const path = `/v1/${trail}/Audit?action=installation.option_changed&limit=100`
  const { body } = await call(market, 'GET', path, { token })
  return (body as AuditRecord[]).filter(({ subject }) => subject.id === id)
}
const secretsLeft = () =>
  market.deps.db.settingValue.count({ where: { installationId: id, secret: { not: null } } })

describe('the preview of another purchase option', () => {
  test('names what stays, what is dropped, what is needed, and the difference in price', async () => {
    const { partyId } = (await seller.read(id)).body
    await market.deps.db.product.createMany({
      data: ['a', 'b', 'c'].map((partNumber) => ({
        ...{ partyId, brand: 'Acme', partNumber, inStock: 1, body: '}' },
      })),
    })
    const { status, body } = await seller.previewOption(id, 'tiered')
    expect(status).toBe(200)
    expect(body).toEqual({
      from: 'full',
      to: 'tiered',
      settings: {
        kept: ['secret', 'text'],
        dropped: ['amount', 'choice', 'note'],
        needed: ['choice', 'extra'],
      },
      price: {
        before: expect.objectContaining({ purchaseOptionId: 'full', monthlyCost: 10, records: 3 }),
        after: expect.objectContaining({
          purchaseOptionId: 'tiered',
          buckets: 2,
          monthlyCost: 11.5,
          explanation: 'ceil(3 / 2) = 2 buckets x 5.00 + 1.50',
        }),
      },
    })
  })

  test('changes nothing', async () => {
    const before = await asDeveloper()
    await seller.previewOption(id, 'free')
    expect(await asDeveloper()).toEqual(before)
  })

  test.each(['none', 'constructor', '__proto__', 'FULL'])('of %j is refused', async (option) => {
    const answer = await seller.previewOption(id, option)
    expectProblem(answer, 'unprocessable')
    expect(pointersOf(answer)).toEqual(['/purchaseOptionId'])
  })

  test('needs the option, and nothing else', async () => {
    expectProblem(await seller.send('GET', `/${id}/PurchaseOption`), 'invalid_request')
    const more = await seller.send('GET', `/${id}/PurchaseOption?purchaseOptionId=free&x=1`)
    expectProblem(more, 'invalid_request')
  })
})

describe('a change of the purchase option', () => {
  test('does what its preview said, at once', async () => {
    const { status, body } = await seller.changeOption(id, 'tiered', { choice: 5, extra: 'more' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id,
      purchaseOptionId: 'tiered',
      userSettings: { text: 'jane', choice: 5, extra: 'more' },
      passwordsSet: ['secret'],
      missingSettings: [],
      quote: { purchaseOptionId: 'tiered' },
    })
    expect(await asDeveloper()).toMatchObject({
      userSettings: { text: 'jane', choice: 5, extra: 'more', secret: 's3cret-one' },
      adminSettings: { adminText: 'routing' },
    })
  })

  test('to an option without settings erases them, passwords too', async () => {
    const { body } = await seller.changeOption(id, 'free')
    expect(body).toMatchObject({ userSettings: {}, passwordsSet: [], purchaseOptionId: 'free' })
    expect(await market.deps.db.settingValue.count({ where: { installationId: id } })).toBe(0)
  })

  test('turns a password into a text, a text into a password, and scopes around', async () => {
    const turned = { secret: '(stored)', note: 'now secret', adminText: 'mine' }
    const { status, body, text } = await seller.changeOption(id, 'turned', turned)
    expect(status, text).toBe(200)
    expect(body.userSettings).toEqual({ secret: '(stored)', adminText: 'mine' })
    expect(body.passwordsSet).toEqual(['note'])
    expect(await secretsLeft()).toBe(1)
    expect(await asDeveloper()).toMatchObject({
      userSettings: turned,
      adminSettings: {},
    })
    const back = await seller.changeOption(id, 'full', GOOD_SETTINGS)
    expect(back.body.userSettings).toEqual({ text: 'jane', choice: 'eu' })
    expect(await secretsLeft()).toBe(1)
  })

  test('without what is needed is refused with all problems, and nothing happens', async () => {
    const before = await asDeveloper()
    const answer = await seller.changeOption(id, 'tiered', { amount: 0.5, note: 'x', text: '' })
    expectProblem(answer, 'unprocessable')
    expect(pointersOf(answer)).toEqual(
      ['amount', 'choice', 'extra', 'note', 'text'].map((key) => `/userSettings/${key}`),
    )
    expect(await asDeveloper()).toEqual(before)
  })

  test('to the same option takes new values', async () => {
    const { body } = await seller.changeOption(id, 'full', { text: 'joe' })
    expect(body.userSettings).toMatchObject({ text: 'joe', note: 'a note' })
  })

  test('to the same option with the same values changes nothing and tells nobody', async () => {
    const before = await asDeveloper()
    const answer = await seller.changeOption(id, 'full', { text: 'jane' })
    expect(answer.status).toBe(200)
    expect(await asDeveloper()).toEqual(before)
    expect(await changesIn(developer.token)).toEqual([])
  })

  test('names dropped settings in the audit trail, those of the developer to the developer only', async () => {
    await seller.changeOption(id, 'tiered', { choice: 5, extra: 'more' })
    const dropped = ['amount', 'choice', 'note']
    expect(await changesIn(developer.token)).toMatchObject([
      { after: { dropped, droppedAdmin: ['adminFlag'] } },
    ])
    expect((await changesIn(seller.token)).map(({ after }) => after)).toEqual([
      { purchaseOptionId: 'tiered', dropped },
    ])
  })

  test.each(['none', 'constructor', '__proto__'])('to %j is refused', async (option) => {
    const answer = await seller.changeOption(id, option)
    expectProblem(answer, 'unprocessable')
    expect(pointersOf(answer)).toEqual(['/purchaseOptionId'])
  })

  test('with a former ETag is 412', async () => {
    const answer = await seller.changeOption(id, 'free', {}, { 'if-match': '"1"' })
    expectProblem(answer, 'precondition_failed')
  })

  test('takes a new ETag with it', async () => {
    const before = (await seller.read(id)).headers.get('etag') ?? ''
    const answer = await seller.changeOption(id, 'free', {}, { 'if-match': before })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('etag')).not.toBe(before)
  })

  test('stays within the installed version, though a later one has other options', async () => {
    const app = await listedApp(developer, fullDraft())
    const options = { purchaseOptionId: 'free' }
    const { body } = await seller.install({ appId: app.id, ...options })
    const later = { ...app, version: '2', purchaseOptions: [flat('later', 2)], settings: {} }
    expect((await developer.put(later)).status).toBe(200)
    expect(pointersOf(await seller.changeOption(body.id, 'later'))).toEqual(['/purchaseOptionId'])
    expect((await seller.changeOption(body.id, 'full', GOOD_SETTINGS)).body).toMatchObject({
      installedVersion: '1.0.0',
      purchaseOptionId: 'full',
      upgrade: { version: '2' },
    })
  })

  test.each<[string, (suspendedAt: Date | null) => Promise<unknown>]>([
    [
      'app',
      (suspendedAt) => market.deps.db.app.update({ where: { id: appId }, data: { suspendedAt } }),
    ],
    [
      'account',
      (suspendedAt) =>
        market.deps.db.party.update({ where: { id: seller.party.id }, data: { suspendedAt } }),
    ],
    [
      'developer',
      async (suspendedAt) => {
        const { developerId } = await market.deps.db.app.findUniqueOrThrow({ where: { id: appId } })
        await market.deps.db.developer.update({ where: { id: developerId }, data: { suspendedAt } })
      },
    ],
    [
      'installation',
      (suspendedAt) => (suspendedAt === null ? calls().resume(id) : calls().suspend(id)),
    ],
  ])('waits while the %s is suspended', async (_, suspend) => {
    await suspend(new Date())
    try {
      expectProblem(await seller.changeOption(id, 'free'), 'installation_suspended')
      expect((await seller.previewOption(id, 'free')).status).toBe(200)
      expect((await seller.read(id)).body).toMatchObject({
        purchaseOptionId: 'full',
        openUrl: null,
      })
    } finally {
      await suspend(null)
    }
    expect((await seller.changeOption(id, 'free')).status).toBe(200)
  })
})
