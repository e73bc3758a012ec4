import { setImmediate } from 'node:timers/promises'
import argon2 from 'argon2'
import { expect, test, vi } from 'vitest'
import { createPasswordHasher, NO_PASSWORD_HASH } from '../../../../src/identity/auth/passwords.ts'
import { CHEAP_HASHES } from '../../../setup/cheap-hashes.ts'

const HOUR_MS = 3_600_000
const GUESSERS = Array.from({ length: 12 }, (_, index) => `192.0.2.${index}`)

test('who comes with the right password does not wait for all who try passwords', async () => {
  const hasher = await createPasswordHasher(1, HOUR_MS, CHEAP_HASHES)
  const stored = await hasher.hash('right', { kind: 'operator', id: 'one' })
  const check = (password: string, id: string) =>
    hasher.verify(password, async () => stored, { kind: 'network', id })
  for (const guesser of GUESSERS) await check('wrong', guesser)
  const checks = vi.spyOn(argon2, 'verify')
  for (let time = 0; time < 2; time++) {
    checks.mockClear()
    const flood = GUESSERS.flatMap((guesser) => [check('wrong', guesser), check('wrong', guesser)])
    await setImmediate()
    await Promise.all([...flood, check('right', '198.51.100.1')])
    const order = checks.mock.calls.map(([_hash, password]) => password)
    expect(order).toHaveLength(2 * GUESSERS.length + 1)
    // One was under way, and one of the guessers may have its turn before.
    expect(order.indexOf('right')).toBeLessThanOrEqual(2)
  }
})

test('of one network 8 wait, and 2 after a wrong password of the network', async () => {
  const hasher = await createPasswordHasher(1, HOUR_MS, CHEAP_HASHES)
  const stored = await hasher.hash('right', { kind: 'operator', id: 'one' })
  const network = { kind: 'network', id: '192.0.2.1' }
  const served = async (password: string) => {
    const all = Array.from({ length: 12 }, () =>
      hasher.verify(password, async () => stored, network),
    )
    const results = await Promise.allSettled(all)
    return results.filter(({ status }) => status === 'fulfilled').length
  }
  expect(await served('right')).toBe(1 + 8)
  expect(await served('wrong')).toBe(1 + 8)
  expect(await served('right')).toBe(1 + 2)
  expect(await served('right')).toBe(1 + 8)
})

test('no password matches where there is none', async () => {
  const hasher = await createPasswordHasher(1, HOUR_MS, CHEAP_HASHES)
  for (const password of [NO_PASSWORD_HASH, '']) {
    const find = async () => NO_PASSWORD_HASH
    const result = await hasher.verify(password, find, { kind: 'network', id: '192.0.2.1' })
    expect(result).toEqual({ matches: false, outdated: false })
  }
})
