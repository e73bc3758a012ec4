import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AuditRecord } from '../../../../src/identity/audit/audit-record.ts'
import { type SharedMarketplace, sharedMarketplace } from '../../../setup/app.ts'
import { type Author, draft, flat, newId } from '../../../setup/apps.ts'
import { call, untilTaken } from '../../../setup/client.ts'
import {
  type Customer,
  type developerCalls,
  fullDraft,
  GOOD_SETTINGS,
  listedApp,
  newCustomer,
} from '../../../setup/customer.ts'
import { newEventReader } from '../../../setup/events.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'

const TIERED = {
  ...{ id: 'tiered', name: 'Tiered', pricingModel: 'TieredBuckets', currency: 'USD', order: 3 },
  ...{ bucketSize: 2, ratePerBucket: 5, baseFee: 1.5 },
}

let market: SharedMarketplace
let developerId: string
let developer: Author
let calls: ReturnType<typeof developerCalls>
let appId: string
/** Its account has no installation of the app. */
let customer: Customer
beforeAll(async () => {
  market = await sharedMarketplace()
  // A test suspends the developer.
  ;({ developer, developerId, installations: calls } = await newEventReader(market))
  customer = await newCustomer(market)
  const definition = fullDraft()
  const { full = {} } = definition.settings
  const { text, choice, secret, amount, adminText } = full
  const app = await listedApp(developer, {
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
  appId = app.id
})

const db = () => market.deps.db
const install = (userSettings: unknown) =>
  customer.install({ appId, purchaseOptionId: 'full', userSettings })

const eachOf = (values: Record<string, unknown[]>) =>
  Object.entries(values).flatMap(([key, all]) => all.map((one): [string, unknown] => [key, one]))

/** A new account's installation of the option `full`. */
let id: string
let seller: Customer
async function installAnew(more = {}) {
  seller = await newCustomer(market)
  const userSettings = { ...GOOD_SETTINGS, amount: 0.5, note: 'a note', ...more }
  id = (await seller.install({ appId, purchaseOptionId: 'full', userSettings })).body.id
}
async function installWithAdminSettings() {
  await installAnew()
  await calls.patch(id, { adminText: 'routing', adminFlag: true })
}
const asDeveloper = async () => (await calls.read(id)).body
const inClear = async () => (await asDeveloper()).userSettings

describe('a value that is stored', () => {
  /** Installs, looks at what the developer gets, and leaves again. */
  async function stored(settings: Record<string, unknown>) {
    const { status, body, text } = await install({ ...GOOD_SETTINGS, ...settings })
    expect(status, text).toBe(201)
    const answer = await calls.read(body.id)
    await customer.uninstall(body.id)
    return answer.body.userSettings
  }

  const STORED = {
    text: ['jane', ' Zoë 𝕏 "<&>\' ', 'x'.repeat(8192)],
    ...{ note: [''], choice: ['eu', 5], count: [1, 9], flag: [true, false, 'true'] },
    secret: ['pä$$wörd', 'p'.repeat(8192)],
  }
  test.each(eachOf(STORED))('%s from %j', async (key, given) => {
    const kept = key === 'flag' ? String(given) : given
    expect(await stored({ [key]: given })).toHaveProperty(key, kept)
  })

  test.each([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1])(
    'in exact steps of 0.1: %d',
    async (amount) => {
      expect(await stored({ amount })).toMatchObject({ amount })
    },
  )

  test('is the password as the developer needs it, and an empty optional one is none', async () => {
    const values = await stored({ secret: 'the secret', pin: '' })
    expect(values.secret).toBe('the secret')
    expect(values).not.toHaveProperty('pin')
  })
})

describe('a value that is refused', () => {
  async function expectRefused(userSettings: unknown, ...pointers: string[]) {
    const answer = await install(userSettings)
    expectProblem(answer, answer.status === 400 ? 'invalid_request' : 'unprocessable')
    expect(pointersOf(answer)).toEqual(pointers.map((key) => `/userSettings${key}`).toSorted())
    const where = { appId, partyId: customer.party.id, live: true }
    expect(await db().installation.count({ where })).toBe(0)
  }

  const REFUSED = {
    text: ['', '  \n ', 5, null, ['jane'], { a: 1 }, 'x'.repeat(8193), 'é'.repeat(4097)],
    choice: ['us', 'EU', '5', 'Europe', 5.5, '', true, ['eu'], 'constructor'],
    amount: [0.25, 0.30000000000000004, -0.1, 1.1, 1e300, '0.3', true, null],
    count: [2, 0, 11, 1.000000001],
    flag: ['yes', 1, 'TRUE', ''],
    secret: ['', 5, null, 'p'.repeat(8193)],
    ...{ adminText: ['x'], adminSecret: ['x'], adminMust: ['x'], unknown: [1], TEXT: ['x'] },
    ...{ toString: ['x'], hasOwnProperty: ['x'], 'a/b~c': ['x'], '': ['x'] },
  }
  test.each(eachOf(REFUSED))('%s: %j', async (key, value) => {
    const pointer = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    await expectRefused({ ...GOOD_SETTINGS, [key]: value }, pointer)
  })

  test.each(['__proto__', 'constructor', 'prototype'])('under the name %s', async (name) => {
    await expectRefused(JSON.parse(`{"${name}": {"text": "x"}}`), `/${name}`)
    await expectRefused(JSON.parse(`{"${name}": "x"}`), `/${name}`)
  })

  test.each(['a\0b', 'a\ud800b'])('is a text that cannot be stored: %j', (text) =>
    expectRefused({ ...GOOD_SETTINGS, text }, '/text'),
  )

  test('is a number beyond all numbers', async () => {
    const body = `{"appId":"${appId}","purchaseOptionId":"full","userSettings":{"amount":1e400}}`
    const answer = await customer.install(body)
    expectProblem(answer, 'invalid_request')
    expect(pointersOf(answer)).toEqual(['/userSettings/amount'])
  })

  test('is every one of them at once', () =>
    expectRefused(
      { text: 1, choice: 2, amount: 3, count: 4, flag: 5, secret: 6, pin: 7, x: 8, adminText: '' },
      ...['/text', '/choice', '/amount', '/count', '/flag', '/secret', '/pin', '/x', '/adminText'],
    ))

  test('is missing though it is mandatory; a mandatory admin setting can wait', () =>
    expectRefused({}, '/text', '/choice', '/secret'))

  test('is nothing of an option without settings', async () => {
    const answer = await customer.install({
      appId,
      purchaseOptionId: 'free',
      userSettings: { text: 'of the other option' },
    })
    expectProblem(answer, 'unprocessable')
    expect(pointersOf(answer)).toEqual(['/userSettings/text'])
  })

  test.each([null, [], 'text', 5, true])('is no object of settings: %j', (userSettings) =>
    expectRefused(userSettings, ''),
  )
})

describe('many values', () => {
  test('of 8 KiB each, 100 of them, are kept', async () => {
    const keys = Array.from({ length: 100 }, (_, index) => `key${index}`)
    const profile = Object.fromEntries(keys.map((key) => [key, { type: 'text', name: key }]))
    const app = await listedApp(
      developer,
      draft(newId(), { purchaseOptions: [flat('big', 0)], settings: { big: profile } }),
    )
    const userSettings = Object.fromEntries(keys.map((key) => [key, 'x'.repeat(8192)]))
    const request = { appId: app.id, purchaseOptionId: 'big', userSettings }
    const answer = await customer.install(request)
    expect(answer.status).toBe(201)
    expect(answer.body.userSettings).toEqual(userSettings)
  })

  test('that are unknown are counted, not all listed', async () => {
    const userSettings = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`k${i}`, i]))
    const answer = await install(userSettings)
    expectProblem(answer, 'unprocessable')
    expect(answer.body.errors).toHaveLength(100)
  })
})

