import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createDeliverer } from '../../../../src/marketplace/webhooks/delivery/deliverer-worker.ts'
import { openWindow } from '../../../../src/marketplace/webhooks/delivery/sending-window-service.ts'
import { createAgents } from '../../../../src/marketplace/webhooks/sending/agents.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import {
  addEndpoint,
  deliveriesOf,
  eventually,
  removeEndpoints,
  switchOften,
  twoInstallations,
} from '../../../setup/deliveries.ts'
import { fanOutAll } from '../../../setup/fan-out.ts'
import { holdRows, untilWaiting } from '../../../setup/turns.ts'
import { type Receiver, startReceiver } from '../../../setup/webhook-receiver.ts'

let market: TestMarketplace
let receiver: Receiver
let deliverer: ReturnType<typeof createDeliverer>
beforeAll(async () => {
  receiver = await startReceiver()
  const allowedHosts = new Set([receiver.host])
  market = await startMarketplace({ config: { webhookAllowedPrivateHosts: allowedHosts } })
  deliverer = delivererOf()
})
afterEach(async () => {
  await removeEndpoints(market)
  receiver.startAfresh()
})
afterAll(async () => {
  await deliverer.stop(0)
  await market.close()
  await receiver.close()
})

/** What sends in a process, and takes only the turns that a test gives it. */
function delivererOf() {
  const allowedHosts = new Set([receiver.host])
  return createDeliverer({ ...market.deps, agents: createAgents(), allowedHosts, random: () => 0 })
}

/** An endpoint with deliveries that are due. */
async function endpointWith(count: number, { ordered = false } = {}): Promise<string> {
  const { id } = await addEndpoint(market, { url: receiver.url, ordered })
  const [installationId] = twoInstallations(market)
  const { developerId, appId } = await market.deps.db.webhookEndpoint.findUniqueOrThrow({
    where: { id },
  })
  if (count > 10) {
    await market.deps.pool.query(
      `INSERT INTO events (developer_id, app_id, type)
       SELECT $1, $2, 'app.listed' FROM generate_series(1, $3::int)`,
      [developerId, appId, count],
    )
  } else await switchOften(market, installationId, count)
  await fanOutAll(market.deps, developerId)
  return id
}
const taken = async (id: string) =>
  (await deliveriesOf(market, id)).filter(({ status }) => status === 'succeeded').length
/** Takes the turns of an endpoint that were asked for, as the worker of the jobs does. */
async function takeAskedTurns(id: string): Promise<number> {
  const { rowCount } = await market.deps.pool.query(
    `DELETE FROM pgboss.job
     WHERE name = 'endpoint-window' AND state = 'created' AND data ->> 'endpointId' = $1`,
    [id],
  )
  if (rowCount) await deliverer.sendTo([id])
  return rowCount ?? 0
}
/** Waits until so many deliveries were taken, and takes the turns that are asked for meanwhile. */
const untilTaken = (id: string, wanted: number) =>
  eventually(
    async () => {
      await takeAskedTurns(id)
      return taken(id)
    },
    (count) => count === wanted,
  )
const turnIsOver = (id: string) =>
  eventually(
    () => market.deps.db.webhookEndpoint.findUniqueOrThrow({ where: { id } }),
    ({ windowId }) => windowId === null,
  )

test('an ordered endpoint gets what waits of an installation, one after the other', async () => {
  const id = await endpointWith(3, { ordered: true })
  await deliverer.sendTo([id])
  await untilTaken(id, 3)
})

test('very many deliveries are sent to their last one, turn after turn, as each asks for the next', async () => {
  receiver.answerWith((response) => setTimeout(() => response.writeHead(204).end(), 50))
  const id = await endpointWith(250)
  await deliverer.sendTo([id])
  await untilTaken(id, 250)
})

test('a turn that others wanted meanwhile asks for another one', async () => {
  const id = await endpointWith(1)
  const sql = 'SELECT 1 FROM webhook_deliveries WHERE endpoint_id = $1::uuid FOR UPDATE'
  const row = await holdRows(market, sql, [id])
  await takeAskedTurns(id)
  await deliverer.sendTo([id])
  // The turn ends when the success is recorded, which the held row keeps it from.
  await untilWaiting(market, 1)
  expect(await openWindow(market.deps, id)).toBeUndefined()
  await row.release()
  await turnIsOver(id)
  await eventually(
    () => takeAskedTurns(id),
    (count) => count === 1,
  )
})

test('a request that goes on after its turn asks for another one when it is done', async () => {
  const held: (() => void)[] = []
  receiver.answerWith((response) => held.push(() => response.writeHead(204).end()))
  const id = await endpointWith(2)
  await deliverer.sendTo([id])
  await receiver.until(1)
  await turnIsOver(id)
  await takeAskedTurns(id)
  receiver.answerWith((response) => response.writeHead(204).end())
  held.shift()?.()
  await untilTaken(id, 2)
})

test('a request that is under way when the process ends is no failure, and due for others at once', async () => {
  const ending = delivererOf()
  receiver.answerWith(() => {})
  const id = await endpointWith(1)
  await ending.sendTo([id])
  await receiver.until(1)
  await turnIsOver(id)
  expect(await deliveriesOf(market, id)).toMatchObject([{ lease: expect.any(String) }])
  await ending.stop(0)
  expect(await deliveriesOf(market, id)).toMatchObject([
    { status: 'pending', attempts: 0, lease: null, leaseUntil: null, log: [] },
  ])
  expect(await market.deps.db.webhookEndpoint.findUniqueOrThrow({ where: { id } })).toMatchObject({
    failures: 0,
    failingSince: null,
    lastFailureAt: null,
  })
})
