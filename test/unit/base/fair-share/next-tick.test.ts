import { expect, test } from 'vitest'
import {
  type Deadline,
  deadlineIn,
  withDeadline,
} from '../../../../src/base/fair-share/deadline.ts'
import { nextTick, TICKS_BETWEEN } from '../../../../src/base/fair-share/next-tick.ts'

test('of much long work one piece is done in a turn of the event loop, and none in the turns after it', async () => {
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
      await nextTick()
      turns.push(turn)
    }
  }
  await Promise.all([work(), work(), work(), work()])
  isCounting = false
  expect(turns).toHaveLength(12)
  const between = turns.slice(1).map((one, index) => one - (turns[index] as number) - 1)
  expect(Math.min(...between)).toBeGreaterThanOrEqual(TICKS_BETWEEN)
})

test('callers take turns: one with much long work makes only itself wait', async () => {
  const order: string[] = []
  const piece = (caller: string) =>
    withDeadline(deadlineIn(60_000, { caller }), async () => {
      await nextTick()
      order.push(caller)
    })
  await Promise.all([...Array.from({ length: 20 }, () => piece('many')), piece('few')])
  expect(order.indexOf('few')).toBe(1)
})

test('work whose client has hung up has no turn: it ends, and those behind it are not kept waiting', async () => {
  let isOver = false
  const gone = {
    atMs: Number.POSITIVE_INFINITY,
    caller: 'a',
    get isOver() {
      return isOver
    },
  }
  const ends: string[] = []
  const piece = (name: string, deadline: Deadline) =>
    withDeadline(deadline, () =>
      nextTick().then(
        () => ends.push(name),
        ({ code }) => ends.push(`${name} ${code}`),
      ),
    )
  const all = [piece('first', gone), piece('second', gone), piece('third', gone)]
  const other = piece('other', deadlineIn(60_000, { caller: 'a' }))
  isOver = true
  await Promise.all([...all, other])
  const refused = ['first', 'second', 'third'].map((name) => `${name} ERR_STREAM_PREMATURE_CLOSE`)
  expect(ends.sort()).toEqual([...refused, 'other'].sort())
})
