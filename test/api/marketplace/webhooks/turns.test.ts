import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import {
  closeWindow,
  openWindow,
  readDue,
  type SendingWindow,
} from '../../../../src/marketplace/webhooks/delivery/sending-window-service.ts'
import { addEndpoint, deliveriesOf, eventually, switchOften } from '../../../setup/deliveries.ts'
import { receivingMarket } from '../../../setup/receiving-market.ts'
import { noteStatements, readTooMuch } from '../../../setup/statements.ts'

const at = receivingMarket()

const bodies = () => at.receiver.received.map(({ body }) => JSON.parse(body))
/** Deliveries whose attempts go on after the turn. */
const leasedOf = (endpointId: string) =>
  at.market.deps.db.webhookDelivery.count({ where: { endpointId, NOT: { lease: null } } })

test('at most four requests are in flight at an endpoint, and one while it fails', async () => {
  const { id } = await addEndpoint(at.market, at.receiver)
  await switchOften(at.market, at.installationId, 1)
  await at.attemptsDone(id, 1)
  const held: (() => void)[] = []
  at.receiver.answerWith((response) => held.push(() => response.writeHead(500).end()))
  at.receiver.received.length = 0
  await switchOften(at.market, at.installationId, 8)
  await at.receiver.until(4)
  const leased = () => leasedOf(id)
  // The turn is over: what goes on has a lease.
  await eventually(leased, (count) => count === 4)
  expect(at.receiver.received).toHaveLength(4)
  for (const answer of held.splice(0)) answer()
  await at.receiver.until(5)
  await eventually(leased, (count) => count === 1)
  expect(at.receiver.received).toHaveLength(5)
  at.receiver.answerWith((response) => response.writeHead(204).end())
  for (const answer of held.splice(0)) answer()
})

test('one request is in flight at an endpoint that has answered none, or none for ten seconds', async () => {
  const { id } = await addEndpoint(at.market, at.receiver)
  const held: (() => void)[] = []
  at.receiver.answerWith((response) => held.push(() => response.writeHead(204).end()))
  await switchOften(at.market, at.installationId, 8)
  await eventually(
    () => leasedOf(id),
    (count) => count === 1,
  )
  expect(at.receiver.received).toHaveLength(1)
  // It answers: the next turn begins four.
  held.shift()?.()
  await at.receiver.until(5)
  await eventually(
    () => leasedOf(id),
    (count) => count === 4,
  )
  at.receiver.answerWith((response) => response.writeHead(204).end())
  for (const answer of held.splice(0)) answer()
  await at.attemptsDone(id, 8)
  at.market.advance(11)
  at.receiver.answerWith((response) => held.push(() => response.writeHead(204).end()))
  await switchOften(at.market, at.installationId, 8)
  await eventually(
    () => leasedOf(id),
    (count) => count === 1,
  )
  expect(at.receiver.received).toHaveLength(9)
  at.receiver.answerWith((response) => response.writeHead(204).end())
  held.shift()?.()
  await at.attemptsDone(id, 16)
})

test('an endpoint that rests gets no turn until its rest is over', async () => {
  const { id } = await addEndpoint(at.market, at.receiver)
  const restingUntil = new Date(at.market.deps.now().getTime() + 30_000)
  await at.market.deps.db.webhookEndpoint.update({ where: { id }, data: { restingUntil } })
  expect(await openWindow(at.market.deps, id)).toBeUndefined()
  at.market.advance(31)
  const turn = await openWindow(at.market.deps, id)
  expect(turn).toMatchObject({ endpointId: id })
  if (turn !== undefined) await closeWindow(at.market.deps, turn)
})

test('an ordered endpoint gets the events of an installation one by one; other installations continue', async () => {
  const { id } = await addEndpoint(at.market, { ...at.receiver, ordered: true })
  at.receiver.answerWith((response, { body }) => {
    const isHeld = JSON.parse(body).data.installationId === at.installationId
    response.writeHead(isHeld ? 500 : 204).end()
  })
  await switchOften(at.market, at.installationId, 3)
  await switchOften(at.market, at.otherId, 3)
  await eventually(
    () => deliveriesOf(at.market, id),
    (all) => all.filter(({ status }) => status === 'succeeded').length === 3,
  )
  const of = (wanted: string) => bodies().filter(({ data }) => data.installationId === wanted)
  // One try of the first; its successors wait behind it.
  expect(of(at.installationId)).toHaveLength(1)
  at.receiver.answerWith((response) => response.writeHead(204).end())
  at.market.advance(6)
  await eventually(
    () => deliveriesOf(at.market, id),
    (all) => all.every(({ status }) => status === 'succeeded'),
  )
  for (const wanted of [at.installationId, at.otherId]) {
    const sequences = of(wanted).map(({ data }) => data.sequence)
    expect(sequences).toEqual([...sequences].sort((left, right) => left - right))
  }
})

