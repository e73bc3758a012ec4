import { describe, expect, test } from 'vitest'
import {
  escapeControls,
  loggedError,
  withoutOwnMessage,
} from '../../../../src/base/log/logged-error.ts'
import { AppError } from '../../../../src/errors.ts'

const SECRET = 'hunter2'
const thrownBy = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return error
  }
}

/** As node-postgres has it. */
const postgresError = (code: string, message: string) =>
  Object.assign(new Error(message), {
    name: 'error',
    code,
    severity: 'ERROR',
    detail: `Key (email)=(${SECRET}) already exists.`,
    hint: SECRET,
    where: `SQL statement "${SECRET}"`,
    constraint: 'users_email_key',
    table: 'users',
    column: 'email',
  })

describe('a failure of Postgres', () => {
  test('is told by code, place and a text that quotes names only', () => {
    const message = 'duplicate key value violates unique constraint "users_email_key"'
    const logged = loggedError(postgresError('23505', message))
    expect(logged).toEqual({
      type: 'error',
      message,
      code: '23505',
      constraint: 'users_email_key',
      table: 'users',
      column: 'email',
      stack: expect.arrayContaining([expect.stringContaining('logged-error.test.ts')]),
    })
  })

  test.each([
    ['22P02', `invalid input syntax for type uuid: "${SECRET}"`],
    ['22001', `value too long for ${SECRET}`],
    ['P0001', SECRET],
    ['XX000', SECRET],
    ['23505', `duplicate "${SECRET}!"`],
    ['23514', `check failed: ${SECRET}`],
  ])('%s that may quote data keeps its text to itself: %s', (code, message) => {
    const logged = loggedError(postgresError(code, message))
    expect(logged.code).toBe(code)
    expect(JSON.stringify(logged)).not.toContain(SECRET)
  })

  test.each([
    ['53100', 'could not extend file "base/16385/16998": No space left on device'],
    [
      '53100',
      'could not resize shared memory segment "/PostgreSQL.123" to 1048576 bytes: No space left on device',
    ],
    ['53300', 'sorry, too many clients already'],
    ['58030', 'could not read blocks 3..3 in file "base/16385/16998": Input/output error'],
  ])('%s of a disk or a limit says which: %s', (code, message) => {
    const failure = postgresError(code, message)
    expect(loggedError(failure)).toMatchObject({ code, message })
    const wrapped = new Error(`Invalid call ${SECRET}`, { cause: failure })
    expect(loggedError(wrapped)).toMatchObject({ causes: [{ code, message }] })
    expect(JSON.stringify(loggedError(wrapped))).not.toContain(SECRET)
  })

  test('inside Prisma’s is found, its arguments are not', () => {
    const driver = Object.assign(new Error(`value ${SECRET}`), {
      name: 'DriverAdapterError',
      cause: {
        kind: 'UniqueConstraintViolation',
        originalCode: '23505',
        originalMessage: 'duplicate key value violates unique constraint "a_key"',
        constraint: { index: 'a_key' },
        detail: SECRET,
      },
    })
    const prisma = Object.assign(new Error(`Invalid \`db.user.create({ email: "${SECRET}" })\``), {
      name: 'PrismaClientKnownRequestError',
      code: 'P2002',
      meta: { modelName: 'User', target: [SECRET], driverAdapterError: driver },
    })
    const logged = loggedError(new AppError('conflict', { cause: prisma }))
    expect(JSON.stringify(logged)).not.toContain(SECRET)
    expect(logged.causes?.[0]).toMatchObject({
      type: 'PrismaClientKnownRequestError',
      code: 'P2002',
      causes: [{ causes: [{ code: '23505', constraint: 'a_key' }] }],
    })
  })
})

describe('any other failure', () => {
  test.each<[string, () => unknown]>([
    ['JSON that cannot be read', () => JSON.parse(`{"a": ${SECRET}}`)],
    ['a number that is none', () => BigInt(SECRET)],
    ['an address that is none', () => new URL(SECRET)],
    ['an operator on a text', () => 'x' in (SECRET as unknown as object)],
    ['a regular expression that is none', () => new RegExp(`(${SECRET}`)],
    [
      'a thrown text',
      () => {
        throw SECRET
      },
    ],
    [
      'a thrown object',
      () => {
        throw { message: `"${SECRET}"`, password: SECRET }
      },
    ],
    [
      'an error with properties',
      () => {
        throw Object.assign(new Error('x'), { input: SECRET, headers: { SECRET } })
      },
    ],
    [
      'a text with lines like a stack',
      () => {
        throw new Error(`"a\n    at ${SECRET}\nb"`)
      },
    ],
    [
      'causes and parts',
      () => {
        throw new AggregateError([new Error(`'${SECRET}'`)], 'x', { cause: `${SECRET}` })
      },
    ],
  ])('keeps to itself what it quotes: %s', (_name, work) => {
    const logged = loggedError(thrownBy(work))
    expect(JSON.stringify(logged)).not.toContain(SECRET)
    expect(logged.type).not.toBe('')
  })

  test('keeps what helps', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), {
      code: 'ECONNREFUSED',
    })
    expect(loggedError(refused)).toMatchObject({ message: refused.message, code: 'ECONNREFUSED' })
    expect(loggedError(new TypeError('x is not a function'))).toMatchObject({
      type: 'TypeError',
      message: 'x is not a function',
    })
  })

  test('is one of a chain that ends', () => {
    const error = new Error('round')
    error.cause = error
    expect(JSON.stringify(loggedError(error)).length).toBeLessThan(20_000)
  })
})

test.each<[string, unknown[], string]>([
  ['an error alone', [new Error(SECRET)], 'failure'],
  ['an error among fields', [{ err: new Error(SECRET) }], 'failure'],
  ['an error and its own text', [{ err: new Error(SECRET) }, SECRET], 'failure'],
  ['an error and a text of ours', [{ err: new Error(SECRET) }, 'ours'], 'ours'],
])('is logged under a text of ours: %s', (_name, parameters, text) => {
  let logged: unknown[] = []
  withoutOwnMessage(parameters, (...given) => {
    logged = given
  })
  expect(logged[1]).toBe(text)
})

test('what steers a terminal is escaped, and still the same JSON', () => {
  const line = `${JSON.stringify({ a: 'x\u009b31m\u0085\u2028\u202e\u200f\ufeff\u007f', b: 'é漢👩' })}\n`
  const escaped = escapeControls(line)
  expect(escaped).not.toMatch(/[\u007f-\u009f\u2028\u202e\u200f\ufeff]/)
  expect(JSON.parse(escaped)).toEqual(JSON.parse(line))
  expect(escaped).toContain('é漢👩')
})
