import { expect, test } from 'vitest'
import { call, developerToken } from '../../../setup/client.ts'
import { addEndpoint, deliveriesOf, eventually, switchOften } from '../../../setup/deliveries.ts'
import { receivingMarket } from '../../../setup/receiving-market.ts'

const at = receivingMarket()

test.each([
  ['a replay', (deliveryId: string) => [`/Deliveries/${deliveryId}/Replay`]],
  ['a test', () => ['/Test']],
  ['Recover', (_: string, since: string) => ['/Recover', { since }]],
] as const)('%s is sent now by an endpoint that rests', async (_what, request) => {
  const { id } = await addEndpoint(at.market, at.receiver)
  at.receiver.answerWith((response) => response.writeHead(500).end())
  await switchOften(at.market, at.installationId, 1)
  await at.attemptsDone(id, 1)
  const { db, now } = at.market.deps
  const restingUntil = new Date(now().getTime() + 60_000)
  const { revision } = await db.webhookEndpoint.update({ where: { id }, data: { restingUntil } })
  at.receiver.answerWith((response) => response.writeHead(204).end())
  const [delivery] = await deliveriesOf(at.market, id)
  const since = new Date(Date.now() - 3_600_000).toISOString()
  const [path, body] = request(delivery?.id ?? '', since)
  const answer = await call(
    at.market,
    'POST',
    `/v1/Developer/Apps/price-sync/Webhooks/${id}${path}`,
    { token: await developerToken(at.market), ...(body && { body }) },
  )
  expect(answer.status, answer.text).toBe(202)
  await at.receiver.until(2)
  await eventually(
    () => deliveriesOf(at.market, id),
    (all) => all.some((one) => one.status === 'succeeded'),
  )
  expect(await at.endpointOf(id)).toMatchObject({ restingUntil: null, revision })
})
