import { beforeAll, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../../setup/app.ts'
import { type Author, author, draft, flat, newId } from '../../../setup/apps.ts'
import {
  type Customer,
  developerCalls,
  fullDraft,
  GOOD_SETTINGS,
  listedApp,
  newCustomer,
} from '../../../setup/customer.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'

let market: SharedMarketplace
let developer: Author
let seller: Customer
let appId: string
beforeAll(async () => {
  market = await sharedMarketplace()
  developer = await author(market)
  seller = await newCustomer(market)
  appId = (await listedApp(developer, fullDraft())).id
})

const install = (userSettings: unknown) =>
  seller.install({ appId, purchaseOptionId: 'full', userSettings })

async function expectRefused(userSettings: unknown, ...pointers: string[]) {
  const answer = await install(userSettings)
  expectProblem(answer, answer.status === 400 ? 'invalid_request' : 'unprocessable')
  expect(pointersOf(answer)).toEqual(pointers.map((key) => `/userSettings${key}`).toSorted())
  expect(await market.deps.db.installation.count({ where: { appId } })).toBe(0)
}

/** Installs, looks at what the developer gets, and leaves again. */
async function stored(settings: Record<string, unknown>) {
  const { status, body, text } = await install({ ...GOOD_SETTINGS, ...settings })
  expect(status, text).toBe(201)
  const answer = await developerCalls(market, developer.token).read(body.id)
  await seller.uninstall(body.id)
  await market.deps.db.$transaction([
    market.deps.db.settingValue.deleteMany({ where: { installationId: body.id } }),
    market.deps.db.installation.delete({ where: { id: body.id } }),
  ])
  return answer.body.userSettings
}

describe('a value that is stored', () => {
  test.each([
    ['text', 'jane', 'jane'],
    ['text', ' Zoë 𝕏 "<&>\' ', ' Zoë 𝕏 "<&>\' '],
    ['text', 'x'.repeat(8192), 'x'.repeat(8192)],
    ['note', '', ''],
    ['choice', 'eu', 'eu'],
    ['choice', 5, 5],
    ['count', 1, 1],
    ['count', 9, 9],
    ['flag', true, 'true'],
    ['flag', false, 'false'],
    ['flag', 'true', 'true'],
    ['secret', 'pä$$wörd', 'pä$$wörd'],
    ['secret', 'p'.repeat(8192), 'p'.repeat(8192)],
  ])('%s from %j', async (key, given, kept) => {
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
  test.each<[string, unknown]>([
    ['text', ''],
    ['text', '  \n '],
    ['text', 5],
    ['text', null],
    ['text', ['jane']],
    ['text', { a: 1 }],
    ['text', 'x'.repeat(8193)],
    ['text', 'é'.repeat(4097)],
    ['choice', 'us'],
    ['choice', 'EU'],
    ['choice', '5'],
    ['choice', 'Europe'],
    ['choice', 5.5],
    ['choice', ''],
    ['choice', true],
    ['choice', ['eu']],
    ['choice', 'constructor'],
    ['amount', 0.25],
    ['amount', 0.30000000000000004],
    ['amount', 0.1 + 0.2],
    ['amount', -0.1],
    ['amount', 1.1],
    ['amount', 1e300],
    ['amount', '0.3'],
    ['amount', true],
    ['amount', null],
    ['count', 2],
    ['count', 0],
    ['count', 11],
    ['count', 1.000000001],
    ['flag', 'yes'],
    ['flag', 1],
    ['flag', 'TRUE'],
    ['flag', ''],
    ['secret', ''],
    ['secret', 5],
    ['secret', null],
    ['secret', 'p'.repeat(8193)],
    ['adminText', 'x'],
    ['adminSecret', 'x'],
    ['adminMust', 'x'],
    ['unknown', 1],
    ['TEXT', 'x'],
    ['toString', 'x'],
    ['hasOwnProperty', 'x'],
    ['a/b~c', 'x'],
    ['', 'x'],
  ])('%s: %j', async (key, value) => {
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
    const answer = await seller.install(body)
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
    const answer = await seller.install({
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
    const answer = await seller.install(request)
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
