import { expect, test } from 'vitest'
import { z } from 'zod'
import { EmailAddress } from '../../../src/values/email.ts'

test('an email address has a pattern without Unicode classes, and no control characters', () => {
  expect(z.toJSONSchema(EmailAddress, { io: 'input' }).pattern).not.toContain('\\p')
  const problemsOf = (text: string) =>
    EmailAddress.safeParse(text).error?.issues.map(({ message }) => message)
  expect(problemsOf('jane@x.example')).toBeUndefined()
  for (const text of ['jane', 'a@b@c', 'a<@b', 'a\u0007@b', 'a\u202e@b', 'a\ud800@b']) {
    expect([text, problemsOf(text)]).toEqual([text, ['must be an email address']])
  }
})
