import { expect, test } from 'vitest'
import { createTokenCache } from '../../client/src/tokens/token-cache.ts'

/** A cache with a clock that the test moves, and tokens `key-1`, `key-2`, ... of 100 seconds. */
function newCache({ max = 10 } = {}) {
  const state = { now: 0, minted: [] as string[], fail: false }
  const cache = createTokenCache({
    max,
    now: () => state.now,
    mint: async (key) => {
      if (state.fail) throw new Error('away')
      const token = `${key}-${state.minted.length + 1}`
      state.minted.push(token)
      return { token, expiresIn: 100 }
    },
  })
  const at = (seconds: number) => {
    state.now = seconds * 1000
  }
  return { ...cache, state, at }
}

test('a token is used until four fifths of its lifetime are over', async () => {
  const { source, at, state } = newCache()
  expect(await source('a').get()).toBe('a-1')
  at(79)
  expect(await source('a').get()).toBe('a-1')
  expect(state.minted).toEqual(['a-1'])
})

test('it is renewed then, while the current one is still used', async () => {
  const { source, at } = newCache()
  await source('a').get()
  at(80)
  expect(await source('a').get()).toBe('a-1')
  await expect.poll(() => source('a').get()).toBe('a-2')
})

test('the current one is used until it ends when the marketplace is away', async () => {
  const { source, at, state } = newCache()
  await source('a').get()
  state.fail = true
  at(99)
  expect(await source('a').get()).toBe('a-1')
  at(100)
  await expect(source('a').get()).rejects.toThrow('away')
})

test('any number of calls at once make one token', async () => {
  const { source, state } = newCache()
  const tokens = await Promise.all(Array.from({ length: 100 }, () => source('a').get()))
  expect(new Set(tokens)).toEqual(new Set(['a-1']))
  expect(state.minted).toEqual(['a-1'])
})

test('a refused token is forgotten, but never its successor', async () => {
  const { source } = newCache()
  const one = source('a')
  const first = await one.get()
  one.refused(first)
  const second = await one.get()
  expect(second).toBe('a-2')
  one.refused(first)
  expect(await one.get()).toBe('a-2')
})

test('of too many tokens the least recently used one is dropped', async () => {
  const { source, state } = newCache({ max: 2 })
  await source('a').get()
  await source('b').get()
  await source('a').get()
  await source('c').get()
  expect(await source('a').get()).toBe('a-1')
  await source('b').get()
  expect(state.minted).toEqual(['a-1', 'b-2', 'c-3', 'b-4'])
})

test.each(['', '<p>Another server</p>', null, {}, { token: 'a' }])(
  'a response that has no token, but %j, is unexpected and is not kept',
  async (body) => {
    let minted: unknown = body
    const mint = async () => minted as { token: string; expiresIn: number }
    const source = createTokenCache({ max: 1, now: () => 0, mint }).source('a')
    await expect(source.get()).rejects.toMatchObject({
      code: 'unexpected_response',
      message: 'The response has no token.',
    })
    minted = { token: 'b', expiresIn: 100 }
    expect(await source.get()).toBe('b')
  },
)
