import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { call, developerToken } from '../../../setup/client.ts'
import { noteStatements } from '../../../setup/statements.ts'

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

test.each(['an app', 'an installation'])(
  'a quote of %s reads neither a definition nor settings',
  async (whose) => {
    const token = await developerToken(market)
    const { id } = market.demo.installations.find(({ appId }) => appId === 'price-sync') ?? {}
    const path =
      whose === 'an app'
        ? '/v1/Apps/price-sync/PurchaseOptions/premium/Quote?records=7'
        : `/v1/Developer/Installations/${id}/Quote`
    const statements = noteStatements(market.deps.pool)
    const { status, body } = await call(market, 'GET', path, { token })
    expect([status, body.currency]).toEqual([200, 'USD'])
    const texts = statements
      .take()
      .filter(({ ofRequest }) => ofRequest)
      .map(({ text }) => text)
    expect(texts.some((text) => text.includes('purchase_options'))).toBe(true)
    expect(texts.filter((text) => /"settings"|setting_values|acknowledgements/.test(text))).toEqual(
      [],
    )
  },
)
