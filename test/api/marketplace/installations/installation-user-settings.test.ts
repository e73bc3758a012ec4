import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../../setup/app.ts'
import { type Author, author } from '../../../setup/apps.ts'
import { untilTaken } from '../../../setup/client.ts'
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
let id: string
beforeAll(async () => {
  market = await sharedMarketplace()
  developer = await author(market)
  appId = (await listedApp(developer, fullDraft())).id
})
beforeEach(async () => {
  seller = await newCustomer(market)
  const { body } = await seller.install({
    appId,
    purchaseOptionId: 'full',
    userSettings: { ...GOOD_SETTINGS, amount: 0.5, pin: '1234', note: 'a note' },
  })
  id = body.id
})

const inClear = async () => {
  const { body } = await developerCalls(market, developer.token).read(id)
  return body.userSettings
}

async function expectRefused(patch: unknown, ...pointers: string[]) {
  const before = await market.deps.db.installation.findUniqueOrThrow({ where: { id } })
  const values = await inClear()
  const answer = await seller.patch(id, patch)
  expectProblem(answer, answer.status === 400 ? 'invalid_request' : 'unprocessable')
  expect(pointersOf(answer)).toEqual(pointers.toSorted())
  expect(await inClear()).toEqual(values)
  expect(await market.deps.db.installation.findUniqueOrThrow({ where: { id } })).toEqual(before)
}

describe('a merge patch of the user settings', () => {
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
    expect(await market.deps.db.settingValue.count({ where: { installationId: id } })).toBe(3)
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
    await developerCalls(market, developer.token).suspend(id)
    const { status, body } = await seller.patch(id, { text: 'mended' })
    expect({ status, state: body.status }).toEqual({ status: 200, state: 'suspended' })
  })
})

describe('If-Match', () => {
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
