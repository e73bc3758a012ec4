import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { httpDateMs } from '../../../../src/marketplace/webhooks/attempts/http-date.ts'
import { retryAfterSeconds } from '../../../../src/marketplace/webhooks/attempts/retry-after.ts'

const now = new Date('2026-11-22T10:00:00Z')
const read = (text: string, at = now) => {
  const ms = httpDateMs(text, at)
  return ms === undefined ? undefined : new Date(ms).toISOString()
}

describe('an HTTP date (RFC 9110, 5.6.7)', () => {
  test.each([
    'Sun, 06 Nov 1994 08:49:37 GMT',
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 1994',
  ])('is read in its form "%s"', (text) => {
    expect(read(text)).toBe('1994-11-06T08:49:37.000Z')
  })

  test.each([
    ['Wed Nov 16 08:49:37 1994', '1994-11-16T08:49:37.000Z'],
    ['Tue, 29 Feb 2028 00:00:00 GMT', '2028-02-29T00:00:00.000Z'],
    // A leap second, which POSIX counts as the first of the next minute.
    ['Sat, 31 Dec 2016 23:59:60 GMT', '2017-01-01T00:00:00.000Z'],
    ['Mon, 01 Jan 0001 00:00:00 GMT', '0001-01-01T00:00:00.000Z'],
  ])('%s is read as %s', (text, expected) => {
    expect(read(text)).toBe(expected)
  })

  test.each([
    ['Sunday, 22-Nov-26 10:00:30 GMT', now, '2026-11-22T10:00:30.000Z'],
    ['Saturday, 22-Nov-75 10:00:30 GMT', now, '2075-11-22T10:00:30.000Z'],
    ['Sunday, 22-Nov-76 10:00:00 GMT', now, '2076-11-22T10:00:00.000Z'],
    ['Sunday, 22-Nov-76 10:00:01 GMT', now, '1976-11-22T10:00:01.000Z'],
    ['Tuesday, 29-Feb-00 10:00:00 GMT', now, '2000-02-29T10:00:00.000Z'],
    ['Monday, 22-Nov-99 10:00:00 GMT', now, '1999-11-22T10:00:00.000Z'],
    [
      'Saturday, 01-Jan-05 00:00:00 GMT',
      new Date('2095-01-01T00:00:00Z'),
      '2105-01-01T00:00:00.000Z',
    ],
  ])('%s at %s is read as %s: at most 50 years ahead', (text, at, expected) => {
    expect(read(text, at)).toBe(expected)
  })

  test.each([
    '',
    'Sun, 6 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 94 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37 UTC',
    'Sun, 06 Nov 1994 08:49:37 +0000',
    'Sun, 06 Nov 1994 08:49:37',
    'Sun, 06 nov 1994 08:49:37 GMT',
    'sun, 06 Nov 1994 08:49:37 GMT',
    'Xxx, 06 Nov 1994 08:49:37 GMT',
    'Sun, 06 Xxx 1994 08:49:37 GMT',
    'Sun, 00 Nov 1994 08:49:37 GMT',
    'Sun, 31 Nov 1994 08:49:37 GMT',
    'Wed, 29 Feb 2027 00:00:00 GMT',
    'Sun, 06 Nov 1994 24:00:00 GMT',
    'Sun, 06 Nov 1994 08:60:00 GMT',
    'Sun, 06 Nov 1994 08:49:61 GMT',
    'Sunday, 06 Nov 1994 08:49:37 GMT',
    'Sun, 06-Nov-94 08:49:37 GMT',
    'Sunday, 06-Nov-1994 08:49:37 GMT',
    'Sunday, 31-Nov-94 08:49:37 GMT',
    'Sun Nov 6 08:49:37 1994',
    'Sun Nov 06 08:49:37 94',
    'Sun Nov  6 08:49:37 1994 GMT',
    'Sun Nov 31 08:49:37 1994',
    '1994-11-06T08:49:37Z',
    'x Sun, 06 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37 GMT\n',
    'Sun,\u00a006 Nov 1994 08:49:37 GMT',
  ])('%j is none', (text) => {
    expect(read(text)).toBeUndefined()
  })

  test('is read as the runtime writes it', () => {
    fc.assert(
      fc.property(
        fc.date({
          min: new Date('0001-01-01T00:00:00Z'),
          max: new Date('9999-12-31T23:59:59Z'),
          noInvalidDate: true,
        }),
        (date) => {
          expect(httpDateMs(date.toUTCString(), now)).toBe(Math.floor(date.getTime() / 1000) * 1000)
        },
      ),
    )
  })
})

test.each([
  'Sun, 22 Nov 2026 10:02:00 GMT',
  'Sunday, 22-Nov-26 10:02:00 GMT',
  'Sun Nov 22 10:02:00 2026',
])('Retry-After: %s is kept', (text) => {
  expect(retryAfterSeconds(text, now)).toBe(120)
})
