import { setImmediate as nextTick } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { siteOf } from '../../../../src/base/values/client-network.ts'
import { createPasswordTurns } from '../../../../src/identity/auth/password-turns.ts'

const HOUR_MS = 3_600_000

/** One slot, and a list of who had it. Work ends when the test says so. */
function gate({ each = 2, all = 64, slots = 1, patienceMs = HOUR_MS } = {}) {
  const turns = createPasswordTurns(
    slots,
    { strangers: { each, all }, known: { each, all } },
    patienceMs,
  )
  const had: string[] = []
  const refused: string[] = []
  const underWay: (() => void)[] = []
  const ask = (party: string, lane: 'strangers' | 'known' = 'strangers') => {
    const work = () => {
      had.push(party)
      return new Promise<void>((resolve) => underWay.push(resolve))
    }
    const result = turns.run(lane, party, async () => {}, work)
    result.catch(() => refused.push(party))
    return result
  }
  return {
    turns,
    had,
    refused,
    ask,
    /** One after the other. */
    async askFor(...parties: string[]) {
      for (const party of parties) {
        void ask(party)
        await nextTick()
      }
    },
    /** Ends the work under way, one after the other, until nobody waits. */
    async runDry() {
      for (let end = underWay.shift(); end; end = underWay.shift()) {
        end()
        await nextTick()
      }
    },
  }
}

