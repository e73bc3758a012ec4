import { expect, test } from 'vitest'
import { z } from 'zod'
import { validatorOfKnownQueries } from '../../../src/http/validation.ts'

/** A validator of queries, and how often it has checked one. */
function validator() {
  let checks = 0
  const schema = z.strictObject({
    brand: z.union([z.string(), z.array(z.string())]).optional(),
    limit: z
      .string()
      .refine((text) => {
        checks += 1
        return text !== '0'
      }, 'must not be 0')
      .transform(Number)
      .optional(),
  })
  const validate = validatorOfKnownQueries({
    schema,
    method: 'GET',
    url: '/',
    httpPart: 'querystring',
  }) as (query: unknown) => { value?: Record<string, unknown>; error?: Error }
  return { validate, checks: () => checks }
}

test('a valid query is checked once, and has the same values each time', () => {
  const { validate, checks } = validator()
  for (let time = 0; time < 3; time++) {
    expect(validate({ limit: '5', brand: 'Wahl' })).toEqual({ value: { limit: 5, brand: 'Wahl' } })
  }
  expect(checks()).toBe(1)
})

test('queries that differ are told apart, also by order, type and name', () => {
  const { validate } = validator()
  expect(validate({ brand: 'a,b' }).value).toEqual({ brand: 'a,b' })
  expect(validate({ brand: ['a', 'b'] }).value).toEqual({ brand: ['a', 'b'] })
  expect(validate({ brand: ['b', 'a'] }).value).toEqual({ brand: ['b', 'a'] })
  expect(validate({ brand: '["a","b"]' }).value).toEqual({ brand: '["a","b"]' })
  expect(validate({}).value).toEqual({})
  expect(validate({ brand: '' }).value).toEqual({ brand: '' })
})

test('no request can change the values of the next one', () => {
  const { validate } = validator()
  for (const { value = {} } of [validate({ limit: '5' }), validate({ limit: '5' })]) {
    expect(() => {
      value.limit = 6
    }).toThrow(TypeError)
  }
  expect(validate({ limit: '5' })).toEqual({ value: { limit: 5 } })
})

test('an invalid query is refused each time', () => {
  const { validate, checks } = validator()
  for (let time = 0; time < 3; time++) {
    expect(validate({ limit: '0' }).error).toMatchObject({
      code: 'invalid_request',
      options: { errors: [{ pointer: '/limit', detail: 'must not be 0' }] },
    })
    expect(validate({ brand: 'a', colour: 'b' }).error).toMatchObject({ code: 'invalid_request' })
    expect(validate({ brand: '\u0000' }).error).toMatchObject({ code: 'invalid_request' })
  }
  expect(checks()).toBe(3)
})

test('only as many queries are known as there is room for', () => {
  const { validate, checks } = validator()
  for (let limit = 1; limit <= 1000; limit++) validate({ limit: `${limit}` })
  validate({ limit: '1000' })
  expect(checks()).toBe(1000)
  validate({ limit: '1' })
  expect(checks()).toBe(1001)
})