test('a read of an ordered endpoint looks at few of the installations that wait; each gets its turn', async () => {
  const { deps } = at.market
  const { id } = await addEndpoint(at.market, { ...at.receiver, ordered: true })
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
    () => deliveriesOf(at.market, id),
    (all) => all.length === 600,
  )
  await deps.pool.query('ANALYZE webhook_deliveries')
  const turn = { endpointId: id, ordered: true } as SendingWindow
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
  await addEndpoint(at.market, at.receiver)
  const pool = at.market.deps.measures.pools.get('background') as Pool
  const query = pool.query
  const slowly = async (...args: Parameters<typeof query>) => {
    await sleep(300)
    return query.apply(pool, args)
  }
  pool.query = slowly as unknown as typeof query
  onTestFinished(() => {
    pool.query = query
  })
  await switchOften(at.market, at.installationId, 1)
  await at.receiver.until(1)
})

test('a delivery whose process was killed is made again when its lease is over', async () => {
  const { id } = await addEndpoint(at.market, at.receiver)
  at.receiver.answerWith((response) => response.writeHead(500).end())
  await switchOften(at.market, at.installationId, 1)
  await at.attemptsDone(id, 1)
  at.receiver.answerWith((response) => response.writeHead(204).end())
  const leaseUntil = new Date(at.market.deps.now().getTime() + 30_000)
  await at.market.deps.db.webhookDelivery.updateMany({
    where: { endpointId: id },
    data: { lease: randomUUID(), leaseUntil },
  })
  at.market.advance(10)
  // The endpoint was failing: its one place is that of the killed process.
  await switchOften(at.market, at.otherId, 1)
  await eventually(
    () => deliveriesOf(at.market, id),
    (all) => all.length === 2,
  )
  at.market.advance(21)
  await at.receiver.until(3)
  const again = at.receiver.received.slice(1)
  const sentTo = again.map(({ body }) => JSON.parse(body).data.installationId)
  expect(sentTo.sort()).toEqual([at.installationId, at.otherId].sort())
  for (const { headers } of again) {
    expect(Number(headers['webhook-timestamp'])).toBeGreaterThanOrEqual(
      Math.floor(leaseUntil.getTime() / 1000),
    )
  }
})

test('what a killed process was sending in its turn is sent again when the turn is over', async () => {
  const { id } = await addEndpoint(at.market, at.receiver)
  await switchOften(at.market, at.otherId, 1)
  await at.attemptsDone(id, 1)
  const windowUntil = new Date(at.market.deps.now().getTime() + 60_000)
  await at.market.deps.db.webhookEndpoint.update({
    where: { id },
    data: { windowId: randomUUID(), windowUntil },
  })
  await switchOften(at.market, at.installationId, 1)
  await eventually(
    () => deliveriesOf(at.market, id),
    (all) => all.length === 2,
  )
  at.market.advance(30)
  await switchOften(at.market, at.otherId, 1)
  await eventually(
    () => deliveriesOf(at.market, id),
    (all) => all.length === 3,
  )
  expect(at.receiver.received).toHaveLength(1)
  at.market.advance(31)
  await at.receiver.until(3)
  for (const { headers } of at.receiver.received.slice(1)) {
    expect(Number(headers['webhook-timestamp'])).toBeGreaterThanOrEqual(
      Math.floor(windowUntil.getTime() / 1000),
    )
  }
})

test('deliveries go on after all connections to the database were cut', async () => {
  await addEndpoint(at.market, at.receiver)
  await switchOften(at.market, at.installationId, 1)
  await at.receiver.until(1)
  // Each of them is gone before the next change: none is taken for one that works.
  await at.market.deps.pool.query(
    `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  )
  await switchOften(at.market, at.installationId, 1)
  await at.receiver.until(2)
})

test('an endpoint that hangs gets one request until it answers; others are not delayed', async () => {
  const { id } = await addEndpoint(at.market, { url: `${at.receiver.url}/hanging` })
  await addEndpoint(at.market, at.receiver)
  const isHanging = (url: string | undefined) => url?.endsWith('/hanging') === true
  at.receiver.answerWith((response, { url }) => {
    if (!isHanging(url)) response.writeHead(204).end()
  })
  await switchOften(at.market, at.installationId, 6)
  await at.receiver.until(7)
  expect(at.receiver.received.filter(({ url }) => isHanging(url))).toHaveLength(1)
  await eventually(
    () => leasedOf(id),
    (count) => count === 1,
  )
})
