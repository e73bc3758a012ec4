import { expect, onTestFinished, test } from 'vitest'
import { startMarketplace } from '../../setup/app.ts'
import {
  addEndpoint,
  deliveriesOf,
  eventually,
  switchOften,
  twoInstallations,
} from '../../setup/deliveries.ts'
import { expectEvents } from '../../setup/logged.ts'
import { startReceiver } from '../../setup/webhook-receiver.ts'
import { startProxy } from '../../setup/webhook-receivers.ts'

test('the log says once that the proxy of webhooks refuses, and why, without its password', async () => {
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
    background: { sweepMs: 20 },
  })
  onTestFinished(() => market.close())
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
