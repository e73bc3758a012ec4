import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import {
  beginTurn,
  endTurn,
  readDue,
  type Turn,
} from '../../../src/webhooks/delivery/turn-service.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import {
  addEndpoint,
  deliveriesOf,
  eventually,
  removeEndpoints,
  switchOften,
  twoInstallations,
} from '../../setup/deliveries.ts'
import { noteStatements, readTooMuch } from '../../setup/statements.ts'
import { type Receiver, startReceiver } from '../../setup/webhook-receiver.ts'

let market: TestMarketplace
let receiver: Receiver
/** An installation, and another one of the same app. */
let installationId: string
let otherId: string
beforeAll(async () => {
  receiver = await startReceiver()
  market = await startMarketplace({
    config: { webhookAllowedPrivateHosts: new Set([receiver.host]) },
    background: { sweepMs: 20, random: () => 0 },
  })
  const both = twoInstallations(market)
  installationId = both[0]
  otherId = both[1]
})
afterAll(async () => {
  await market.close()
  await receiver.close()
})
beforeEach(async () => {
  // What the test before has left is not for the endpoints of this one.
  await eventually(
    () => market.deps.db.event.count({ where: { position: null } }),
    (unnumbered) => unnumbered === 0,
  )
  receiver.received.length = 0
  receiver.answerWith((response) => response.writeHead(204).end())
})
afterEach(() => removeEndpoints(market))

const bodies = () => receiver.received.map(({ body }) => JSON.parse(body))
const attemptsDone = (id: string, count: number) =>
  eventually(
    () => deliveriesOf(market, id),
    (all) => all.flatMap(({ log }) => log).length >= count,
  )
/** Deliveries whose attempts go on after the turn. */
const leasedOf = (endpointId: string) =>
  market.deps.db.webhookDelivery.count({ where: { endpointId, NOT: { lease: null } } })

test('at most four requests are in flight at an endpoint, and one while it fails', async () => {
  const { id } = await addEndpoint(market, receiver)
  await switchOften(market, installationId, 1)
  await attemptsDone(id, 1)
  const held: (() => void)[] = []
  receiver.answerWith((response) => held.push(() => response.writeHead(500).end()))
  receiver.received.length = 0
  await switchOften(market, installationId, 8)
  await receiver.until(4)
  const leased = () => leasedOf(id)
  // The turn is over: what goes on has a lease.
  await eventually(leased, (count) => count === 4)
  expect(receiver.received).toHaveLength(4)
  for (const answer of held.splice(0)) answer()
  await receiver.until(5)
  await eventually(leased, (count) => count === 1)
  expect(receiver.received).toHaveLength(5)
  receiver.answerWith((response) => response.writeHead(204).end())
  for (const answer of held.splice(0)) answer()
})

test('one request is in flight at an endpoint that has answered none, or none for ten seconds', async () => {
  const { id } = await addEndpoint(market, receiver)
  const held: (() => void)[] = []
  receiver.answerWith((response) => held.push(() => response.writeHead(204).end()))
  await switchOften(market, installationId, 8)
  await eventually(
    () => leasedOf(id),
    (count) => count === 1,
  )
  expect(receiver.received).toHaveLength(1)
  // It answers: the next turn begins four.
  held.shift()?.()
  await receiver.until(5)
  await eventually(
    () => leasedOf(id),
    (count) => count === 4,
  )
  receiver.answerWith((response) => response.writeHead(204).end())
  for (const answer of held.splice(0)) answer()
  await attemptsDone(id, 8)
  market.advance(11)
  receiver.answerWith((response) => held.push(() => response.writeHead(204).end()))
  await switchOften(market, installationId, 8)
  await eventually(
    () => leasedOf(id),
    (count) => count === 1,
  )
  expect(receiver.received).toHaveLength(9)
  receiver.answerWith((response) => response.writeHead(204).end())
  held.shift()?.()
  await attemptsDone(id, 16)
})

test('an endpoint that rests gets no turn until its rest is over', async () => {
  const { id } = await addEndpoint(market, receiver)
  const restingUntil = new Date(market.deps.now().getTime() + 30_000)
  await market.deps.db.webhookEndpoint.update({ where: { id }, data: { restingUntil } })
  expect(await beginTurn(market.deps, id)).toBeUndefined()
  market.advance(31)
  const turn = await beginTurn(market.deps, id)
  expect(turn).toMatchObject({ endpointId: id })
  if (turn !== undefined) await endTurn(market.deps, turn)
})

test('an ordered endpoint gets the events of an installation one by one; other installations continue', async () => {
  const { id } = await addEndpoint(market, { ...receiver, ordered: true })
  receiver.answerWith((response, { body }) => {
    const isHeld = JSON.parse(body).data.installationId === installationId
    response.writeHead(isHeld ? 500 : 204).end()
  })
  await switchOften(market, installationId, 3)
  await switchOften(market, otherId, 3)
  await eventually(
    () => deliveriesOf(market, id),
    (all) => all.filter(({ status }) => status === 'succeeded').length === 3,
  )
  const of = (wanted: string) => bodies().filter(({ data }) => data.installationId === wanted)
  // One try of the first; its successors wait behind it.
  expect(of(installationId)).toHaveLength(1)
  receiver.answerWith((response) => response.writeHead(204).end())
  market.advance(6)
  await eventually(
    () => deliveriesOf(market, id),
    (all) => all.every(({ status }) => status === 'succeeded'),
  )
  for (const wanted of [installationId, otherId]) {
    const sequences = of(wanted).map(({ data }) => data.sequence)
    expect(sequences).toEqual([...sequences].sort((left, right) => left - right))
  }
})

