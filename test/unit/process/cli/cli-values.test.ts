import { expect, test } from 'vitest'
import { moment } from '../../../../src/process/cli/marketplace.ts'

test('a moment on the command line is a day or a time with its zone, in UTC', () => {
  expect(moment('2026-11-23', '--since')).toBe('2026-11-23T00:00:00.000Z')
  expect(moment('2026-11-23T10:00:00+01:00', '--since')).toBe('2026-11-23T09:00:00.000Z')
})

test.each(['tomorrow', '2026-11-23T10:00', '2026-02-31', '1'])('%s is no moment', (text) => {
  expect(() => moment(text, '--since')).toThrow('--since takes a moment')
})
