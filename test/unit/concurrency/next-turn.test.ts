import { expect, test } from 'vitest'
import { nextTurn } from '../../../src/concurrency/next-turn.ts'

test('of much long work one piece is done in each turn of the event loop', async () => {
  let turn = 0
  let isCounting = true
  const count = () => {
    turn += 1
    if (isCounting) setImmediate(count)
  }
  setImmediate(count)
  const turns: number[] = []
  const work = async () => {
    for (let piece = 0; piece < 3; piece++) {
      await nextTurn()
      turns.push(turn)
    }
  }
  await Promise.all([work(), work(), work(), work()])
  isCounting = false
  expect(turns).toHaveLength(12)
  expect(new Set(turns).size).toBe(12)
})
