import { readFileSync } from 'node:fs'
import argon2 from 'argon2'
import { describe, expect, test } from 'vitest'
import { isCommon, isNameOf } from '../../../../src/identity/auth/common-passwords.ts'
import { requireHardToGuess } from '../../../../src/identity/auth/guessable-password-service.ts'
import {
  isPasswordTooLong,
  isPasswordTooShort,
  normalPassword,
} from '../../../../src/identity/auth/password-text.ts'
import { createPasswordHasher } from '../../../../src/identity/auth/passwords.ts'
import { CHEAP_HASHES } from '../../../setup/cheap-hashes.ts'

const HOUR_MS = 3_600_000
const NETWORK = { kind: 'network', id: '192.0.2.1' }
const NFC = 'Z\u00fcrich-M\u00e4rz-2026'
const NFD = NFC.normalize('NFD')

test.each([
  ['NFC as NFD', NFD, NFC],
  ['a no-break space as a space', 'one\u00a0two', 'one two'],
  ['an ideographic space as a space', 'one\u3000two', 'one two'],
])('%s', (_what, typed, normal) => {
  expect(normalPassword(typed)).toBe(normal)
})

test('full-width letters stay what they are', () => {
  expect(normalPassword('\uff50assword')).toBe('\uff50assword')
})

describe('a hash', () => {
  const verify = async (stored: string, typed: string) => {
    const hasher = await createPasswordHasher(1, HOUR_MS, CHEAP_HASHES)
    return hasher.verify(typed, async () => stored, NETWORK)
  }
  const former = (text: string) => argon2.hash(text, { type: argon2.argon2id, ...CHEAP_HASHES })

  test('of a password is of all its forms', async () => {
    const hasher = await createPasswordHasher(1, HOUR_MS, CHEAP_HASHES)
    for (const set of [NFC, NFD]) {
      const stored = await hasher.hash(set, NETWORK)
      for (const typed of [NFC, NFD]) {
        expect((await verify(stored, typed)).matches).toBe(true)
      }
    }
  })

  test('from before, of another form, is accepted and outdated', async () => {
    const stored = await former(NFD)
    for (const typed of [NFD, NFC]) {
      expect(await verify(stored, typed)).toEqual({ matches: true, outdated: true })
    }
    const spaced = 'one\u00a0two\u3000three'
    expect(await verify(await former(spaced), spaced)).toEqual({ matches: true, outdated: true })
  })

  test('is not of a password in another width', async () => {
    const stored = await former('password of mine')
    expect((await verify(stored, '\uff50assword of mine')).matches).toBe(false)
  })
})

test('a password is counted in its normal form', () => {
  expect(isPasswordTooShort('a\u0308'.repeat(7))).toBe(true)
  expect(isPasswordTooShort('a\u0308'.repeat(8))).toBe(false)
  expect(isPasswordTooLong('x'.repeat(1024))).toBe(false)
  expect(isPasswordTooLong('x'.repeat(1025))).toBe(true)
  expect(isPasswordTooLong('\u3000'.repeat(1024))).toBe(false)
})

describe('common passwords', () => {
  const filter = readFileSync(
    new URL('../../../../src/identity/auth/common-passwords.bin', import.meta.url),
  )

  test.each([
    'password',
    'Password123',
    'QWERTYUIOP',
    '12345678',
    '\uff50\uff41ssword',
    'trustno1',
  ])('%s is one', (password) => {
    expect(isCommon(filter, password)).toBe(true)
    expect(() => requireHardToGuess(password, [])).toThrow()
  })

  test('of others, at most one in some thousands is taken for one', () => {
    const others = Array.from({ length: 20_000 }, (_, index) => `no common ${index} password`)
    expect(others.filter((one) => isCommon(filter, one)).length).toBeLessThan(20)
  })
})

test.each([
  ['kim.keyline', ['kim.keyline@example.com', 'Kim']],
  ['Kim-Keyline', ['k@example.com', 'Kim Keyline']],
  ['kim.keyline@example.com', ['kim.keyline@example.com']],
  ['App Marketplace', []],
])('%s is a name', (password, names) => {
  expect(isNameOf(password, names)).toBe(true)
  expect(isNameOf(`${password} and more`, names)).toBe(false)
})
