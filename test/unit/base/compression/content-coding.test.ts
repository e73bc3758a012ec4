import { randomBytes } from 'node:crypto'
import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compress } from '../../../../src/base/compression/content-coding.ts'
import { deadlineIn, withDeadline } from '../../../../src/base/fair-share/deadline.ts'
import { LONG_CHARACTERS } from '../../../../src/base/fair-share/next-tick.ts'

const LONG = randomBytes(LONG_CHARACTERS + 1)

test('of long bodies few are compressed at once, and callers take turns', async () => {
  const order: string[] = []
  const one = (caller: string) =>
    withDeadline(deadlineIn(60_000, { caller }), async () => {
      expect(brotliDecompressSync(await compress(LONG, 'br'))).toEqual(LONG)
      order.push(caller)
    })
  await Promise.all([...Array.from({ length: 20 }, () => one('many')), one('few')])
  // Behind the one to three that began at once, and one more of the other caller.
  expect(order.indexOf('few')).toBeLessThan(10)
})

test('a long body that nobody wants any more by its turn is not compressed', async () => {
  const first = compress(LONG, 'gzip')
  const second = compress(LONG, 'gzip', () => false)
  await expect(second).rejects.toThrow('wanted no longer')
  await first
})
