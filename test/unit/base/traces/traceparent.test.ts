import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseTraceparent, traceparentOf } from '../../../../src/base/traces/traceparent.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const SPAN = 'b7ad6b7169203331'

describe('a traceparent', () => {
  test('is read and written again', () => {
    for (const header of [`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-00`]) {
      const place = parseTraceparent(header)
      expect(place).toMatchObject({ traceId: TRACE, spanId: SPAN, isRemote: true })
      expect(place && traceparentOf(place)).toBe(header)
    }
  })

  test('of a later version may have more fields, which are left out', () => {
    const place = parseTraceparent(`cc-${TRACE}-${SPAN}-01-what.the-future`)
    expect(place && traceparentOf(place)).toBe(`00-${TRACE}-${SPAN}-01`)
  })

  test.each([
    ['nothing', undefined],
    ['several headers', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
    ['upper case', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['the version ff', `ff-${TRACE}-${SPAN}-01`],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['a span of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['more fields in version 00', `00-${TRACE}-${SPAN}-01-x`],
    ['a short id', `00-${TRACE.slice(1)}-${SPAN}-01`],
    ['a line break', `00-${TRACE}-${SPAN}-01\n`],
    ['spaces', ` 00-${TRACE}-${SPAN}-01`],
  ])('that is %s is ignored', (_, header) => {
    expect(parseTraceparent(header)).toBeUndefined()
  })

  test('is safe to log and to send, whatever came', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const place = parseTraceparent(text) ?? parseTraceparent(`00-${TRACE}-${SPAN}-${text}`)
        if (place) expect(traceparentOf(place)).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/)
      }),
    )
  })
})
