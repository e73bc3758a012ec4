import { afterAll, beforeAll, expect, test } from 'vitest'
import { beginTurn, endTurn, type Turn } from '../../../src/webhooks/delivery/turn-service.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { addEndpoint } from '../../setup/deliveries.ts'
import { RECEIVER } from '../../setup/webhooks.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

async function turnOf(endpointId: string): Promise<Turn> {
  return (await beginTurn(market.deps, endpointId)) ?? expect.unreachable('no turn is to be had')
}

test('one process has the turn of an endpoint; it hears of others that wanted it meanwhile', async () => {
  const { id } = await addEndpoint(market, { url: RECEIVER })
  const first = await turnOf(id)
  expect(await beginTurn(market.deps, id)).toBeUndefined()
  expect(await endTurn(market.deps, first)).toBe(true)
  expect(await endTurn(market.deps, await turnOf(id))).toBe(false)
})

test('a process whose turn ran out does not end the turn of the next one', async () => {
  const { id } = await addEndpoint(market, { url: RECEIVER })
  const slow = await turnOf(id)
  market.advance(11)
  const next = await turnOf(id)
  expect(await endTurn(market.deps, slow)).toBe(false)
  expect(await beginTurn(market.deps, id)).toBeUndefined()
  expect(await endTurn(market.deps, next)).toBe(true)
})
