import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import {
  addEndpoint,
  deliveriesOf,
  eventually,
  switchOften,
  twoInstallations,
} from '../../../setup/deliveries.ts'
import { type Receiver, startReceiver } from '../../../setup/webhook-receiver.ts'

let market: TestMarketplace
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
  market = await startMarketplace({
    config: {
      webhookAllowedPrivateHosts: new Set([receiver.host]),
      webhookRetrySeconds: [0, 60],
      webhookTimeoutSeconds: 1,
    },
    background: { loopMs: 20, random: () => 0 },
    isClockStopped: true,
  })
})
afterAll(async () => {
  await market.close()
  await receiver.close()
})

test('a receiver that never answers is given up after the seconds and attempts that are set', async () => {
  receiver.answerWith(() => {})
  const { id } = await addEndpoint(market, receiver)
  await switchOften(market, twoInstallations(market)[0], 1)
  const [waiting] = await eventually(
    () => deliveriesOf(market, id),
    ([one]) => one?.log.length === 2,
  )
  const [first, second] = waiting?.log ?? []
  for (const attempt of [first, second]) {
    // On a slow machine the second may be over before there is a connection.
    expect(attempt?.reason).toMatch(/^(connect_)?timeout$/)
    expect(attempt?.durationMs).toBeGreaterThanOrEqual(990)
  }
  expect((waiting?.dueAt?.getTime() ?? 0) - (second?.at.getTime() ?? 0)).toBe(60_000)
  market.advance(61)
  const [given] = await eventually(
    () => deliveriesOf(market, id),
    ([one]) => one?.status === 'failed',
  )
  expect(given).toMatchObject({ attempts: 3, dueAt: null })
})
