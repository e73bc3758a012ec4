import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  listRecentEvents,
  readEventJson,
} from '../../../../src/marketplace/events/recent-events-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { newEventReader } from '../../../setup/events.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

const PAGE = { after: undefined, limit: 10 }

test('the event at a position is that of the developer who asks', async () => {
  const one = await newEventReader(market)
  const other = await newEventReader(market)
  const apps = new Map<string, string>()
  for (const reader of [one, other]) {
    const appId = await reader.newApp()
    apps.set(reader.developerId, appId)
    await reader.write(appId, 1)
    await reader.number()
  }
  for (const { developerId } of [one, other]) {
    const text = await readEventJson(market.deps, developerId, 1)
    expect(JSON.parse(text ?? '').data.appId).toBe(apps.get(developerId))
    const { entries } = await listRecentEvents(market.deps, developerId, {}, PAGE)
    expect(entries.map(({ data }) => data.appId)).toEqual([apps.get(developerId)])
    expect(await readEventJson(market.deps, developerId, 2)).toBeUndefined()
  }
})

test('an event is listed once it has its position', async () => {
  const reader = await newEventReader(market)
  await reader.write(await reader.newApp(), 1)
  const list = () => listRecentEvents(market.deps, reader.developerId, {}, PAGE)
  expect((await list()).entries).toEqual([])
  await reader.number()
  expect((await list()).entries).toMatchObject([{ position: 1, type: 'app.listed' }])
})
