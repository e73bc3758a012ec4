import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Author, author } from '../../../setup/apps.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { heldRows } from '../../../setup/turns.ts'
import { appWithWebhooks, layOut } from '../../../setup/webhooks.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

/** An app with an endpoint that its events wait for. */
async function appWithWaiting(developer: Author) {
  const app = await appWithWebhooks(developer)
  const { id } = (await app.create()).body
  await developer.unlist(app.appId)
  await developer.list(app.appId)
  await layOut(market, app.appId)
  const since = new Date(market.deps.now().getTime() - 3_600_000).toISOString()
  return { id, recover: () => app.send('POST', `/${id}/Recover`, { since }) }
}

test('a developer recovers one endpoint at a time, of whatever app; others are not held up', async () => {
  const [developer, other] = [await author(market, 0), await author(market, 1)]
  const first = await appWithWaiting(developer)
  const second = await appWithWaiting(developer)
  const ofOther = await appWithWaiting(other)
  const { hold, waiting, letGo } = heldRows(() => market)
  const waits = 'SELECT 1 FROM webhook_deliveries WHERE endpoint_id = $1::uuid FOR UPDATE'
  await market.deps.db.webhookDelivery.updateMany({ data: { dueAt: new Date(Date.now() + 9e6) } })
  await hold(waits, first.id)
  try {
    const recovering = first.recover()
    await waiting(1)
    for (const one of [first, second]) {
      const refused = await one.recover()
      expectProblem(refused, 'too_many_requests')
      expect(refused.headers.get('retry-after')).toBe('5')
    }
    expect((await ofOther.recover()).status).toBe(202)
    await letGo()
    expect((await recovering).status).toBe(202)
  } finally {
    await letGo()
  }
  expect((await second.recover()).body).toEqual({ deliveries: 3, complete: true })
})
