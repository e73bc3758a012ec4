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

test('of one network ten are under way; the rest is refused half a second later', async () => {
  const hasher = await createPasswordHasher(1, HOUR_MS, CHEAP_HASHES)
  const began = performance.now()
  const all = Array.from({ length: 12 }, () =>
    hasher.verify('wrong', async () => undefined, { kind: 'network', id: '192.0.2.1' }),
  )
  const results = await Promise.allSettled(all)
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(2)
  expect(performance.now() - began).toBeGreaterThan(490)
  expect(hasher.gate()).toEqual({ running: 0, waiting: 0, refused: 2 })
})

test('a flood of strangers keeps nobody out who is known', async () => {
  const hasher = await createPasswordHasher(1, HOUR_MS, CHEAP_HASHES)
  const check = (kind: string, id: string) =>
    hasher.verify('x', async () => undefined, { kind, id })
  const flood = Array.from({ length: 100 }, (_, index) => check('network', `10.0.${index}.1`))
  const known = [check('familiar', 'kim'), check('operator', 'one')]
  await Promise.all(known)
  const refused = (await Promise.allSettled(flood)).filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(35)
})

test('no password matches where there is none', async () => {
  const hasher = await createPasswordHasher(1, HOUR_MS, CHEAP_HASHES)
  for (const password of [NO_PASSWORD_HASH, '']) {
    const find = async () => NO_PASSWORD_HASH
    const result = await hasher.verify(password, find, { kind: 'network', id: '192.0.2.1' })
    expect(result).toEqual({ matches: false, outdated: false })
  }
})