test('a read of an ordered endpoint looks at few of the installations that wait; each gets its turn', async () => {
  const { deps } = market
  const { id } = await addEndpoint(market, { ...receiver, ordered: true })
  const restingUntil = new Date(deps.now().getTime() + 3_600_000)
  await deps.db.webhookEndpoint.update({ where: { id }, data: { restingUntil } })
  await deps.pool.query(
    `INSERT INTO events (developer_id, app_id, installation_id, party_id, party_type, sequence, type)
     SELECT e.developer_id, e.app_id, i.id, 1, 'Seller', s, 'installation.settings_changed'
     FROM webhook_endpoints e, (SELECT gen_random_uuid() AS id FROM generate_series(1, 300)) AS i,
       generate_series(1, 2) AS s
     WHERE e.id = $1`,
    [id],
  )
  await eventually(
    () => deliveriesOf(market, id),
    (all) => all.length === 600,
  )
  await deps.pool.query('ANALYZE webhook_deliveries')
  const turn = { endpointId: id, ordered: true } as Turn
  const read = () => readDue(deps, turn, { most: 32, except: [] })
  const statements = noteStatements(deps.pool)
  expect(await read()).toHaveLength(32)
  const [statement] = statements.take().filter(({ text }) => text.includes('RECURSIVE'))
  const bounds = { rows: 100, indexRows: 100 }
  const deliveries = new Set(['webhook_deliveries'])
  expect(statement).toBeDefined()
  expect(statement && (await readTooMuch(deps.pool, statement, deliveries, bounds))).toEqual([])
  const seen = new Set<string | null>()
  await eventually(
    async () => {
      for (const { event } of await read()) {
        expect(event.sequence).toBe(1)
        seen.add(event.installationId)
      }
    },
    () => seen.size === 300,
  )
})

test('a turn sends something however slow the database is', async () => {
  await addEndpoint(market, receiver)
  const pool = market.deps.measures.pools.get('background') as Pool
  const query = pool.query
  const slowly = async (...args: Parameters<typeof query>) => {
    await sleep(300)
    return query.apply(pool, args)
  }
  pool.query = slowly as unknown as typeof query
  onTestFinished(() => {
    pool.query = query
  })
  await switchOften(market, installationId, 1)
  await receiver.until(1)
})

test('a delivery whose process was killed is made again when its lease is over', async () => {
  const { id } = await addEndpoint(market, receiver)
  receiver.answerWith((response) => response.writeHead(500).end())
  await switchOften(market, installationId, 1)
  await attemptsDone(id, 1)
  receiver.answerWith((response) => response.writeHead(204).end())
  const leaseUntil = new Date(market.deps.now().getTime() + 30_000)
  await market.deps.db.webhookDelivery.updateMany({
    where: { endpointId: id },
    data: { lease: randomUUID(), leaseUntil },
  })
  market.advance(10)
  // The endpoint was failing: its one place is that of the killed process.
  await switchOften(market, otherId, 1)
  await eventually(
    () => deliveriesOf(market, id),
    (all) => all.length === 2,
  )
  market.advance(21)
  await receiver.until(3)
  const again = receiver.received.slice(1)
  const sentTo = again.map(({ body }) => JSON.parse(body).data.installationId)
  expect(sentTo.sort()).toEqual([installationId, otherId].sort())
  for (const { headers } of again) {
    expect(Number(headers['webhook-timestamp'])).toBeGreaterThanOrEqual(
      Math.floor(leaseUntil.getTime() / 1000),
    )
  }
})

test('what a killed process was sending in its turn is sent again when the turn is over', async () => {
  const { id } = await addEndpoint(market, receiver)
  await switchOften(market, otherId, 1)
  await attemptsDone(id, 1)
  const turnUntil = new Date(market.deps.now().getTime() + 60_000)
  await market.deps.db.webhookEndpoint.update({
    where: { id },
    data: { turn: randomUUID(), turnUntil },
  })
  await switchOften(market, installationId, 1)
  await eventually(
    () => deliveriesOf(market, id),
    (all) => all.length === 2,
  )
  market.advance(30)
  await switchOften(market, otherId, 1)
  await eventually(
    () => deliveriesOf(market, id),
    (all) => all.length === 3,
  )
  expect(receiver.received).toHaveLength(1)
  market.advance(31)
  await receiver.until(3)
  for (const { headers } of receiver.received.slice(1)) {
    expect(Number(headers['webhook-timestamp'])).toBeGreaterThanOrEqual(
      Math.floor(turnUntil.getTime() / 1000),
    )
  }
})

test('deliveries go on after all connections to the database were cut', async () => {
  await addEndpoint(market, receiver)
  await switchOften(market, installationId, 1)
  await receiver.until(1)
  await market.deps.pool
    .query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    )
    .catch(() => {})
  await switchOften(market, installationId, 1)
  await receiver.until(2)
})

test('an endpoint that hangs gets no more requests than it has places; others are not delayed', async () => {
  const hanging = await startReceiver()
  market.deps.config.webhookAllowedPrivateHosts = new Set([receiver.host, hanging.host])
  hanging.answerWith(() => {})
  await addEndpoint(market, hanging)
  await addEndpoint(market, receiver)
  await switchOften(market, installationId, 6)
  await receiver.until(6)
  expect(hanging.received.length).toBeLessThanOrEqual(4)
  await hanging.close()
})
