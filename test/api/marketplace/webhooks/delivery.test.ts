import { Webhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { expect, test } from 'vitest'
import { newSecret } from '../../../../src/marketplace/webhooks/attempts/signature.ts'
import { sealSecret } from '../../../../src/marketplace/webhooks/endpoints/endpoint-secrets.ts'
import { call, developerToken } from '../../../setup/client.ts'
import {
  addEndpoint,
  deliveriesOf,
  eventually,
  switchOften,
  twoInstallations,
} from '../../../setup/deliveries.ts'
import { receivingMarket } from '../../../setup/receiving-market.ts'
import { holdRows } from '../../../setup/turns.ts'

const HOUR = 3600

const at = receivingMarket()

const bodies = () => at.receiver.received.map(({ body }) => JSON.parse(body))

test('a delivery is signed as Standard Webhooks says, over the bytes that the log gives', async () => {
  const { id, secret } = await addEndpoint(at.market, at.receiver)
  await switchOften(at.market, at.installationId, 1)
  await at.receiver.until(1)
  const [got] = at.receiver.received
  const headers = got?.headers as Record<string, string>
  expect(new Webhook(secret).verify(got?.body ?? '', headers)).toMatchObject({
    type: expect.stringMatching(/^installation\.(suspended|resumed)$/),
    data: { installationId: at.installationId },
  })
  expect(() => new SvixWebhook(secret).verify(got?.body ?? '', headers)).not.toThrow()
  const [event] = bodies()
  expect(headers['webhook-id']).toBe(event.id)
  const { position } = event
  const { text } = await call(at.market, 'GET', `/v1/Developer/Events?after=${position - 1}`, {
    token: await developerToken(at.market),
  })
  expect(text).toBe(`[${got?.body}]`)
  const [delivery] = await eventually(
    () => deliveriesOf(at.market, id),
    ([one]) => one?.status === 'succeeded',
  )
  expect(delivery).toMatchObject({ attempts: 1, log: [{ outcome: 'succeeded', status: 204 }] })
  expect(await at.endpointOf(id)).toMatchObject({ failures: 0, failingSince: null })
})

test('after a rotation the previous secret also signs for its time', async () => {
  const { id, secret } = await addEndpoint(at.market, at.receiver)
  const before = newSecret()
  const until = new Date(at.market.deps.now().getTime() + 60_000)
  await at.market.deps.db.webhookEndpoint.update({
    where: { id },
    data: {
      previousSecret: sealSecret(at.market.deps.secrets, id, before).secret,
      previousSecretUntil: until,
    },
  })
  await switchOften(at.market, at.installationId, 1)
  await at.receiver.until(1)
  await at.attemptsDone(id, 1)
  at.market.advance(61)
  await switchOften(at.market, at.installationId, 1)
  await at.receiver.until(2)
  const signatures = at.receiver.received.map(({ headers }) => headers['webhook-signature'])
  expect(signatures.map((text) => String(text).split(' ').length)).toEqual([2, 1])
  const [first] = at.receiver.received
  const headers = first?.headers as Record<string, string>
  for (const one of [secret, before]) {
    expect(new Webhook(one).verify(first?.body ?? '', headers)).toBeTruthy()
  }
})

test('a failed attempt is repeated by the schedule, with the same id and bytes, until it has failed', async () => {
  const { id } = await addEndpoint(at.market, at.receiver)
  at.receiver.answerWith((response) => response.writeHead(500).end('broken'))
  await switchOften(at.market, at.installationId, 1)
  const waits = [5, 300, 1800, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR]
  for (const [index, seconds] of waits.entries()) {
    const [delivery] = await at.attemptsDone(id, index + 1)
    const wait = (delivery?.dueAt?.getTime() ?? 0) - (delivery?.log.at(-1)?.at.getTime() ?? 0)
    expect(Math.round(wait / 1000)).toBe(seconds)
    at.market.advance(seconds + 1)
  }
  const [delivery] = await eventually(
    () => deliveriesOf(at.market, id),
    ([one]) => one?.status === 'failed',
  )
  expect(delivery).toMatchObject({ attempts: 10, dueAt: null })
  expect(delivery?.log.map(({ status, response, reason }) => [status, response, reason])).toEqual(
    Array.from({ length: 10 }, () => [500, 'broken', 'status']),
  )
  const [first, ...others] = at.receiver.received
  const stamps = at.receiver.received.map(({ headers }) => Number(headers['webhook-timestamp']))
  expect(stamps).toEqual([...new Set(stamps)].sort((left, right) => left - right))
  for (const other of others) {
    expect(other.body).toBe(first?.body)
    expect(other.headers['webhook-id']).toBe(first?.headers['webhook-id'])
  }
})

test('a longer wait in Retry-After is kept', async () => {
  const { id } = await addEndpoint(at.market, at.receiver)
  at.receiver.answerWith((response) => response.writeHead(503, { 'retry-after': '120' }).end())
  await switchOften(at.market, at.installationId, 1)
  const [delivery] = await at.attemptsDone(id, 1)
  const wait = (delivery?.dueAt?.getTime() ?? 0) - (delivery?.log[0]?.at.getTime() ?? 0)
  expect(Math.round(wait / 1000)).toBe(120)
})

test('a redirect is a failure and is not followed', async () => {
  const { id } = await addEndpoint(at.market, at.receiver)
  at.receiver.answerWith((response) => response.writeHead(307, { location: at.receiver.url }).end())
  await switchOften(at.market, at.installationId, 1)
  const [delivery] = await at.attemptsDone(id, 1)
  expect(delivery).toMatchObject({ status: 'pending', log: [{ outcome: 'failed', status: 307 }] })
  expect(at.receiver.received).toHaveLength(1)
})

test('after installation.deleted was delivered, nothing older is sent for that installation', async () => {
  const { id } = await addEndpoint(at.market, at.receiver)
  const other = await addEndpoint(at.market, { ...at.receiver, events: ['installation.suspended'] })
  at.receiver.answerWith((response, { body }) => {
    const isTaken = JSON.parse(body).type === 'installation.deleted'
    response.writeHead(isTaken ? 204 : 500).end()
  })
  const gone = twoInstallations(at.market)[1]
  await switchOften(at.market, gone, 1)
  await at.attemptsDone(id, 1)
  // Something else holds it when it is to be cancelled, for longer than a statement may wait.
  const waiting = 'SELECT 1 FROM webhook_deliveries WHERE endpoint_id = $1 FOR UPDATE'
  const held = await holdRows(at.market, waiting, [id])
  await call(at.market, 'DELETE', `/v1/Developer/Installations/${gone}`, {
    token: await developerToken(at.market),
  })
  await eventually(
    () =>
      at.market.deps.pool.query(
        `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
         AND wait_event_type = 'Lock' AND query LIKE '%webhook_deliveries%'`,
      ),
    ({ rowCount }) => rowCount === 1,
  )
  await held.release()
  const deliveries = await eventually(
    () => deliveriesOf(at.market, id),
    (all) => all.at(-1)?.status === 'succeeded',
  )
  expect(deliveries.map(({ type, status }) => [type, status])).toEqual([
    ['installation.suspended', 'cancelled'],
    ['installation.deleted', 'succeeded'],
  ])
  expect((await deliveriesOf(at.market, other.id)).map(({ status }) => status)).toEqual(['pending'])
})

test('an endpoint gets only the types that it asked for', async () => {
  const { id } = await addEndpoint(at.market, { ...at.receiver, events: ['installation.resumed'] })
  await switchOften(at.market, at.installationId, 4)
  await eventually(
    () => deliveriesOf(at.market, id),
    (all) => all.length === 2 && all.every(({ status }) => status === 'succeeded'),
  )
  expect(bodies().map(({ type }) => type)).toEqual(['installation.resumed', 'installation.resumed'])
})
