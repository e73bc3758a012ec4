import { setImmediate as nextTick } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createBatch } from '../../../../src/base/concurrency/batch.ts'
import {
  currentDeadline,
  deadlineIn,
  withDeadline,
} from '../../../../src/base/fair-share/deadline.ts'

/** A batch whose loads are ended by the test, in the order in which they began. */
function heldBatch(limits: Parameters<typeof createBatch>[1] = {}) {
  const loads: { keys: readonly number[]; end: () => void }[] = []
  const ask = createBatch<number, number>((keys) => {
    const { promise, resolve } = Promise.withResolvers<number[]>()
    loads.push({ keys, end: () => resolve(keys.map((key) => key * 10)) })
    return promise
  }, limits)
  /** A load begins in the next turn of the event loop but one. */
  const begun = async (count: number) => {
    for (let turn = 0; turn < 4; turn++) await nextTick()
    expect(loads).toHaveLength(count)
  }
  return { ask, loads, begun }
}

/** Time goes on only when a test says so. */
function stopClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
}

const unavailable = { code: 'unavailable', options: { retryAfterSeconds: 2 } }

describe('a call of a batch', () => {
  test('shares a load with those that come with it, and waits while two are under way', async () => {
    const { ask, loads, begun } = heldBatch()
    const first = [ask(1), ask(2)]
    await begun(1)
    const second = ask(3)
    await begun(2)
    const third = [ask(4), ask(5)]
    loads[0]?.end()
    expect(await Promise.all(first)).toEqual([10, 20])
    await begun(3)
    expect(loads.map(({ keys }) => keys)).toEqual([[1, 2], [3], [4, 5]])
    for (const { end } of loads) end()
    expect(await Promise.all([second, ...third])).toEqual([30, 40, 50])
  })

  test('shares a load with no more than a given number, and the rest waits', async () => {
    const { ask, loads, begun } = heldBatch({ batchLimit: 2, parallel: 1 })
    const calls = [ask(1), ask(2), ask(3)]
    await begun(1)
    loads[0]?.end()
    await begun(2)
    loads[1]?.end()
    expect(await Promise.all(calls)).toEqual([10, 20, 30])
    expect(loads.map(({ keys }) => keys)).toEqual([[1, 2], [3]])
  })

  test('shares a load with those of a given time, and with one load at a time waits for it', async () => {
    stopClock()
    const { ask, loads, begun } = heldBatch({ gatherMs: 10, parallel: 1 })
    const first = [ask(1)]
    vi.advanceTimersByTime(9)
    first.push(ask(2))
    await begun(0)
    vi.advanceTimersByTime(1)
    await begun(1)
    const second = ask(3)
    vi.advanceTimersByTime(10)
    await begun(1)
    loads[0]?.end()
    expect(await Promise.all(first)).toEqual([10, 20])
    vi.advanceTimersByTime(10)
    await begun(2)
    loads[1]?.end()
    expect(await second).toBe(30)
    expect(loads.map(({ keys }) => keys)).toEqual([[1, 2], [3]])
  })

  test('is unavailable when its load takes too long, and later ones go on', async () => {
    stopClock()
    const { ask, loads, begun } = heldBatch({ patienceMs: 100 })
    const late = expect(ask(1)).rejects.toMatchObject(unavailable)
    await begun(1)
    vi.advanceTimersByTime(100)
    await late
    const next = ask(2)
    await begun(2)
    loads[1]?.end()
    expect(await next).toBe(20)
  })

  test('is unavailable when no load begins in time', async () => {
    stopClock()
    const { ask, loads, begun } = heldBatch({ patienceMs: 100 })
    const held = [ask(1).catch(() => 'late')]
    await begun(1)
    held.push(ask(2).catch(() => 'late'))
    await begun(2)
    const late = expect(ask(3)).rejects.toMatchObject(unavailable)
    vi.advanceTimersByTime(100)
    await late
    expect(await Promise.all(held)).toEqual(['late', 'late'])
    for (const { end } of loads) end()
    const next = ask(4)
    await begun(3)
    expect(loads[2]?.keys).toEqual([4])
    loads[2]?.end()
    expect(await next).toBe(40)
  })

  test('is refused at once when too many wait', async () => {
    const { ask, loads, begun } = heldBatch({ waitingMax: 2 })
    const held = [ask(1)]
    await begun(1)
    held.push(ask(2))
    await begun(2)
    held.push(ask(3), ask(4))
    await expect(ask(5)).rejects.toMatchObject(unavailable)
    loads[0]?.end()
    await begun(3)
    for (const { end } of loads) end()
    expect(await Promise.all(held)).toEqual([10, 20, 30, 40])
  })

  test('waits no longer than the deadline of its request', async () => {
    const { ask } = heldBatch({ patienceMs: 60_000 })
    await expect(withDeadline(deadlineIn(-1), () => ask(1))).rejects.toMatchObject(unavailable)
  })
})

