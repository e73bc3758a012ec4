import { expect, test } from 'vitest'
import { z } from 'zod'
import { describeIssue, fieldErrors } from '../../../../src/base/values/field-errors.ts'

test.each<[string, z.ZodType, unknown, string]>([
  ['a UUID', z.uuid(), 'x', 'must be a UUID'],
  ['a time', z.iso.datetime(), 'x', 'must be a date and time such as 2026-11-21T09:30:00Z'],
  ['a whole number', z.int(), 1.5, 'must be a whole number'],
  ['a missing member', z.string(), undefined, 'is required'],
  ['a choice', z.enum(['a', 'b']), 'c', 'must be one of "a", "b"'],
])('%s is asked for in our words', (_, schema, input, message) => {
  const { error } = schema.safeParse(input, { error: describeIssue })
  expect(error?.issues.map((issue) => issue.message)).toEqual([message])
})

test.each<[string, z.ZodType, unknown, string]>([
  ['a list of few', z.array(z.string()).min(1).max(3), 'many', 'must be an array'],
  ['a list of some', z.array(z.string()).min(1), '', 'must be an array'],
  ['a short text', z.string().max(3), ['a', 'b', 'c', 'd'], 'must be a string'],
])('of a wrong type for %s, the length is not counted', (_, schema, input, detail) => {
  const { error } = z.object({ it: schema }).safeParse({ it: input }, { error: describeIssue })
  expect(fieldErrors(error?.issues ?? [])).toEqual([{ pointer: '/it', detail }])
})

test('lengths that are wrong beside a wrong type are told', () => {
  const schema = z.object({ it: z.int(), name: z.string().max(3) })
  const { error } = schema.safeParse({ it: 1.5, name: 'long' }, { error: describeIssue })
  expect(fieldErrors(error?.issues ?? [])).toEqual([
    { pointer: '/it', detail: 'must be a whole number' },
    { pointer: '/name', detail: 'must be at most 3 characters long' },
  ])
})

test.each([
  [1e30, 'must be at most 60'],
  [-1e30, 'must be at least 0'],
])('%d is refused by the bound of its member, not by that of exact numbers', (input, bound) => {
  const schema = z.object({ open: z.int(), bounded: z.int().min(0).max(60) })
  const given = { open: input, bounded: input }
  const { error } = schema.safeParse(given, { error: describeIssue })
  const details = fieldErrors(error?.issues ?? []).map(({ pointer, detail }) => [pointer, detail])
  expect(details).toContainEqual(['/bounded', bound])
  expect(new Set(details.map(([, detail]) => detail))).toEqual(new Set(['is out of range', bound]))
})
