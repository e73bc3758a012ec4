import { expect, test } from 'vitest'
import {
  readDue,
  type SendingWindow,
} from '../../../../src/marketplace/webhooks/delivery/sending-window-service.ts'
import { call, developerToken } from '../../../setup/client.ts'
import { addEndpoint, deliveriesOf, eventually, switchOften } from '../../../setup/deliveries.ts'
import { receivingMarket } from '../../../setup/receiving-market.ts'

const at = receivingMarket()

const replay = async (endpointId: string, deliveryId: string | undefined) =>
  call(
    at.market,
    'POST',
    `/v1/Developer/Apps/price-sync/Webhooks/${endpointId}/Deliveries/${deliveryId}/Replay`,
    { token: await developerToken(at.market) },
  )

/** An ordered endpoint that has taken an event, with another one of the installation in flight. */
async function endpointWithRequest() {
  const { id } = await addEndpoint(at.market, { ...at.receiver, ordered: true })
  await switchOften(at.market, at.installationId, 1)
  await at.attemptsDone(id, 1)
  let respond = () => {}
  at.receiver.answerWith((response) => {
    respond = () => response.writeHead(204).end()
  })
  await switchOften(at.market, at.installationId, 1)
  await at.receiver.until(2)
  at.receiver.answerWith((response) => response.writeHead(204).end())
  return { id, respond: () => respond() }
}

test('a replay waits until the request of its installation that is in flight has ended', async () => {
  const { id, respond } = await endpointWithRequest()
  const [first] = await eventually(
    () => deliveriesOf(at.market, id),
    (all) => all.at(-1)?.lease !== null,
  )
  expect((await replay(id, first?.id)).status).toBe(202)
  // Events of another installation are sent meanwhile: the endpoint had its turn.
  await switchOften(at.market, at.otherId, 1)
  await at.receiver.until(3)
  const sentTo = at.receiver.received.map(({ body }) => JSON.parse(body).data.installationId)
  expect(sentTo).toEqual([at.installationId, at.installationId, at.otherId])
  respond()
  await at.receiver.until(4)
  expect(at.receiver.received[3]?.headers['webhook-id']).toBe(first?.eventId)
})

test('a replay waits so in the turn of that request, too', async () => {
  const { id, respond } = await endpointWithRequest()
  const [first, second] = await eventually(
    () => deliveriesOf(at.market, id),
    (all) => all.at(-1)?.lease !== null,
  )
  const { db, now } = at.market.deps
  const restingUntil = new Date(now().getTime() + 3_600_000)
  await db.webhookEndpoint.update({ where: { id }, data: { restingUntil } })
  await db.webhookDelivery.update({
    where: { id: second?.id ?? '' },
    data: { lease: null, leaseUntil: null },
  })
  await db.webhookDelivery.update({
    where: { id: first?.id ?? '' },
    data: { status: 'pending', dueAt: now(), finishedAt: null },
  })
  const read = (except: string[]) =>
    readDue(at.market.deps, { endpointId: id, ordered: true } as SendingWindow, {
      most: 32,
      except,
    })
  expect(await read([])).toMatchObject([{ id: first?.id }])
  expect(await read([second?.id ?? ''])).toEqual([])
  respond()
})
