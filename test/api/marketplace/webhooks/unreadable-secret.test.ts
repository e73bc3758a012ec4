import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSecretBox } from '../../../../src/base/secrets/secret-box.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import {
  addEndpoint,
  eventually,
  switchOften,
  twoInstallations,
} from '../../../setup/deliveries.ts'
import { type Receiver, startReceiver } from '../../../setup/webhook-receiver.ts'

let market: TestMarketplace
let receiver: Receiver
const lines: string[] = []
beforeAll(async () => {
  receiver = await startReceiver()
  market = await startMarketplace({
    config: { webhookAllowedPrivateHosts: new Set([receiver.host]), logLevel: 'warn' },
    background: { loopMs: 20 },
    isClockStopped: true,
    log: (line) => lines.push(line),
  })
})
afterAll(async () => {
  await market.close()
  await receiver.close()
})

test('an endpoint whose secret no key opens keeps its turn, so that it is tried once in ten seconds', async () => {
  const { db } = market.deps
  const { id } = await addEndpoint(market, receiver)
  const lost = createSecretBox(randomBytes(32).toString('base64'))
  const secret = new Uint8Array(lost.encrypt(Buffer.from('x'), 'anything'))
  await db.webhookEndpoint.update({ where: { id }, data: { secret } })
  const told = async () => lines.filter((line) => line.includes(id)).length
  const turnOf = async () =>
    (await db.webhookEndpoint.findUniqueOrThrow({ where: { id } })).windowId
  const [installationId] = twoInstallations(market)
  await switchOften(market, installationId, 1)
  await eventually(told, (count) => count === 1)
  const first = await turnOf()
  expect(first).not.toBeNull()
  market.advance(11)
  await eventually(told, (count) => count === 2)
  expect([null, first]).not.toContain(await turnOf())
})
