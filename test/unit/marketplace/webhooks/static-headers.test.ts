import { describe, expect, test } from 'vitest'
import { StaticHeaders } from '../../../../src/marketplace/webhooks/endpoints/static-headers.ts'

const problemsOf = (headers: object) =>
  StaticHeaders.safeParse(headers).error?.issues.map(({ message, path, ...issue }) => ({
    message: issue.code === 'invalid_key' ? issue.issues[0]?.message : message,
    path,
  }))

describe('static headers', () => {
  test.each([
    {},
    { authorization: 'Bearer 3f9c2a' },
    { 'X-Api-Key': 'a b ~!"#', "x!#$%&'*+-.^_`|~9": '1' },
    { 'x-key': 'x'.repeat(1024) },
    Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`x-${index}`, 'v'])),
  ])('may be %.60j', (headers) => {
    expect(StaticHeaders.parse(headers)).toEqual(headers)
  })

  test.each([
    'Host',
    'content-type',
    'Content-Length',
    'content-encoding',
    'webhook-id',
    'Webhook-Signature',
    'connection',
    'Keep-Alive',
    'transfer-encoding',
    'TE',
    'trailer',
    'upgrade',
    'proxy-authorization',
    'proxy-connection',
    'expect',
    'user-agent',
    'cookie',
    'accept-encoding',
    'forwarded',
    'via',
    'x-forwarded-for',
  ])('may not set %s', (name) => {
    expect(problemsOf({ [name]: 'v' })).toEqual([
      { message: 'You cannot set this header.', path: [name] },
    ])
  })

  test.each(['', 'x y', 'x:', 'x\r\ny', 'x\0', 'ü', 'x(y)', '"x"', 'x'.repeat(101)])(
    'may not have the name %.20j',
    (name) => {
      expect(problemsOf({ [name]: 'v' })).toHaveLength(1)
    },
  )

  test.each([
    '',
    ' v',
    'v ',
    'v\r\nx: y',
    'v\n',
    'v\r',
    'v\0',
    'v\t',
    'v\x7f',
    'ü',
    '\u010d\u010a',
    'x'.repeat(1025),
  ])('may not have the value %.20j', (value) => {
    expect(problemsOf({ 'x-key': value })).toMatchObject([{ path: ['x-key'] }])
  })

  test.each(['-----BEGIN KEY-----\nMIIB\n', 'a\r\nb', 'a\n'])('are one line: %j', (value) => {
    expect(problemsOf({ 'x-key': value })).toEqual([
      { message: 'must be one line', path: ['x-key'] },
    ])
  })

  test('are at most ten', () => {
    const names = Array.from({ length: 11 }, (_, index) => [`x-${index}`, 'v'])
    expect(problemsOf(Object.fromEntries(names))).toMatchObject([
      { message: 'must be at most 10 headers' },
    ])
  })

  test('have each name once, in whatever case', () => {
    expect(problemsOf({ 'x-key': '1', 'X-Key': '2' })).toMatchObject([
      { message: 'must not name a header twice' },
    ])
  })
})
