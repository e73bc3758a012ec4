import { afterAll, beforeAll, expect, test } from 'vitest'
import { findDueEndpoints } from '../../../../src/marketplace/webhooks/delivery/due-endpoints-service.ts'
import { recordFailure } from '../../../../src/marketplace/webhooks/delivery/record-attempt-service.ts'
import {
  readDue,
  type SendingWindow,
} from '../../../../src/marketplace/webhooks/delivery/sending-window-service.ts'
import { failPending } from '../../../../src/marketplace/webhooks/endpoints/delivery-batches-service.ts'
import { tidyEndpoints } from '../../../../src/marketplace/webhooks/endpoints/tidy-endpoints-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { author, draft, newId } from '../../../setup/apps.ts'
import { listedApp } from '../../../setup/customer.ts'
import {
  addEndpoint,
  deliveriesOf,
  switchOften,
  twoInstallations,
} from '../../../setup/deliveries.ts'
import { fanOutAll } from '../../../setup/fan-out.ts'
import { RECEIVER } from '../../../setup/webhooks.ts'

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

test('what waits for an endpoint that was enabled meanwhile goes on waiting', async () => {
  const { db } = market.deps
  const { id } = await addEndpoint(market, { url: RECEIVER })
  await switchOften(market, twoInstallations(market)[0], 1)
  const { developerId } = await db.webhookEndpoint.findUniqueOrThrow({ where: { id } })
  await fanOutAll(market.deps, developerId)
  await failPending(market.deps, id)
  expect((await deliveriesOf(market, id)).map(({ status }) => status)).toEqual(['pending'])
})

test('an endpoint rests while the proxy is down, unless it had a success just now', async () => {
  const { db, now } = market.deps
  const { id } = await addEndpoint(market, { url: RECEIVER })
  const where = { id }
  await switchOften(market, twoInstallations(market)[0], 3)
  const { developerId } = await db.webhookEndpoint.findUniqueOrThrow({ where })
  await fanOutAll(market.deps, developerId)
  const due = await readDue(market.deps, { endpointId: id } as SendingWindow, {
    most: 3,
    except: [],
  })
  const restsAfter = async (index: number) => {
    const delivery = due[index] ?? expect.unreachable('too few are due')
    const result = { outcome: 'proxy_failed', durationMs: 1 } as const
    const attempted = { delivery, url: RECEIVER, startedAt: now(), result }
    await recordFailure({ ...market.deps, random: () => 0 }, attempted)
    return !(await findDueEndpoints(market.deps)).includes(id)
  }
  await db.webhookEndpoint.update({ where, data: { lastSuccessAt: now() } })
  expect(await restsAfter(0)).toBe(false)
  market.advance(31)
  expect(await restsAfter(1)).toBe(true)
  expect(await db.webhookEndpoint.findUniqueOrThrow({ where })).toMatchObject({
    ...{ failures: 0, failingSince: null },
  })
  market.advance(31)
  expect(await findDueEndpoints(market.deps)).toContain(id)
})

test('a look for what is due finds up to 64 endpoints of each developer, others each time', async () => {
  const { db, pool } = market.deps
  const { id } = await addEndpoint(market, { url: RECEIVER })
  await switchOften(market, twoInstallations(market)[0], 1)
  const { developerId } = await db.webhookEndpoint.findUniqueOrThrow({ where: { id } })
  await fanOutAll(market.deps, developerId)
  const developer = await author(market)
  const full = await Promise.all(
    Array.from({ length: 5 }, () => listedApp(developer, draft(newId()))),
  )
  const other = await listedApp(await author(market, 1), draft(newId()))
  await pool.query(
    `WITH made AS (
       INSERT INTO webhook_endpoints
         (app_id, developer_id, slot, url, secret, event_types, header_names)
       SELECT a.id, a.developer_id, n, url, secret, event_types, header_names
       FROM webhook_endpoints w, apps a, generate_series(1, 16) n
       WHERE w.id = $1 AND a.id = ANY ($2)
       RETURNING id
     )
     INSERT INTO webhook_deliveries
       (endpoint_id, event_id, position, installation_id, type, due_at, created_at)
     SELECT made.id, event_id, position, installation_id, type, due_at, created_at
     FROM webhook_deliveries, made WHERE endpoint_id = $1`,
    [id, [...full, other].map((app) => app.id)],
  )
  const found = async () => {
    const all = await db.webhookEndpoint.findMany({
      where: { id: { in: await findDueEndpoints(market.deps) } },
      orderBy: { id: 'asc' },
    })
    return {
      ofOne: all.filter((one) => one.developerId === developerId).map((one) => one.id),
      ofOther: all.filter((one) => one.appId === other.id).map((one) => one.id),
    }
  }
  const first = await found()
  expect([first.ofOne.length, first.ofOther.length]).toEqual([64, 16])
  // There are 80: that chance finds the same 64 again is out of the question.
  expect((await found()).ofOne).not.toEqual(first.ofOne)
})

test('a secret that no longer signs is deleted, one that still signs is kept', async () => {
  const { db, now } = market.deps
  const { id } = await addEndpoint(market, { url: RECEIVER })
  const previousSecretUntil = new Date(now().getTime() + 60_000)
  const previousSecret = Buffer.from('sealed')
  const previousSecretSha256 = Buffer.alloc(32, id)
  const data = { previousSecret, previousSecretSha256, previousSecretUntil }
  await db.webhookEndpoint.update({ where: { id }, data })
  const kept = async () => {
    const stored = await db.webhookEndpoint.findUniqueOrThrow({ where: { id } })
    expect(stored.previousSecretSha256 === null).toBe(stored.previousSecret === null)
    return stored.previousSecret !== null
  }
  await tidyEndpoints(market.deps)
  expect(await kept()).toBe(true)
  market.advance(61)
  await tidyEndpoints(market.deps)
  expect(await kept()).toBe(false)
})
