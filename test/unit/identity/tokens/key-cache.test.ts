import { expect, test } from 'vitest'
import { createKeyCache } from '../../../../src/identity/tokens/key-cache.ts'

test.each([
  ['are not read again within 30 seconds', 30, 1],
  ['are read again after 30 seconds', 31, 2],
  ['are read again when the clock was set back by more', -31, 2],
])('keys %s', async (_rule, seconds, reads) => {
  let nowMs = 1_800_000_000_000
  let count = 0
  const cache = await createKeyCache(
    async () => {
      count += 1
      return [count]
    },
    () => new Date(nowMs),
  )
  nowMs += seconds * 1000
  expect([await cache.fresh(), count]).toEqual([[reads], reads])
})
