import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ReplicatedMarket, startReplicatedMarket } from '../setup/replicated-market.ts'

const ROUNDS = 100
const LONGEST_MS = 10_000
let market: ReplicatedMarket
beforeAll(async () => {
  market = await startReplicatedMarket()
})
afterAll(() => market.close())

test('a replica that has caught up is asked for pages, which equal those of the primary', async () => {
  await market.write(1)
  await market.replication.caughtUp()
  const before = market.replication.pagesAsked()
  // Where a page takes the copy too long, the primary is asked for a while.
  await expect
    .poll(async () => {
      expect(await market.stockShown()).toBe(1)
      return market.replication.pagesAsked()
    })
    .toBeGreaterThanOrEqual(before + 10)
  expect(await market.stockExported()).toBe(1)
})

describe('a page and an export after a write are never stale, with a replica behind by', () => {
  test.each([0, 200, 5_000])('%i ms', async (delayMs) => {
    await market.replication.delay(delayMs)
    let stale = 0
    for (let round = 1; round <= ROUNDS; round++) {
      const inStock = delayMs + round
      await market.write(inStock)
      if ((await market.stockShown()) !== inStock) stale += 1
      if (round % 5 === 0 && (await market.stockExported()) !== inStock) stale += 1
    }
    expect(stale).toBe(0)
    await market.replication.delay(0)
    await market.replication.caughtUp()
  })
})

async function answersInTime(count: number, inStock: number): Promise<void> {
  for (let round = 0; round < count; round++) {
    const startedAt = performance.now()
    expect(await market.stockShown()).toBe(inStock)
    expect(await market.stockExported()).toBe(inStock)
    expect(performance.now() - startedAt).toBeLessThan(LONGEST_MS)
  }
}

test('without the replica the primary is asked, and the replica again when it is back', async () => {
  await market.write(7)
  await market.replication.stopReplica()
  await answersInTime(20, 7)
  await market.replication.startReplica()
  await market.replication.caughtUp()
  const before = market.replication.pagesAsked()
  await expect
    .poll(async () => {
      expect(await market.stockShown()).toBe(7)
      return market.replication.pagesAsked()
    })
    .toBeGreaterThan(before)
})

test('a frozen replica delays no request for long', async () => {
  await market.write(8)
  await market.replication.caughtUp()
  market.replication.freeze('SIGSTOP')
  try {
    await Promise.all(Array.from({ length: 4 }, () => answersInTime(5, 8)))
  } finally {
    market.replication.freeze('SIGCONT')
  }
})
