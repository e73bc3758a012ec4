import { expect, test } from 'vitest'
import { createPlaces } from '../../../../src/base/concurrency/places.ts'

test('each key has so many places; one that is given back can be taken again', () => {
  const places = createPlaces<string>(2)
  const [first, second] = [places.take('a'), places.take('a')]
  expect([typeof first, typeof second, places.take('a')]).toEqual([
    'function',
    'function',
    undefined,
  ])
  expect(places.take('b')).toBeTypeOf('function')
  first?.()
  expect(places.take('a')).toBeTypeOf('function')
  expect(places.take('a')).toBeUndefined()
})

test('a place that is given back twice frees no place of somebody else', () => {
  const places = createPlaces<string>(1)
  const former = places.take('a')
  former?.()
  expect(places.take('a')).toBeTypeOf('function')
  former?.()
  expect(places.take('a')).toBeUndefined()
})
