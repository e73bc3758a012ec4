import { expect, test } from 'vitest'
import { lineOf } from '../../../src/audit/audit-file.ts'

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