describe('a merge patch of the user settings', () => {
  beforeEach(() => installAnew({ pin: '1234' }))

  async function expectRefused(patch: unknown, ...pointers: string[]) {
    const before = await db().installation.findUniqueOrThrow({ where: { id } })
    const values = await inClear()
    const answer = await seller.patch(id, patch)
    expectProblem(answer, answer.status === 400 ? 'invalid_request' : 'unprocessable')
    expect(pointersOf(answer)).toEqual(pointers.toSorted())
    expect(await inClear()).toEqual(values)
    expect(await db().installation.findUniqueOrThrow({ where: { id } })).toEqual(before)
  }

  test('changes what it names and keeps the rest', async () => {
    const { status, body } = await seller.patch(id, { text: 'joe', amount: 0.7, flag: true })
    expect(status).toBe(200)
    expect(body.userSettings).toEqual({
      ...{ text: 'joe', choice: 'eu', amount: 0.7, flag: 'true', note: 'a note' },
    })
    expect(await inClear()).toEqual({
      ...{ text: 'joe', choice: 'eu', amount: 0.7, flag: 'true', note: 'a note' },
      ...{ secret: 's3cret-one', pin: '1234' },
    })
  })

  test.each([
    'application/json',
    'application/merge-patch+json',
    'application/json; charset=utf-8',
  ])('comes as %s', async (type) => {
    const answer = await seller.patch(id, { text: 'joe' }, { 'content-type': type })
    expect(answer.body.userSettings.text).toBe('joe')
  })

  test.each(['text/plain', 'application/json-patch+json', 'application/x-www-form-urlencoded'])(
    'does not come as %s',
    async (type) => {
      const answer = await seller.patch(id, '{"text":"joe"}', { 'content-type': type })
      expectProblem(answer, 'unsupported_media_type')
    },
  )

  test('removes with null what is not mandatory, a password too', async () => {
    const { body } = await seller.patch(id, { amount: null, note: null, pin: null })
    expect(body.userSettings).toEqual({ text: 'jane', choice: 'eu' })
    expect(body.passwordsSet).toEqual(['secret'])
    expect(await db().settingValue.count({ where: { installationId: id } })).toBe(3)
  })

  test('with null for what is not there is no problem', async () => {
    expect((await seller.patch(id, { flag: null })).status).toBe(200)
  })

  test('cannot remove what is mandatory', () =>
    expectRefused({ text: null, secret: null }, '/text', '/secret'))

  test('with an empty password keeps the stored one', async () => {
    expect((await seller.patch(id, { secret: '', pin: '' })).status).toBe(200)
    expect(await inClear()).toMatchObject({ secret: 's3cret-one', pin: '1234' })
  })

  test('with a password replaces it; the answer never shows it', async () => {
    const { body, text } = await seller.patch(id, { secret: '(stored)' })
    expect(body.passwordsSet).toEqual(['pin', 'secret'])
    expect(text).not.toContain('(stored)')
    expect(await inClear()).toMatchObject({ secret: '(stored)', pin: '1234' })
  })

  test('refuses all problems at once and changes nothing', () =>
    expectRefused(
      { text: '', amount: 0.55, choice: 'x', adminText: 'x', unknown: 1, note: 'new' },
      ...['/text', '/amount', '/choice', '/adminText', '/unknown'],
    ))

  test.each([null, [], 'text', 5, true])('is an object, not %j', async (patch) => {
    const answer = await seller.patch(id, patch)
    expectProblem(answer, 'invalid_request')
  })

  test.each(['status', 'id', 'partyId', 'permissions', 'userSettings', 'installedVersion'])(
    'sets no field of the record: %s',
    (field) => expectRefused({ [field]: 'x' }, `/${field}`),
  )

  test('that is empty or changes nothing leaves the revision', async () => {
    const before = await seller.read(id)
    for (const patch of [{}, { text: 'jane' }, { secret: '' }]) {
      const answer = await seller.patch(id, patch)
      expect(answer.headers.get('etag')).toBe(before.headers.get('etag'))
      expect(answer.body).toEqual(before.body)
    }
  })

  test('goes through while the installation is suspended, so that its cause can be mended', async () => {
    await calls.suspend(id)
    const { status, body } = await seller.patch(id, { text: 'mended' })
    expect({ status, state: body.status }).toEqual({ status: 200, state: 'suspended' })
  })
})

