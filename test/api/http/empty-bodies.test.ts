import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { call, developerToken } from '../../setup/client.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

test('a POST that needs no body takes an empty one of type JSON', async () => {
  const token = await developerToken(market)
  const answer = await call(market, 'POST', '/v1/Developer/Apps/stock-watch/List', {
    token,
    headers: { 'content-type': 'application/json' },
  })
  expect(answer.status).toBe(200)
})
