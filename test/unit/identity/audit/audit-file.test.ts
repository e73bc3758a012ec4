import { expect, test } from 'vitest'
import { headOf, lineOf } from '../../../../src/identity/audit/audit-file.ts'

test('only the CSV that people open in a spreadsheet begins with a byte order mark', () => {
  expect(headOf('spreadsheet')).toBe(`\ufeff${headOf('csv')}`)
  expect(headOf('csv')).toMatch(/^id,at,/)
  expect(headOf('ndjson')).toBe('')
  const entry = {
    id: 1,
    at: new Date(0),
    actor: { kind: 'system', id: null },
    subject: { kind: 'party', id: '3' },
    action: 'party.resumed',
    ...{ before: null, after: null, actorDeveloperId: null, address: null },
    ...{ developerId: null, partyId: 3 },
  } as const
  expect(lineOf('spreadsheet', entry)).toBe(lineOf('csv', entry))
})

test.each(['=', '+', '-', '@', '\uff1d', '\uff0b', '\uff0d', '\uff20', '\t', '\r'])(
  'a cell that begins with %j is no formula',
  (sign) => {
    const line = lineOf('csv', {
      ...{ id: 1, at: new Date(0), actor: { kind: 'developer' as const, id: `${sign}1` } },
      ...{ action: 'app.listed', subject: { kind: 'app', id: 'x' }, before: null, after: null },
      ...{ actorDeveloperId: null, address: null, developerId: null, partyId: null },
    })
    expect(line).toContain(`'${sign}1`)
  },
)