describe('turns', () => {
  test('go from network to network, however often one asks', async () => {
    const { askFor, had, runDry } = gate({ each: 3 })
    await askFor('busy', 'busy', 'busy', 'busy', 'a', 'a', 'b')
    await runDry()
    expect(had).toEqual(['busy', 'busy', 'a', 'b', 'busy', 'a', 'busy'])
  })

  test('who comes beside 12 networks that are always there waits for one turn of each', async () => {
    const { askFor, had, refused, runDry } = gate()
    const attackers = Array.from({ length: 12 }, (_, index) => `attacker ${index}`)
    for (let connection = 0; connection < 20; connection++) await askFor(...attackers)
    await askFor('customer')
    await runDry()
    expect(had.indexOf('customer')).toBe(1 + attackers.length)
    expect(refused).not.toContain('customer')
  })

  test('of one network two wait; further ones are refused before anything is prepared', async () => {
    const { askFor, had, refused, turns, runDry } = gate()
    await askFor('a', 'a', 'a')
    const prepare = vi.fn(async () => {})
    const further = () => turns.run('strangers', 'a', prepare, async () => 'done')
    await expect(further()).rejects.toThrow('Too many sign-ins at once')
    expect(prepare).not.toHaveBeenCalled()
    await askFor('b')
    expect(refused).toEqual([])
    await runDry()
    expect(had).toEqual(['a', 'a', 'b', 'a'])
    expect(await further()).toBe('done')
  })

  test('who prepares has a place, but no slot', async () => {
    const { askFor, had, turns } = gate()
    const queries = Promise.withResolvers<string>()
    const run = (party: string) =>
      turns.run(
        'strangers',
        party,
        () => queries.promise,
        async (result) => result,
      )
    const [first, second, third] = [run('a'), run('a'), run('a')]
    await expect(run('a')).rejects.toThrow('Too many sign-ins at once')
    await askFor('b')
    expect(had).toEqual(['b'])
    queries.reject(new Error('no database'))
    for (const each of [first, second, third]) await expect(each).rejects.toThrow('no database')
    const again = turns.run(
      'strangers',
      'a',
      async () => {},
      async () => {},
    )
    await expect(Promise.race([again, nextTick('waits')])).resolves.toBe('waits')
  })

  test('a full queue has room for a network that does not wait yet, not for one that does', async () => {
    const { askFor, had, refused, runDry } = gate({ all: 4 })
    await askFor('first', 'a', 'a', 'b', 'b', 'c', 'd')
    expect(refused).toEqual(['b', 'a'])
    await askFor('e', 'c')
    await vi.waitFor(() => expect(refused).toEqual(['b', 'a', 'e', 'c']), 30_000)
    await runDry()
    expect(had).toEqual(['first', 'a', 'b', 'c', 'd'])
  })

  test('what finds no room is refused half a second later: a flood cannot ask without a pause', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    try {
      const { ask, askFor, refused } = gate({ each: 1 })
      await askFor('first', 'a')
      const late = expect(ask('a')).rejects.toMatchObject({ code: 'unavailable' })
      await vi.advanceTimersByTimeAsync(499)
      expect(refused).toEqual([])
      await vi.advanceTimersByTimeAsync(1)
      await late
    } finally {
      vi.useRealTimers()
    }
  })

  test('strangers hold up nobody who is known: the two take turns', async () => {
    const { askFor, ask, had, runDry } = gate({ each: 4 })
    await askFor('stranger', 'stranger', 'stranger', 'stranger')
    for (const party of ['operator', 'operator', 'developer']) void ask(party, 'known')
    await nextTick()
    await runDry()
    expect(had.slice(1)).toEqual([
      ...['stranger', 'operator', 'stranger', 'developer', 'stranger', 'operator'],
    ])
  })

  test('nobody waits longer than the patience, and leaves no place behind', async () => {
    const { ask, had, runDry } = gate({ each: 1, patienceMs: 1 })
    void ask('first')
    for (let time = 0; time < 3; time++) {
      await expect(ask('late')).rejects.toMatchObject({
        code: 'unavailable',
        options: { retryAfterSeconds: 2 },
      })
    }
    await runDry()
    expect(had).toEqual(['first'])
    const again = ask('late')
    await nextTick()
    await runDry()
    await again
    expect(had).toEqual(['first', 'late'])
  })

  test('a network with several attempts under way waits with those that guess', async () => {
    const limit = { each: 8, all: 64 }
    const lanes = { strangers: { ...limit, busy: 'guessers' as const }, guessers: limit }
    const turns = createPasswordTurns<'strangers' | 'guessers'>(1, lanes, HOUR_MS)
    const held = Promise.withResolvers<void>()
    const had: string[] = []
    const all: Promise<void>[] = []
    const ask = async (party: string) => {
      const work = async () => {
        had.push(party)
        await held.promise
      }
      all.push(turns.run('strangers', party, async () => {}, work))
      await nextTick()
    }
    const attackers = Array.from({ length: 12 }, (_, index) => `attacker ${index}`)
    for (const attacker of [...attackers, ...attackers]) await ask(attacker)
    await ask('customer')
    held.resolve()
    await Promise.all(all)
    expect(had.indexOf('customer')).toBeLessThanOrEqual(2)
  })

  test('whose patience ends finds its place again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    try {
      const { ask, askFor, had, runDry } = gate({ patienceMs: 5_000 })
      await askFor('first', 'early')
      await vi.advanceTimersByTimeAsync(4_000)
      await askFor('later')
      await vi.advanceTimersByTimeAsync(1_000)
      void ask('early')
      await nextTick()
      await runDry()
      expect(had).toEqual(['first', 'early', 'later'])
    } finally {
      vi.useRealTimers()
    }
  })

  test('work that fails gives its slot to the next', async () => {
    const { turns } = gate()
    const ready = async () => {}
    const failing = turns.run('known', 'a', ready, () => Promise.reject(new Error('no')))
    const next = turns.run('known', 'b', ready, async () => 'done')
    await expect(failing).rejects.toThrow('no')
    expect(await next).toBe('done')
  })

  test('as many run at once as there are slots', async () => {
    const { askFor, had, runDry } = gate({ slots: 3 })
    await askFor('a', 'b', 'c', 'd')
    expect(had).toEqual(['a', 'b', 'c'])
    await runDry()
    expect(had).toEqual(['a', 'b', 'c', 'd'])
  })
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8:0:1::1', '2001:db8:0'],
  ['2001:db8:0:ffff::1', '2001:db8:0'],
  ['2001:db8:1::1', '2001:db8:1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['nonsense', 'unknown'],
])('the turns of %s are those of %s', (address, site) => {
  expect(siteOf(address)).toBe(site)
})
