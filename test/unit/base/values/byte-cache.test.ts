import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CODINGS, chooseCoding, compress } from '../../../../src/base/compression/content-coding.ts'
import { createByteCache } from '../../../../src/base/values/byte-cache.ts'
import { createVerifiedTokens } from '../../../../src/identity/tokens/verify.ts'

test.each(CODINGS)('a page in %s keeps no more memory than its own', async (coding) => {
  const bytes = await compress(Buffer.from('a product of many '.repeat(100)), coding)
  expect(bytes.buffer.byteLength).toBe(bytes.length)
})

describe('the cache of pages', () => {
  test('forgets what was used least recently, when the bytes run out', () => {
    const cache = createByteCache<string>(6_000)
    for (const key of ['a', 'b', 'c']) cache.set(key, key, 700)
    expect(cache.entries()).toBe(3)
    cache.get('a')
    cache.set('d', 'd', 700)
    expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key))).toEqual(['a', undefined, 'c', 'd'])
  })

  test('keeps nothing that is larger than all of it, and nothing at all with 0 bytes', () => {
    const cache = createByteCache<string>(4_000)
    cache.set('a', 'a', 700)
    cache.set('large', 'large', 4_000)
    expect([cache.get('a'), cache.get('large')]).toEqual(['a', undefined])
    const none = createByteCache<string>(0)
    none.set('a', 'a', 0)
    expect([none.get('a'), none.bytes()]).toEqual([undefined, 0])
  })

  test('counts what an entry grows by, unless another value has taken its place', () => {
    const cache = createByteCache<object>(4_000)
    const [first, second] = [{}, {}]
    cache.set('a', first, 100)
    const before = cache.bytes()
    cache.grow('a', first, 50)
    expect(cache.bytes()).toBe(before + 50)
    cache.set('a', second, 100)
    cache.grow('a', first, 50)
    expect(cache.bytes()).toBe(before)
    cache.grow('a', second, 10_000)
    expect([cache.entries(), cache.bytes()]).toEqual([0, 0])
  })

  test('is never over its bound, whatever is done to it', () => {
    const step = fc.record({
      key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      bytes: fc.nat(3_000),
      what: fc.constantFrom('get', 'set', 'grow'),
    })
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const cache = createByteCache<number>(5_000)
        const last = new Map<string, number>()
        for (const [index, { key, bytes, what }] of steps.entries()) {
          if (what === 'set') {
            cache.set(key, index, bytes)
            last.set(key, index)
          } else if (what === 'grow') {
            cache.grow(key, last.get(key) ?? -1, bytes)
          } else {
            expect([undefined, last.get(key)]).toContain(cache.get(key))
          }
          expect(cache.bytes()).toBeLessThanOrEqual(5_000)
          expect(cache.bytes() === 0).toBe(cache.entries() === 0)
        }
      }),
    )
  })
})

test('verified tokens are bounded, and the first one goes first', () => {
  const tokens = createVerifiedTokens(2)
  const entry = { claims: {} as never, publicKey: '', kid: 'k' }
  tokens.set('a', entry)
  tokens.set('b', entry)
  tokens.set('c', entry)
  expect(['a', 'b', 'c'].map((hash) => tokens.get(hash) !== undefined)).toEqual([false, true, true])
})

test.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br;q=0, gzip;q=0', undefined],
  ['*', 'br'],
  ['*;q=0', undefined],
  ['br;q=0, *', 'gzip'],
  ['identity, br;q=0.5', undefined],
  ['zstd', undefined],
  ['br;q=nonsense', undefined],
])('Accept-Encoding %o is answered with %o', (header, coding) => {
  expect(chooseCoding(header)).toBe(coding)
})
