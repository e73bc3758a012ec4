import { expect, test } from 'vitest'
import { z } from 'zod'
import { EmailAddress, isOwnSpelling, PersonalEmail } from '../../../src/values/email.ts'

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
