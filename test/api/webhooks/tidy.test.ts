import { afterAll, beforeAll, expect, test } from 'vitest'
import { tidyEndpoints } from '../../../src/webhooks/endpoints/tidy-endpoints-service.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { addEndpoint, deliveriesOf, switchOften, twoInstallations } from '../../setup/deliveries.ts'
import { fanOutAll } from '../../setup/fan-out.ts'
import { RECEIVER } from '../../setup/webhooks.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

test('what waits for an endpoint whose disabling was interrupted ends as failed', async () => {
  const { db, now } = market.deps
  const { id } = await addEndpoint(market, { url: RECEIVER })
  await switchOften(market, twoInstallations(market)[0], 1)
  const { developerId } = await db.webhookEndpoint.findUniqueOrThrow({ where: { id } })
  await fanOutAll(market.deps, developerId)
  await db.webhookEndpoint.update({
    where: { id },
    data: { disabledAt: now(), disabledReason: 'developer' },
  })
  await tidyEndpoints(market.deps)
  expect((await deliveriesOf(market, id)).map(({ status }) => status)).toEqual(['failed'])
})

test('a secret that no longer signs is deleted, one that still signs is kept', async () => {
  const { db, now } = market.deps
  const { id } = await addEndpoint(market, { url: RECEIVER })
  const previousSecretUntil = new Date(now().getTime() + 60_000)
  const previousSecret = Buffer.from('sealed')
  await db.webhookEndpoint.update({ where: { id }, data: { previousSecret, previousSecretUntil } })
  const kept = async () =>
    (await db.webhookEndpoint.findUniqueOrThrow({ where: { id } })).previousSecret !== null
  await tidyEndpoints(market.deps)
  expect(await kept()).toBe(true)
  market.advance(61)
  await tidyEndpoints(market.deps)
  expect(await kept()).toBe(false)
})
