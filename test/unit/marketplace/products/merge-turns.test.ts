import { expect, test } from 'vitest'
import { createPlaces } from '../../../../src/base/concurrency/places.ts'
import { createMergeTurns } from '../../../../src/marketplace/products/import/merge-turns.ts'

test('places are so many for each key, and one given back twice is one', () => {
  const places = createPlaces<string>(2)
  const first = places.take('a')
  expect([first, places.take('a'), places.take('b')].map((one) => typeof one)).toEqual([
    'function',
    'function',
    'function',
  ])
  expect(places.take('a')).toBeUndefined()
  first?.()
  first?.()
  expect(places.take('a')).toBeDefined()
  expect(places.take('a')).toBeUndefined()
})

test('turns are taken in the order of asking, so many at once, whatever fails', async () => {
  const turns = createMergeTurns<object>()
  const key = {}
  const begun: number[] = []
  const works = Array.from({ length: 5 }, () => Promise.withResolvers<void>())
  const taken = works.map(({ promise }, index) =>
    turns
      .take(key, 2, () => {
        begun.push(index)
        return promise
      })
      .catch(() => {}),
  )
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  await settle()
  expect(begun).toEqual([0, 1])
  works[1]?.reject(new Error('broken'))
  await settle()
  expect(begun).toEqual([0, 1, 2])
  for (const { resolve } of works) resolve()
  await Promise.all(taken)
  expect(begun).toEqual([0, 1, 2, 3, 4])
})
