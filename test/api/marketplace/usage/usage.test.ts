import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { author, draft, newId } from '../../../setup/apps.ts'
import { accountToken, call, developerToken } from '../../../setup/client.ts'
import { newCustomer } from '../../../setup/customer.ts'
import { newProductParty, type ProductParty } from '../../../setup/product-client.ts'

const DAY_SECONDS = 86_400
const HALF_DAY_SECONDS = DAY_SECONDS / 2

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace({ isClockStopped: true })
})
afterAll(() => market.close())

let app: ProductParty
let developer: string
// Every test begins at noon: its tokens work until the next one.
beforeEach(async () => {
  const ofDay = (market.deps.now().getTime() / 1000) % DAY_SECONDS
  market.advance((HALF_DAY_SECONDS - ofDay + DAY_SECONDS) % DAY_SECONDS)
  app = await newProductParty(market)
  developer = await developerToken(market)
})

const today = () => market.deps.now().toISOString().slice(0, 10)
const daysAgo = (days: number) =>
  new Date(market.deps.now().getTime() - days * DAY_SECONDS * 1000).toISOString().slice(0, 10)

const path = (side: string, id: string, query = '') =>
  `/v1/${side}/Installations/${id}/Usage${query}`

async function asOperator(query: string, id = app.installationId) {
  const token = await accountToken(market, market.demo.operator)
  return call(market, 'GET', path('Operator', id, query), { token })
}

/** The use of an app as operators read it. */
async function usage(query = '', id = app.installationId) {
  await market.deps.usageCounts.write()
  const { status, body } = await asOperator(query, id)
  expect(status).toBe(200)
  return body
}

const product = (partNumber: string) => ({ brand: 'Wahl', partNumber, inStock: 1 })

