import { expect, test } from 'vitest'
import { createTurns } from '../../../../src/base/concurrency/turns.ts'

test('so many pieces of work are done at once, and one that fails gives its turn to the next', async () => {
  const inTurn = createTurns(2)
  const begun: number[] = []
  const pieces = Array.from({ length: 5 }, () => Promise.withResolvers<number>())
  const works = pieces.map(({ promise }, index) =>
    inTurn(() => {
      begun.push(index)
      return promise
    }),
  )
  expect(begun).toEqual([0, 1])
  pieces[1]?.reject(new Error('it fails'))
  await expect(works[1]).rejects.toThrow('it fails')
  await expect.poll(() => begun).toEqual([0, 1, 2])
  for (const [index, { resolve }] of pieces.entries()) resolve(index)
  const results = await Promise.allSettled(works)
  expect(results.map(({ status }) => status === 'fulfilled')).toEqual([
    true,
    false,
    true,
    true,
    true,
  ])
  expect(begun).toEqual([0, 1, 2, 3, 4])
})
