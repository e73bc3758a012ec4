import { expect, test } from 'vitest'
import { takeStep } from '../../../src/web/developer/definition/definition-steps.ts'

test('a step on a definition that is longer than any may be changes nothing, and says so', () => {
  const rows = Array.from({ length: 90_000 }, () => 1_000_000_000_000)
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
    problems: [{ field: 'definition', text: expect.stringContaining('longer than 1 MiB') }],
  })
})
