import { expect, test } from 'vitest'
import { passingFailure } from '../../../../src/base/database/failures.ts'
import { AppError } from '../../../../src/errors.ts'

/** As Postgres and node-postgres report it, and as Prisma wraps it. */
function failuresWith(code: string): Error[] {
  const own = Object.assign(new Error('as Postgres words it'), { code })
  const driverAdapterError = { cause: { originalCode: code } }
  const ofPrisma = Object.assign(new Error('of Prisma'), { meta: { driverAdapterError } })
  return [own, new Error('about the work', { cause: own }), ofPrisma]
}

test.each([
  [
    '55P03',
    'Another change, such as an import, is taking long. Nothing was changed: send the request again.',
    2,
  ],
  ['57014', 'The database took too long to answer. Send the request again.', 2],
  ['57P01', 'The database cannot be reached right now.', 2],
  [
    '40001',
    'Another change happened at the same time. Nothing was changed: send the request again.',
    1,
  ],
  [
    '40P01',
    'Another change happened at the same time. Nothing was changed: send the request again.',
    1,
  ],
])(
  'after %s clients read what happened and when to send the request again',
  (code, detail, retryAfterSeconds) => {
    for (const failure of failuresWith(code)) {
      expect(passingFailure(failure)).toMatchObject({
        code: 'unavailable',
        options: { detail, retryAfterSeconds },
      })
    }
  },
)

test.each(['23505', '42501', '22021'])('%s is no failure that passes', (code) => {
  for (const failure of failuresWith(code)) expect(passingFailure(failure)).toBeUndefined()
})

test('a refusal passes only when it says when to come back', () => {
  const limited = new AppError('too_many_requests', { retryAfterSeconds: 1 })
  expect(passingFailure(limited)).toBe(limited)
  expect(passingFailure(new Error('about the work', { cause: limited }))).toBe(limited)
  expect(passingFailure(new AppError('already_exists'))).toBeUndefined()
})
