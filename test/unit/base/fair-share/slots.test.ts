import { setImmediate as nextTick } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { createSlots } from '../../../../src/base/fair-share/slots.ts'

/** Slots, and a list of who had one. Work ends when the test says so. */
function slotsOf(atOnce: number, patienceMs?: number) {
  const patience = patienceMs && { ms: patienceMs, refusal: () => new Error('too late') }
  const slots = createSlots<string>(atOnce, patience ? { patience } : {})
  const had: string[] = []
  const underWay: (() => void)[] = []
  const ask = (caller: string) =>
    slots.run(caller, () => {
      had.push(caller)
      return new Promise<void>((resolve) => underWay.push(resolve))
    })
  return {
    ...{ slots, had, ask },
    /** Ends the work under way, one after the other, until nobody waits. */
    async runDry() {
      for (let end = underWay.shift(); end; end = underWay.shift()) {
        end()
        await nextTick()
      }
    },
  }
}

describe('slots', () => {
  test('go from caller to caller, however often one asks', async () => {
    const { ask, had, runDry } = slotsOf(1)
    for (const caller of ['busy', 'busy', 'busy', 'busy', 'a', 'a', 'b']) void ask(caller)
    await runDry()
    expect(had).toEqual(['busy', 'busy', 'a', 'b', 'busy', 'a', 'busy'])
  })

  test('are so many: what fails gives its slot to the next', async () => {
    const { slots, had, ask, runDry } = slotsOf(2)
    const failing = slots.run('a', () => Promise.reject(new Error('it fails')))
    void ask('b')
    void ask('c')
    void ask('d')
    await expect(failing).rejects.toThrow('it fails')
    await nextTick()
    expect(had).toEqual(['b', 'c'])
    expect(slots.state()).toEqual({ running: 2, waiting: 1 })
    await runDry()
    expect(slots.state()).toEqual({ running: 0, waiting: 0 })
  })

  test('are waited for no longer than the patience; who gave up has left the queue', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { slots, had, ask, runDry } = slotsOf(1, 5_000)
    void ask('slow')
    const waited = expect(ask('b')).rejects.toThrow('too late')
    vi.advanceTimersByTime(5_000)
    vi.useRealTimers()
    await waited
    expect(slots.state()).toEqual({ running: 1, waiting: 0 })
    await runDry()
    expect(had).toEqual(['slow'])
  })
})
