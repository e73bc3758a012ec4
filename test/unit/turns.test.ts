import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { siteOf } from '../../src/auth/network.ts'
import { createTurns } from '../../src/auth/turns.ts'

const HOUR_MS = 3_600_000

/** One slot, and a list of who had it. Work ends when the test says so. */
function gate({ each = 2, all = 64, slots = 1, patienceMs = HOUR_MS } = {}) {
  const turns = createTurns(slots, { strangers: { each, all }, known: { each, all } }, patienceMs)
  const had: string[] = []
  const refused: string[] = []
  const underWay: (() => void)[] = []
  const ask = (party: string, lane: 'strangers' | 'known' = 'strangers') => {
    const work = () => {
      had.push(party)
      return new Promise<void>((resolve) => underWay.push(resolve))
    }
    const result = turns.run(lane, party, work)
    result.catch(() => refused.push(party))
    return result
  }
  return {
    turns,
    had,
    refused,
    ask,
    askFor: (...parties: string[]) => void parties.map((party) => ask(party)),
    /** Ends the work under way, one after the other, until nobody waits. */
    async runDry() {
      for (let end = underWay.shift(); end; end = underWay.shift()) {
        end()
        await nextTurn()
      }
    },
  }
}

describe('turns', () => {
  test('go from network to network, however often one asks', async () => {
    const { askFor, had, runDry } = gate({ each: 3 })
    askFor('busy', 'busy', 'busy', 'busy', 'a', 'a', 'b')
    await runDry()
    expect(had).toEqual(['busy', 'busy', 'a', 'b', 'busy', 'a', 'busy'])
  })

  test('who comes beside 12 networks that are always there waits for one turn of each', async () => {
    const { askFor, ask, had, refused, runDry } = gate()
    const attackers = Array.from({ length: 12 }, (_, index) => `attacker ${index}`)
    for (let connection = 0; connection < 20; connection++) askFor(...attackers)
    void ask('customer')
    await runDry()
    expect(had.indexOf('customer')).toBe(1 + attackers.length)
    expect(refused).not.toContain('customer')
  })

  test('of one network two wait; further ones are refused at once', async () => {
    const { askFor, had, refused, turns, runDry } = gate()
    askFor('a', 'a', 'a')
    expect(() => turns.requireRoom('strangers', 'a')).toThrow('Too many sign-ins at once')
    expect(() => turns.requireRoom('strangers', 'b')).not.toThrow()
    askFor('a')
    await runDry()
    expect(refused).toEqual(['a'])
    expect(had).toEqual(['a', 'a', 'a'])
    expect(() => turns.requireRoom('strangers', 'a')).not.toThrow()
  })

  test('a full queue has room for a network that does not wait yet, not for one that does', async () => {
    const { askFor, had, refused, runDry } = gate({ all: 4 })
    askFor('first', 'a', 'a', 'b', 'b', 'c', 'd')
    await nextTurn()
    expect(refused).toEqual(['b', 'a'])
    askFor('e', 'c')
    await nextTurn()
    expect(refused).toEqual(['b', 'a', 'e', 'c'])
    await runDry()
    expect(had).toEqual(['first', 'a', 'b', 'c', 'd'])
  })

  test('strangers hold up nobody who is known: the two take turns', async () => {
    const { askFor, ask, had, runDry } = gate({ each: 4 })
    askFor('stranger', 'stranger', 'stranger', 'stranger')
    for (const party of ['operator', 'operator', 'developer']) void ask(party, 'known')
    await runDry()
    expect(had.slice(1)).toEqual([
      ...['stranger', 'operator', 'stranger', 'developer', 'stranger', 'operator'],
    ])
  })

  test('nobody waits longer than the patience, and leaves no place behind', async () => {
    const { ask, had, runDry, turns } = gate({ each: 1, patienceMs: 1 })
    void ask('first')
    await expect(ask('late')).rejects.toMatchObject({
      code: 'unavailable',
      options: { retryAfterSeconds: 2 },
    })
    expect(() => turns.requireRoom('strangers', 'late')).not.toThrow()
    await runDry()
    expect(had).toEqual(['first'])
    const again = ask('late')
    await runDry()
    await again
    expect(had).toEqual(['first', 'late'])
  })

  test('work that fails gives its slot to the next', async () => {
    const { turns } = gate()
    const failing = turns.run('known', 'a', () => Promise.reject(new Error('no')))
    const next = turns.run('known', 'b', async () => 'done')
    await expect(failing).rejects.toThrow('no')
    expect(await next).toBe('done')
  })

  test('as many run at once as there are slots', async () => {
    const { askFor, had, runDry } = gate({ slots: 3 })
    askFor('a', 'b', 'c', 'd')
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
