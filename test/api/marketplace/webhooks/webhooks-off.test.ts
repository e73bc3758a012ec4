import { afterAll, beforeAll, expect, test } from 'vitest'
import { startBackground } from '../../../../src/process/start/background.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import {
  addEndpoint,
  deliveriesOf,
  eventually,
  switchOften,
  twoInstallations,
} from '../../../setup/deliveries.ts'
import { type Receiver, startReceiver } from '../../../setup/webhook-receiver.ts'

const EVENTS = 20

let market: TestMarketplace
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
  market = await startMarketplace({
    config: { webhooks: false, webhookAllowedPrivateHosts: new Set([receiver.host]) },
    background: { loopMs: 20 },
    isClockStopped: true,
  })
})
afterAll(async () => {
  await market.close()
  await receiver.close()
})

test('with WEBHOOKS=off a replica numbers events and sends none; another one sends each once', async () => {
  const { id } = await addEndpoint(market, receiver)
  const [installationId] = twoInstallations(market)
  await switchOften(market, installationId, EVENTS)
  const laidOut = await eventually(
    () => deliveriesOf(market, id),
    (all) => all.length === EVENTS,
  )
  expect(laidOut.filter(({ status, log }) => status !== 'pending' || log.length > 0)).toEqual([])
  expect(receiver.received).toEqual([])

  const config = { ...market.deps.config, webhooks: true }
  const another = startBackground({
    deps: { ...market.deps, config },
    connectionString: market.databaseUrl,
  })
  try {
    await eventually(
      () => deliveriesOf(market, id),
      (all) => all.every(({ status }) => status === 'succeeded'),
    )
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(EVENTS)
    expect(ids).toHaveLength(EVENTS)
  } finally {
    await another.stop()
  }
})
