import { afterAll, beforeAll, expect, test } from 'vitest'
import { fanOut } from '../../../src/events/fan-out-worker.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { newEventReader } from '../../setup/events.ts'

let market: TestMarketplace

beforeAll(async () => {
  market = await startMarketplace()
})

afterAll(() => market.close())

test('very many events of one developer do not hold up those of another', async () => {
  const [many, few] = [await newEventReader(market), await newEventReader(market)]
  await many.write(await many.newApp(), 1_500)
  await few.write(await few.newApp(), 3)
  const numbered = (developerId: string) =>
    market.deps.db.event.count({ where: { developerId, position: { not: null } } })

  await fanOut(market.deps)
  expect(await numbered(many.developerId)).toBe(1_000)
  expect(await numbered(few.developerId)).toBe(3)

  await fanOut(market.deps)
  expect(await numbered(many.developerId)).toBe(1_500)
})