describe('the use of an installation', () => {
  test('is counted by day and permission, with the products that were answered or written', async () => {
    await app.upsert(product('1'))
    await app.batch([product('2'), product('3'), { brand: 'Wahl' }])
    await app.import('brand,partNumber,inStock\nWahl,4,1\nWahl,5,1\n')
    const { body } = await app.list()
    await app.list('?limit=2')
    await app.read(body[0].id)
    await app.patch(body[0].id, { inStock: 7 })
    await app.remove(body[0].id)
    await app.changes()
    await app.export()
    const { days } = await usage()
    expect(days).toEqual([
      {
        day: today(),
        permission: 'products:read',
        requests: 5,
        // All, two, one, the feed with a deletion, and an export.
        records: 5 + 2 + 1 + 5 + 4,
        refusals: {},
      },
      {
        day: today(),
        permission: 'products:write',
        requests: 5,
        records: 1 + 2 + 2 + 1 + 1,
        refusals: {},
      },
    ])
  })

  test('has no products in a page that has not changed, nor in an answer to HEAD', async () => {
    await app.upsert(product('1'))
    const { headers } = await app.list()
    const etag = headers.get('etag') ?? ''
    const again = await app.send('GET', '', undefined, { 'if-none-match': etag })
    expect(again.status).toBe(304)
    await fetch(`${market.url}/v1/Products`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${app.token}` },
    })
    expect((await usage()).days[0]).toMatchObject({ requests: 3, records: 1 })
  })

  test('has what was refused without the permission, which is no use of it', async () => {
    const reader = await newProductParty(market, 'Seller', ['products:read'])
    expect((await reader.upsert(product('1'))).status).toBe(403)
    const { days, permissions } = await usage('', reader.installationId)
    expect(days).toEqual([
      {
        day: today(),
        permission: 'products:write',
        requests: 1,
        records: 0,
        refusals: { insufficient_scope: 1 },
      },
    ])
    for (const { lastUsedAt } of permissions) expect(lastUsedAt).toBeNull()
  })

  test('has requests that need no permission under none', async () => {
    const { status } = await call(market, 'GET', '/v1/Installation', { token: app.token })
    expect(status).toBe(200)
    expect((await call(market, 'GET', '/v1/Developer', { token: app.token })).status).toBe(403)
    expect((await usage()).days).toMatchObject([
      { permission: 'none', requests: 2, refusals: { wrong_token_kind: 1 } },
    ])
  })

  test('has the own installation under settings:read, for tokens that have it', async () => {
    const one = await newProductParty(market, 'Seller', ['settings:read'])
    await call(market, 'GET', '/v1/Installation', { token: one.token })
    const { days } = await usage('', one.installationId)
    expect(days).toMatchObject([{ permission: 'settings:read', requests: 1 }])
  })

  test('has nothing of tokens that are refused', async () => {
    await call(market, 'DELETE', `/v1/Developer/Installations/${app.installationId}`, {
      token: developer,
    })
    expect((await app.list()).status).toBe(401)
    expect((await usage()).days).toEqual([])
  })

  test('is of days in UTC, and adds up over writes', async () => {
    await app.list()
    expect((await usage()).days).toMatchObject([{ day: today(), requests: 1 }])
    await app.list()
    const first = today()
    market.advance(HALF_DAY_SECONDS)
    await app.list()
    expect((await usage()).days).toMatchObject([
      { day: first, requests: 2 },
      { day: today(), requests: 1 },
    ])
  })
})

describe('the permissions of an installation', () => {
  const of = (permissions: { permission: string }[], name: string) =>
    permissions.find(({ permission }) => permission === name)

  test('each say when it was used last, and since when it was not', async () => {
    const granted = await market.deps.db.installation.findUniqueOrThrow({
      where: { id: app.installationId },
    })
    await app.list()
    const at = market.deps.now().toISOString()
    market.advance(3 * DAY_SECONDS)
    const { permissions } = await usage()
    expect(permissions.map((one: { permission: string }) => one.permission)).toEqual(
      granted.permissions,
    )
    expect(of(permissions, 'products:read')).toMatchObject({ lastUsedAt: at, unusedSince: at })
    expect(of(permissions, 'profile:read')).toMatchObject({
      lastUsedAt: null,
      unusedSince: granted.installDate.toISOString(),
    })
  })

  test('that an upgrade brought are unused since the upgrade', async () => {
    const developerCalls = await author(market)
    const id = newId()
    await developerCalls.create(draft(id))
    await developerCalls.list(id)
    const customer = await newCustomer(market)
    const installed = await customer.install({ appId: id, purchaseOptionId: 'free' })
    const more = [
      { id: 'products:read', purpose: 'Reads.' },
      { id: 'profile:read', purpose: 'Reads more.' },
    ]
    await developerCalls.put(draft(id, { version: '2.0.0', permissions: more }))
    const upgraded = await customer.upgrade(installed.body.id, { version: '2.0.0' })
    expect(upgraded.status).toBe(200)
    const { rows } = await market.deps.pool.query<{ at: Date }>(
      `SELECT at FROM audit_events WHERE action = 'installation.upgraded' AND subject_id = $1`,
      [installed.body.id],
    )
    const { permissions } = await usage('', installed.body.id)
    expect(permissions).toEqual([
      {
        permission: 'products:read',
        lastUsedAt: null,
        unusedSince: installed.body.installDate,
      },
      { permission: 'profile:read', lastUsedAt: null, unusedSince: rows[0]?.at.toISOString() },
    ])
  })

  test('of an installation from before use was counted are unused since then', async () => {
    const counted = new Date(market.deps.now().getTime() + 60_000)
    await market.deps.db.installation.update({
      where: { id: app.installationId },
      data: { usageCountedFrom: counted },
    })
    const { permissions } = await usage()
    for (const { unusedSince } of permissions) expect(unusedSince).toBe(counted.toISOString())
  })

  test('are unused since the first day that is kept, at most', async () => {
    market.advance(500 * DAY_SECONDS)
    const { permissions } = await usage()
    for (const { unusedSince } of permissions) {
      expect(unusedSince).toBe(`${daysAgo(399)}T00:00:00.000Z`)
    }
    market.advance(-500 * DAY_SECONDS)
  })
})

describe('the days that are asked for', () => {
  test('are the last 30 by default', async () => {
    expect(await usage()).toMatchObject({ from: daysAgo(29), to: today() })
    expect(await usage('?to=2026-03-01')).toMatchObject({ from: '2026-01-31', to: '2026-03-01' })
    expect(await usage(`?from=${daysAgo(3)}`)).toMatchObject({ from: daysAgo(3), to: today() })
  })

  test('may be 400', async () => {
    expect(await usage(`?from=${daysAgo(399)}`)).toMatchObject({ from: daysAgo(399) })
    expect(await usage('?from=9999-12-31&to=9999-12-31')).toMatchObject({ days: [] })
  })

  test.each([
    ['?from=2026-03-02&to=2026-03-01', '/from', 'must not be after 2026-03-01'],
    ['?from=2025-01-01&to=2026-03-01', '/from', 'must lie at most 399 days before 2026-03-01'],
    ['?from=9999-12-31', '/from', 'must not be after'],
    ['?from=2026-02-30', '/from', ''],
    ['?to=0000-01-01', '/to', 'must lie in the years 2000 to 9999'],
    ['?to=1999-12-31', '/to', 'must lie in the years 2000 to 9999'],
    ['?to=2026-03-01T00:00:00Z', '/to', ''],
    ['?to=', '/to', ''],
    ['?to=%00', '/to', ''],
    ['?from=2026-03-01&from=2026-03-02', '/from', 'is given more than once'],
    ['?day=2026-03-01', '/day', ''],
  ])('are refused as %s', async (query, pointer, detail) => {
    const { status, body } = await asOperator(query)
    expect([status, body.code]).toEqual([400, 'invalid_request'])
    expect(body.errors).toMatchObject([{ pointer, detail: expect.stringContaining(detail) }])
  })
})

describe('who reads it', () => {
  test('account, developer and operator read the same', async () => {
    const customer = await newCustomer(market, 'Seller', [app.partyId])
    await app.list()
    const seen = await usage()
    for (const [side, token] of [
      ['Account', customer.token],
      ['Developer', developer],
    ] as const) {
      const { status, body } = await call(market, 'GET', path(side, app.installationId), { token })
      expect([status, body]).toEqual([200, seen])
    }
  })

  test('others are told that there is nothing', async () => {
    const stranger = await newCustomer(market)
    const other = await developerToken(market, 1)
    const operator = await accountToken(market, market.demo.operator)
    for (const [side, token, id] of [
      ['Account', stranger.token, app.installationId],
      ['Developer', other, app.installationId],
      ['Operator', operator, randomUUID()],
      ['Operator', operator, 'x'],
    ] as const) {
      const { status, body } = await call(market, 'GET', path(side, id), { token })
      expect([side, status, body.code]).toEqual([side, 404, 'not_found'])
    }
  })

  test('it stays when the app is uninstalled', async () => {
    await app.list()
    await call(market, 'DELETE', `/v1/Developer/Installations/${app.installationId}`, {
      token: developer,
    })
    expect((await usage()).days).toMatchObject([{ requests: 1 }])
  })
})
