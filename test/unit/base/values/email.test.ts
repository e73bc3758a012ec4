import { expect, test } from 'vitest'
import { z } from 'zod'
import {
  EmailAddress,
  isOwnSpelling,
  normalEmail,
  PersonalEmail,
  searchedInEmails,
  shownEmail,
} from '../../../../src/base/values/email.ts'

test('an email address has a pattern without Unicode classes, and no control characters', () => {
  expect(z.toJSONSchema(EmailAddress, { io: 'input' }).pattern).not.toContain('\\p')
  const problemsOf = (text: string) =>
    EmailAddress.safeParse(text).error?.issues.map(({ message }) => message)
  expect(problemsOf('jane@x.example')).toBeUndefined()
  for (const text of ['jane', 'a@b@c', 'a<@b', 'a\u0007@b', 'a\u202e@b', 'a\ud800@b']) {
    expect([text, problemsOf(text)]).toEqual([text, ['must be an email address']])
  }
})

test.each([
  ['Jane.Doe@X.example', true],
  ['J\u00c9R\u00d4ME@x.example', true],
  ['\u039f\u0394\u039f\u03a3@x.example', true],
  ['\uff4aane@x.example', false],
  ['\u212aay@x.example', false],
  ['jane@x\u3002example', false],
  ['jane@\u24b3.example', false],
  ['jane\u00ad@x.example', true],
  [' jane@x.example', false],
  ['Jane@B\u00dcCHER.example', true],
  ['jane@XN--bcher-kva.example', true],
  ['jane@stra\u00dfe.example', true],
  ['jane@b\uff55cher.example', false],
  ['jane@b\u00adx.example', false],
  ['jane@x.example.', false],
])('whether %j is written as its own mailbox: %s', (text, isOwn) => {
  expect(isOwnSpelling(text)).toBe(isOwn)
})

test('nobody has an address that the marketplace gives to users of its own', () => {
  const isFree = (text: string) => PersonalEmail.safeParse(text).success
  const developerId = '6f1c1d0e-8d0b-4a53-9a39-0d3c7a1f5e21'
  const reserved = [
    'a@removed.invalid',
    'a@Removed.InValid',
    'a@removed.invalid.',
    'a@removed\uff0einvalid',
    `test-user@${developerId}.invalid`,
    `test-user-0123456789abcdef@${developerId.toUpperCase()}.invalid`,
  ]
  for (const text of reserved) expect([text, isFree(text)]).toEqual([text, false])
  const free = [
    'a@x.invalid',
    'a@x.removed.invalid',
    'removed.invalid@x.example',
    `${developerId}@x.org`,
  ]
  for (const text of free) expect([text, isFree(text)]).toEqual([text, true])
})

test.each([
  ['Kim@B\u00fccher.example', 'kim@xn--bcher-kva.example', 'kim@b\u00fccher.example'],
  ['kim@bu\u0308cher.example', 'kim@xn--bcher-kva.example', 'kim@b\u00fccher.example'],
  ['kim@XN--BCHER-KVA.example.', 'kim@xn--bcher-kva.example', 'kim@b\u00fccher.example'],
  ['kim@stra\u00dfe.example', 'kim@xn--strae-oqa.example', 'kim@stra\u00dfe.example'],
  ['kim@strasse.example', 'kim@strasse.example', 'kim@strasse.example'],
  [
    'kim@\u4f8b\u3048\u3002\u30c6\u30b9\u30c8',
    'kim@xn--r8jz45g.xn--zckzah',
    'kim@\u4f8b\u3048.\u30c6\u30b9\u30c8',
  ],
  ['J\u00d6RG@x.example', 'j\u00f6rg@x.example', 'j\u00f6rg@x.example'],
  // What looks like another domain is shown as the DNS has it.
  ['kim@\u0430\u0440\u0440\u04cf\u0435.com', 'kim@xn--80ak6aa92e.com', 'kim@xn--80ak6aa92e.com'],
])('%j is kept as %s and shown as %s', (text, kept, shown) => {
  expect(EmailAddress.parse(text)).toBe(kept)
  expect(normalEmail(kept)).toBe(kept)
  expect(normalEmail(shown)).toBe(kept)
  expect(shownEmail(kept)).toBe(shown)
})

test.each([
  'a@localhost',
  'a@[127.0.0.1]',
  'a@[ipv6:2001:db8::1]',
  'a@127.0.0.1',
  'a@127.1',
  'a@0x7f.1',
  'a@x.example..',
  'a@.example',
  'a@x..example',
  'a@-x.example',
  'a@x_y.example',
  'a@x%2eexample.com',
  'a@x.example:25',
  'a@x.example/y',
  'a@x.example?y',
  'a@xn--a.example',
  'a@xn--.example',
  'a@xn--a-0hc.example',
  'a@\u05d0a.example',
  'a@a\u200d.example',
  `a@${'x'.repeat(64)}.example`,
  `a@${'x.'.repeat(127)}example`,
])('no person has the address %s', (text) => {
  expect(PersonalEmail.safeParse(text).success).toBe(false)
  // Who has it from before is found by it.
  expect(normalEmail(normalEmail(text))).toBe(normalEmail(text))
})

test('a search finds a domain by its own letters', () => {
  expect(searchedInEmails('B\u00fccher')).toBe('xn--bcher-kva')
  expect(searchedInEmails('kim@b\u00fccher.example')).toBe('kim@xn--bcher-kva.example')
  for (const text of ['kim', 'kim k\u00f6nig', '%', 'a b', 'x'.repeat(400)]) {
    expect(searchedInEmails(text)).toBe(text)
  }
})
