import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type FeedPlace,
  feedOf,
  positionOf,
} from '../../../../src/marketplace/products/feed/feed.ts'

const revision = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n })
const place: fc.Arbitrary<FeedPlace> = fc.oneof(
  fc.record({ revision }),
  fc.record({ revision, id: revision }),
  fc.record({ revision, id: revision, begun: revision }),
)

test('a position comes back from its cursor', () => {
  const sellers = fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 2_147_483_647 }), place), {
    selector: ([seller]) => seller,
  })
  fc.assert(
    fc.property(sellers, (entries) => {
      const feed = new Map(entries.sort(([a], [b]) => a - b))
      expect(feedOf(positionOf(feed))).toEqual(feed)
    }),
  )
})

test('a position takes few characters, so that a Buyer may follow many Sellers', () => {
  const feed = new Map(
    Array.from({ length: 1500 }, (_, n) => [(n + 1) * 3, { revision: 1000n + BigInt(n) }]),
  )
  expect(JSON.stringify(positionOf(feed)).length).toBeLessThan(9000)
})
