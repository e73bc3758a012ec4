import { expect, test } from 'vitest'
import { z } from 'zod'
import { describeIssue } from '../../../src/values/field-errors.ts'

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
