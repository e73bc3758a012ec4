import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createDeliverer } from '../../../../src/marketplace/webhooks/delivery/deliverer-worker.ts'
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

/** What sends in a process, and begins with the turns that a test gives it: nothing else finds them. */
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
const untilTaken = (id: string, wanted: number) =>
  eventually(
    () => taken(id),
    (count) => count === wanted,
  )
const turnIsOver = (id: string) =>
  eventually(
    () => market.deps.db.webhookEndpoint.findUniqueOrThrow({ where: { id } }),
    ({ windowId }) => windowId === null,
  )

test('an ordered endpoint gets what waits of an installation, one after the other', async () => {
  const id = await endpointWith(3, { ordered: true })
  deliverer.sendTo([id])
  await untilTaken(id, 3)
})

test('very many deliveries are sent to their last one, turn after turn', async () => {
  receiver.answerWith((response) => setTimeout(() => response.writeHead(204).end(), 50))
  const id = await endpointWith(250)
  deliverer.sendTo([id])
  await untilTaken(id, 250)
})

test('when a request that went on after its turn is done, the endpoint gets another one', async () => {
  const held: (() => void)[] = []
  receiver.answerWith((response) => held.push(() => response.writeHead(204).end()))
  const id = await endpointWith(2)
  deliverer.sendTo([id])
  await receiver.until(1)
  await turnIsOver(id)
  receiver.answerWith((response) => response.writeHead(204).end())
  held.shift()?.()
  await untilTaken(id, 2)
})

test('a request that is under way when the process ends is no failure, and due for others at once', async () => {
  const ending = delivererOf()
  receiver.answerWith(() => {})
  const id = await endpointWith(1)
  ending.sendTo([id])
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