describe('If-Match', () => {
  beforeEach(() => installAnew({ pin: '1234' }))

  test('with the ETag of the installation lets the change through, once', async () => {
    const etag = (await seller.read(id)).headers.get('etag') ?? ''
    const first = await seller.patch(id, { text: 'one' }, { 'if-match': etag })
    expect(first.status).toBe(200)
    expect(first.headers.get('etag')).not.toBe(etag)
    const second = await seller.patch(id, { text: 'two' }, { 'if-match': etag })
    expectProblem(second, 'precondition_failed')
    expect((await seller.read(id)).body.userSettings.text).toBe('one')
  })

  test.each(['"0"', '"999"', 'W/"1"', '1', '"x"', '', '"1', '"99999999999999999999"'])(
    '%s is 412',
    async (etag) => {
      const answer = await seller.patch(id, { text: 'x' }, { 'if-match': etag })
      expectProblem(answer, 'precondition_failed')
    },
  )

  test('* is any revision', async () => {
    expect((await seller.patch(id, { text: 'x' }, { 'if-match': '*' })).status).toBe(200)
  })

  test('of 20 changes at once lets one through', async () => {
    const headers = { 'if-match': (await seller.read(id)).headers.get('etag') ?? '' }
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        untilTaken(() => seller.patch(id, { text: `t${index}` }, headers)),
      ),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 412)])
  })
})

describe('the preview of another purchase option', () => {
  beforeEach(installWithAdminSettings)

  test('names what stays, what is dropped, what is needed, and the difference in price', async () => {
    const { partyId } = (await seller.read(id)).body
    await db().product.createMany({
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
  beforeEach(installWithAdminSettings)

  const changesIn = async (token: string) => {
    const trail = token === developer.token ? 'Developer' : 'Account'
    const path = `/v1/${trail}/Audit?action=installation.option_changed&limit=100`
    const { body } = await call(market, 'GET', path, { token })
    return (body as AuditRecord[]).filter(({ subject }) => subject.id === id)
  }
  const secretsLeft = () =>
    db().settingValue.count({ where: { installationId: id, secret: { not: null } } })

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
    expect(await db().settingValue.count({ where: { installationId: id } })).toBe(0)
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
    ['app', (suspendedAt) => db().app.update({ where: { id: appId }, data: { suspendedAt } })],
    [
      'account',
      (suspendedAt) => db().party.update({ where: { id: seller.party.id }, data: { suspendedAt } }),
    ],
    [
      'developer',
      (suspendedAt) => db().developer.update({ where: { id: developerId }, data: { suspendedAt } }),
    ],
    [
      'installation',
      (suspendedAt) => (suspendedAt === null ? calls.resume(id) : calls.suspend(id)),
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
