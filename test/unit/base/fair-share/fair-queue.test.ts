import { expect, test } from 'vitest'
import { createFairQueue } from '../../../../src/base/fair-share/fair-queue.ts'

/** A queue of things whose name begins with the letter of their caller. */
function queueOf(...names: string[]) {
  const queue = createFairQueue<string, { name: string }>()
  const add = (name: string) => {
    const item = { name }
    queue.add(name.charAt(0), item)
    return item
  }
  const items = new Map(names.map((name) => [name, add(name)]))
  return {
    queue,
    add,
    leave: (name: string) => queue.leave(name.charAt(0), items.get(name) as { name: string }),
    take: (count: number) => Array.from({ length: count }, () => queue.next()?.name),
  }
}

test('callers take turns, and what one adds keeps its order', () => {
  const { queue, take } = queueOf('a1', 'a2', 'a3', 'b1', 'c1', 'b2')
  expect(queue.size()).toBe(6)
  expect(take(7)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined])
  expect(queue.size()).toBe(0)
})

test('a newcomer waits for one turn of each other caller, however much they have added', () => {
  const { add, take } = queueOf(...Array.from({ length: 200 }, (_, index) => `a${index}`))
  expect(take(2)).toEqual(['a0', 'a1'])
  add('b1')
  expect(take(3)).toEqual(['a2', 'b1', 'a3'])
})

test('a caller that always comes again takes no more than every other turn', () => {
  const { add, take } = queueOf('a1', 'a2', 'a3')
  const taken: unknown[] = []
  for (let turn = 0; turn < 3; turn++) {
    add('b')
    taken.push(...take(2))
  }
  expect(taken).toEqual(['a1', 'b', 'a2', 'b', 'a3', 'b'])
})

test('a single caller has all turns', () => {
  expect(queueOf('a1', 'a2', 'a3').take(4)).toEqual(['a1', 'a2', 'a3', undefined])
})

test('what has left has no turn, and a caller whose last one left has none either', () => {
  const { queue, leave, take } = queueOf('a1', 'a2', 'b1', 'c1')
  leave('a1')
  leave('b1')
  expect(queue.size()).toBe(2)
  expect(take(3)).toEqual(['a2', 'c1', undefined])
})

test('to leave after its turn, or twice, changes nothing', () => {
  const { queue, leave, take } = queueOf('a1', 'a2', 'b1')
  expect(take(1)).toEqual(['a1'])
  leave('a1')
  leave('b1')
  leave('b1')
  expect(queue.size()).toBe(1)
  expect(take(2)).toEqual(['a2', undefined])
})

test('a caller that may have nothing now is passed over, and keeps its turn', () => {
  const { queue, take } = queueOf('a1', 'a2', 'b1')
  expect(queue.next((caller) => caller !== 'a')?.name).toBe('b1')
  expect(queue.next((caller) => caller !== 'a')).toBeUndefined()
  expect(take(2)).toEqual(['a1', 'a2'])
})
