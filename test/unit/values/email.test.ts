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

test('nobody has an address under .invalid', () => {
  const isFree = (text: string) => PersonalEmail.safeParse(text).success
  const reserved = ['a@x.invalid', 'a@X.y.InValid', 'a@invalid', 'a@x.invalid.', 'a@x\uff0einvalid']
  for (const text of reserved) expect([text, isFree(text)]).toEqual([text, false])
  for (const text of ['a.invalid@x.example', 'a@invalid.example', 'a@notinvalid']) {
    expect([text, isFree(text)]).toEqual([text, true])
  }
})
