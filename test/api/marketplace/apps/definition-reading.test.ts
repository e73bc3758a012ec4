import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Author, author, draft, flat, newId } from '../../../setup/apps.ts'
import { call } from '../../../setup/client.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'
import { operatorCalls } from '../../../setup/operator.ts'

let market: TestMarketplace
let mine: Author
let other: Author

beforeAll(async () => {
  market = await startMarketplace()
  mine = await author(market)
  other = await author(market, 1)
})
afterAll(() => market?.close())

describe('the definition of an app', () => {
  test('is answered in the shape that PUT takes', async () => {
    for (const [developer, id] of [
      [mine, 'price-sync'],
      [mine, 'stock-watch'],
      [other, 'catalog-sync'],
    ] as const) {
      const read = await developer.send('GET', `/${id}/Definition`)
      expect([read.status, read.headers.get('etag')]).toEqual([
        200,
        (await developer.read(id)).headers.get('etag'),
      ])
      const preview = await developer.dryRun(read.body)
      expect([preview.status, preview.body]).toEqual([200, { changes: [], breaking: false }])
    }
  })

  test('is answered to its developer alone', async () => {
    expectProblem(await other.send('GET', '/price-sync/Definition'), 'not_found')
  })

  test('points at each member of an app that is sent back but cannot be set', async () => {
    const { body } = await mine.read('stock-watch')
    const refused = await mine.put(body)
    expectProblem(refused, 'invalid_request')
    const members = ['developerName', 'listed', 'suspended', 'webhooks', 'createdAt', 'updatedAt']
    expect(pointersOf(refused)).toEqual(expect.arrayContaining(members.map((name) => `/${name}`)))
    for (const { detail } of refused.body.errors) {
      expect(detail).toBe(
        'is read-only; GET /v1/Developer/Apps/{appId}/Definition answers what can be sent',
      )
    }
    expect(pointersOf(await mine.put({ ...body, nothing: 1 }))).toContain('/nothing')
  })
})

describe('a version of an app', () => {
  test('is read alone, and compared with any other', async () => {
    const id = newId()
    await mine.create(draft(id))
    await mine.put(draft(id, { version: '2/0', purchaseOptions: [flat('free', 1)] }))
    await mine.put(draft(id, { version: '3.0', purchaseOptions: [flat('free', 2)] }))
    const { body: all } = await mine.versions(id)
    for (const version of all) {
      const path = `/${id}/Versions/${encodeURIComponent(version.version)}`
      expect((await mine.send('GET', path)).body).toEqual(version)
    }
    const changes = `/${id}/Versions/3.0/Changes`
    const { body } = await mine.send('GET', `${changes}?from=1.0.0`)
    expect(body.breaking).toBe(true)
    expect(body.changes).toContainEqual(
      expect.objectContaining({ kind: 'option_price_changed', breaking: true }),
    )
    for (const path of [`/${id}/Versions/4`, `${changes}?from=4`, `/${id}/Versions/%00`]) {
      expectProblem(await mine.send('GET', path), 'not_found')
    }
    expectProblem(await mine.send('GET', changes), 'invalid_request')
    expectProblem(await other.send('GET', `/${id}/Versions/3.0`), 'not_found')
    expectProblem(await other.send('GET', `${changes}?from=1.0.0`), 'not_found')
  })
})

describe('the record of an app', () => {
  test('says to its developer alone why the operator has suspended it', async () => {
    const operator = await operatorCalls(market)
    const path = 'Apps/stock-watch'
    expect((await mine.read('stock-watch')).body.suspendedReason).toBeNull()
    const seen = await call(market, 'GET', '/v1/Apps/stock-watch')
    expect(seen.body).not.toHaveProperty('suspendedReason')
    await operator('POST', `${path}/Suspend`, { reason: 'Prices are wrong.' })
    const suspended = { suspended: true, suspendedReason: 'Prices are wrong.' }
    expect((await mine.read('stock-watch')).body).toMatchObject(suspended)
    await operator('POST', `${path}/Resume`)
    expect((await mine.read('stock-watch')).body.suspendedReason).toBeNull()
  })
})

describe('a quote', () => {
  const QUOTE = '/v1/Apps/price-sync/PurchaseOptions'

  test('needs a number of products only where the price depends on it', async () => {
    const flatQuote = await call(market, 'GET', `${QUOTE}/basic/Quote`)
    expect(flatQuote.body).toMatchObject({ records: null, monthlyCost: 19.5, annualCharge: 234 })
    const tiered = await call(market, 'GET', `${QUOTE}/premium/Quote`)
    expectProblem(tiered, 'invalid_request')
    expect(tiered.body.errors).toMatchObject([{ pointer: '/records' }])
  })
})
