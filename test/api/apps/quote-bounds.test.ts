import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { call } from '../../setup/client.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

test.each(['', '?records=', '?records=x', '?records=-1', '?records=1.5', '?records=1000000001'])(
  'a quote of buckets for "%s" is refused with the bounds',
  async (query) => {
    const path = `/v1/Apps/price-sync/PurchaseOptions/premium/Quote${query}`
    const { status, body } = await call(market, 'GET', path)
    const detail = 'must be a whole number from 0 to 1000000000'
    expect([status, body.errors]).toEqual([400, [{ pointer: '/records', detail }]])
  },
)
