import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Author, author } from '../../../setup/apps.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { holdRows, untilWaiting } from '../../../setup/turns.ts'
import { appWithWebhooks, layOut, setDelivery, storedDeliveries } from '../../../setup/webhooks.ts'

let market: TestMarketplace
let developer: Author
beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
})
afterAll(() => market.close())

let app: Awaited<ReturnType<typeof appWithWebhooks>>
let id: string
/** The endpoint has deliveries of `app.listed`, `app.unlisted` and `app.listed`, all failed. */
beforeEach(async () => {
  app = await appWithWebhooks(developer)
  id = (await app.create()).body.id
  await developer.unlist(app.appId)
  await developer.list(app.appId)
  await layOut(market, app.appId)
  for (const one of await stored()) await setDelivery(market, one.id, { status: 'failed' })
})

const stored = () => storedDeliveries(market, id)
const TURN = '0b7b2f52-9a0e-4f0e-8a49-6f0d2f3c9e10'
const soon = () => new Date(Date.now() + 3_600_000)
const recover = () => {
  const since = new Date(market.deps.now().getTime() - 3_600_000).toISOString()
  return app.send('POST', `/${id}/Recover`, { since })
}

test.each([
  [
    'after a turn of its endpoint',
    (deliveryId: string) =>
      market.deps.db.webhookDelivery.update({
        where: { id: deliveryId },
        data: { lease: TURN, leaseUntil: soon() },
      }),
  ],
  [
    'in a turn of its endpoint',
    async (deliveryId: string) => {
      await setDelivery(market, deliveryId, { status: 'pending' })
      await market.deps.db.webhookEndpoint.update({
        where: { id },
        data: { turn: TURN, turnUntil: soon() },
      })
    },
  ],
])(
  'the replay of a delivery that is being sent %s is refused without its lock',
  async (_, send) => {
    const [delivery] = await stored()
    const deliveryId = delivery?.id ?? ''
    await send(deliveryId)
    const sql = 'SELECT 1 FROM webhook_deliveries WHERE id = $1::uuid FOR UPDATE'
    const held = await holdRows(market, sql, [deliveryId])
    try {
      expectProblem(await app.send('POST', `/${id}/Deliveries/${deliveryId}/Replay`), 'conflict')
    } finally {
      await held.release()
    }
  },
)

/** What a replay answers that begins before something else happens to its delivery. */
async function replayDuring(change: (deliveryId: string) => Promise<unknown>) {
  const [delivery] = await stored()
  const deliveryId = delivery?.id ?? ''
  const sql = 'SELECT 1 FROM webhook_deliveries WHERE id = $1::uuid FOR UPDATE'
  const held = await holdRows(market, sql, [deliveryId])
  try {
    const answer = app.send('POST', `/${id}/Deliveries/${deliveryId}/Replay`)
    await untilWaiting(market, 1)
    await change(deliveryId)
    await held.release()
    return await answer
  } finally {
    await held.release()
  }
}

test('a replay whose endpoint is disabled meanwhile is refused, and leaves nothing waiting', async () => {
  const disable = () => app.send('POST', `/${id}/Disable`)
  expectProblem(await replayDuring(disable), 'conflict')
  expect((await stored()).map(({ status }) => status)).toEqual(['failed', 'failed', 'failed'])
})

test('a replay whose delivery is being sent by the time that it has its turn is refused', async () => {
  const openWindow = async () => {
    const data = { turn: TURN, turnUntil: soon() }
    await market.deps.db.webhookEndpoint.update({ where: { id }, data })
  }
  const [delivery] = await stored()
  await setDelivery(market, delivery?.id ?? '', { status: 'pending' })
  expectProblem(await replayDuring(openWindow), 'conflict')
})

/** What Recover answers when a row that it waits for is gone in the end. */
async function recoverDuringDeletion(sql: string, value: string) {
  const held = await holdRows(market, sql, [value])
  try {
    const answer = recover()
    await untilWaiting(market, 1)
    await held.release()
    return await answer
  } finally {
    await held.release()
  }
}

test('recovering an endpoint that is deleted at that moment answers that there is none', async () => {
  const sql = 'DELETE FROM webhook_endpoints WHERE id = $1::uuid'
  expectProblem(await recoverDuringDeletion(sql, id), 'not_found')
  expect(await stored()).toEqual([])
})

test('recovering sends the other events when one is removed at that moment', async () => {
  const [first, ...others] = await stored()
  const sql = 'DELETE FROM events WHERE id = $1::uuid'
  const answer = await recoverDuringDeletion(sql, first?.eventId ?? '')
  expect(answer.status, answer.text).toBe(202)
  expect(answer.body).toEqual({ deliveries: others.length, complete: true })
  const due = others.map((one) => ({ id: one.id, status: 'pending' }))
  expect(await stored()).toMatchObject(due)
})
