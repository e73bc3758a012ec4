import { expect, onTestFinished, test } from 'vitest'
import { startMarketplace } from '../../../setup/app.ts'
import {
  addEndpoint,
  deliveriesOf,
  eventually,
  switchOften,
  twoInstallations,
} from '../../../setup/deliveries.ts'
import { expectEvents } from '../../../setup/logged.ts'
import { startReceiver } from '../../../setup/webhook-receiver.ts'
import { startProxy } from '../../../setup/webhook-receivers.ts'

/** A marketplace whose proxy of webhooks refuses everything, and a receiver behind it. */
async function startRefused() {
  const written: string[] = []
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  const proxy = await startProxy(1, 'HTTP/1.1 407 Who are you\r\n\r\n')
  const market = await startMarketplace({
    config: {
      logLevel: 'info',
      webhookAllowedPrivateHosts: new Set([receiver.host]),
      webhookProxyUrl: `http://marketplace:pass-of-proxy@127.0.0.1:${proxy.port}`,
    },
    log: (line) => written.push(line),
    background: { loopMs: 20 },
    isClockStopped: true,
  })
  onTestFinished(() => market.close())
  return { market, receiver, written }
}

test('the log says once that the proxy of webhooks refuses, and why, without its password', async () => {
  const { market, receiver, written } = await startRefused()
  const endpoints = [await addEndpoint(market, receiver), await addEndpoint(market, receiver)]
  await switchOften(market, twoInstallations(market)[0], 1)
  for (const { id } of endpoints) {
    await eventually(
      () => deliveriesOf(market, id),
      ([one]) => one?.log[0]?.outcome === 'proxy_failed',
    )
  }
  const told = expectEvents(written).filter(({ msg }) => /proxy/.test(String(msg)))
  expect(told).toMatchObject([{ level: 'warn', err: { message: 'the proxy answered 407' } }])
  expect(written.join('')).not.toContain('pass-of-proxy')
})

test('a proxy that refuses costs an endpoint one attempt, whatever waits for it', async () => {
  const { market, receiver } = await startRefused()
  const { db, now } = market.deps
  const { id } = await addEndpoint(market, receiver)
  const where = { id }
  const restingUntil = new Date(now().getTime() + 3_600_000)
  await db.webhookEndpoint.update({ where, data: { restingUntil } })
  await switchOften(market, twoInstallations(market)[0], 3)
  await eventually(
    () => deliveriesOf(market, id),
    (all) => all.length === 3,
  )
  await db.webhookEndpoint.update({ where, data: { restingUntil: null } })
  await eventually(
    () => db.webhookEndpoint.findUniqueOrThrow({ where }),
    (endpoint) => endpoint.restingUntil !== null && endpoint.windowId === null,
  )
  expect((await deliveriesOf(market, id)).map(({ attempts }) => attempts)).toEqual([1, 0, 0])
})
