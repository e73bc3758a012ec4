import { expect, test } from 'vitest'
import { findableSecret, isSecretOf } from '../../../../src/base/secrets/findable-secret.ts'

test.each([
  ['code', /^amc_[\w-]{43}[0-9A-Za-z]{6}$/],
  ['credential', /^amkt_client_[\w-]{32}[0-9A-Za-z]{6}$/],
] as const)('a %s has its prefix, random bits and a checksum', (kind, form) => {
  const secret = findableSecret(kind)
  expect(secret).toMatch(form)
  expect(isSecretOf(kind, secret)).toBe(true)
  expect(findableSecret(kind)).not.toBe(secret)
})

test('a text with another character, length or kind is not a secret', () => {
  const secret = findableSecret('code')
  const other = secret[10] === 'A' ? 'B' : 'A'
  expect(isSecretOf('code', secret.slice(0, 10) + other + secret.slice(11))).toBe(false)
  expect(isSecretOf('code', `${secret}0`)).toBe(false)
  expect(isSecretOf('code', secret.slice(1))).toBe(false)
  expect(isSecretOf('credential', secret)).toBe(false)
  expect(isSecretOf('code', '')).toBe(false)
})
