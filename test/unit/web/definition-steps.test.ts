import { expect, test } from 'vitest'
import { takeStep } from '../../../src/web/developer/definition/definition-steps.ts'

test('a step that makes the text longer than a form holds changes nothing, and says so', () => {
  const rows = Array.from({ length: 80_000 }, () => 1)
  const text = JSON.stringify({ purchaseOptions: [{ id: 'a' }], rows })
  const fields = new Map([
    ['definition', text],
    ['do', 'remove:/purchaseOptions/0'],
  ])
  expect(takeStep(fields)).toEqual({
    fields: new Map([
      ['definition', text],
      ['do', 'moved'],
    ]),
    problems: [{ field: 'definition', text: expect.stringContaining('too long for this form') }],
  })
})