test('callers take turns when more calls wait than one load takes', async () => {
  const { ask, loads, begun } = heldBatch({ batchLimit: 2, parallel: 1 })
  const askAs = (caller: string, key: number) =>
    withDeadline(deadlineIn(60_000, { caller }), () => ask(key))
  const calls = [ask(0)]
  await begun(1)
  // The next load takes the first two, whose ever they are.
  calls.push(...[1, 2, 3, 4, 5, 6].map((key) => askAs('many', key)), askAs('one', 7))
  for (let load = 1; load <= 5; load++) {
    loads[load - 1]?.end()
    if (load < 5) await begun(load + 1)
  }
  expect(await Promise.all(calls)).toEqual([0, 10, 20, 30, 40, 50, 60, 70])
  expect(loads.map(({ keys }) => keys)).toEqual([[0], [1, 2], [3, 7], [4, 5], [6]])
})

test('calls that came first are not overtaken by later callers', async () => {
  const { ask, loads, begun } = heldBatch({ batchLimit: 2, parallel: 1 })
  const askAs = (key: number) =>
    withDeadline(deadlineIn(60_000, { caller: `caller ${key}` }), () => ask(key))
  const calls = [askAs(0)]
  await begun(1)
  calls.push(askAs(1), askAs(2))
  for (let load = 1; load <= 3; load++) {
    // As many come as the next load takes, before it begins.
    calls.push(askAs(2 * load + 1), askAs(2 * load + 2))
    loads[load - 1]?.end()
    await begun(load + 1)
  }
  loads[3]?.end()
  await begun(5)
  loads[4]?.end()
  await Promise.all(calls)
  expect(loads.flatMap(({ keys }) => keys)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
})

test('a call that has waited too long leaves its place to the next one', async () => {
  stopClock()
  const { ask, loads, begun } = heldBatch({ batchLimit: 1, parallel: 1 })
  const askUntil = (ms: number, key: number) =>
    withDeadline(deadlineIn(ms, { caller: `caller ${key}` }), () => ask(key))
  const first = askUntil(5_000, 0)
  await begun(1)
  const late = [100, 100].map((ms, index) =>
    expect(askUntil(ms, index + 1)).rejects.toMatchObject(unavailable),
  )
  const last = askUntil(5_000, 3)
  vi.advanceTimersByTime(1_000)
  await Promise.all(late)
  loads[0]?.end()
  await begun(2)
  loads[1]?.end()
  expect(await Promise.all([first, last])).toEqual([0, 30])
  expect(loads.map(({ keys }) => keys)).toEqual([[0], [3]])
})

test('a load has no deadline and no caller of a request, also when it follows another', async () => {
  const seen: unknown[] = []
  const ask = createBatch(async (keys: readonly number[]) => {
    seen.push(currentDeadline())
    return keys
  })
  const chain = async (key: number): Promise<unknown> =>
    key === 4 ? undefined : ask(key).then(() => chain(key + 1))
  const deadline = deadlineIn(60_000, { caller: 'a' })
  await withDeadline(deadline, () => Promise.all([chain(0), chain(1), chain(2)]))
  expect(seen.length).toBeGreaterThan(3)
  expect(new Set(seen)).toEqual(new Set([OF_A_BATCH]))
})

test('nor when a request makes the batch', async () => {
  const seen: unknown[] = []
  const make = () =>
    createBatch<number, number>(async (keys) => {
      seen.push(currentDeadline())
      return keys
    })
  const ask = withDeadline(deadlineIn(60_000, { caller: 'a' }), make)
  await ask(1)
  expect(seen).toEqual([OF_A_BATCH])
})

const OF_A_BATCH = { atMs: Number.POSITIVE_INFINITY, caller: expect.any(Symbol) }

test('no call gets the value of another one when a load answers too few', async () => {
  const ask = createBatch(async (keys: readonly number[]) => keys.slice(1))
  const answers = await Promise.allSettled([ask(1), ask(2), ask(3)])
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
})
