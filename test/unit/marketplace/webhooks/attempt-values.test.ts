import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { ProxyUrlVariable } from '../../../../src/marketplace/webhooks/addresses/proxy-url.ts'
import { answerText } from '../../../../src/marketplace/webhooks/attempts/answer-text.ts'
import { attemptErrorOf } from '../../../../src/marketplace/webhooks/attempts/attempt-reasons.ts'
import { retryAfterSeconds } from '../../../../src/marketplace/webhooks/attempts/retry-after.ts'

describe('Retry-After', () => {
  const now = new Date('2026-11-22T10:00:00.000Z')
  test.each([
    ['0', 0],
    ['120', 120],
    [' 120 ', 120],
    ['86400', 86_400],
    ['86401', 86_400],
    ['9'.repeat(400), 86_400],
    ['Sun, 22 Nov 2026 10:00:30 GMT', 30],
    ['Sun, 22 Nov 2026 10:00:00 GMT', 0],
    ['Sun, 22 Nov 2026 09:00:00 GMT', 0],
    ['Mon, 01 Jan 0001 00:00:00 GMT', 0],
    ['Tue, 24 Nov 2026 10:00:00 GMT', 86_400],
    ['Wed, 31 Dec 2098 23:59:59 GMT', 86_400],
    ['', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['1e3', undefined],
    ['0x10', undefined],
    ['soon', undefined],
    ['2026-11-22', undefined],
    ['-1 GMT', 0],
    [' GMT', undefined],
    ['soon GMT', undefined],
    ['Sun, 22 Nov 2026 10:02:00', undefined],
    ['Sun Nov 22 10:02:00 2026', undefined],
    ['Sun, 99 Nov 2026 10:00:30 GMT', undefined],
    ['Sun, 22 Xxx 2026 10:00:30 GMT', undefined],
  ])('%.40j is %j seconds', (value, seconds) => {
    expect(retryAfterSeconds(value, now)).toBe(seconds)
  })
})

describe('the text of an answer', () => {
  test('is what was sent', () => {
    expect(answerText(Buffer.from('Zoë 🚲'), true)).toBe('Zoë 🚲')
    expect(answerText(Buffer.from('\ufeffx'), true)).toBe('\ufeffx')
  })

  test('leaves out a character that the cut splits', () => {
    expect(answerText(Buffer.from('aë').subarray(0, 2), false)).toBe('a')
    expect(answerText(Buffer.from('aë').subarray(0, 2), true)).toBe('a\ufffd')
  })

  test('has no NUL and no half character, and at most as many characters as bytes', () => {
    expect(answerText(Buffer.from('a\0b'), true)).toBe('a\ufffdb')
    for (const bytes of [randomBytes(1024), gzipSync(Buffer.alloc(100_000)).subarray(0, 1024)]) {
      const text = answerText(bytes, false)
      expect(text.isWellFormed()).toBe(true)
      expect(text).not.toContain('\0')
      expect(text.length).toBeLessThanOrEqual(1024)
    }
  })
})

describe('the reason of a failure', () => {
  test.each([
    ['ECONNREFUSED', 'connecting', 'connect_failed'],
    ['EHOSTUNREACH', 'connecting', 'connect_failed'],
    ['CERT_HAS_EXPIRED', 'handshake', 'certificate_refused'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'handshake', 'certificate_refused'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'handshake', 'certificate_refused'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'handshake', 'certificate_refused'],
    ['EPROTO', 'handshake', 'tls_failed'],
    ['ECONNRESET', 'handshake', 'tls_failed'],
    ['HPE_HEADER_OVERFLOW', 'sent', 'headers_too_large'],
    ['HPE_INVALID_CONSTANT', 'sent', 'answer_malformed'],
    ['ECONNRESET', 'sent', 'connection_lost'],
  ] as const)('%s while %s is %s', (code, stage, reason) => {
    const error = Object.assign(new Error('connect 10.0.0.1:443'), { code })
    const found = attemptErrorOf(error, stage)
    expect(found.code).toBe(reason)
    expect(found.message).not.toContain('10.0.0.1')
  })
})

describe('WEBHOOK_PROXY_URL', () => {
  test.each(['http://10.0.0.1:3128', 'http://u:p%40@proxy:3128/', 'http://[::1]:3128'])(
    'may be %s',
    (url) => {
      expect(ProxyUrlVariable.parse(url)).toBe(url)
    },
  )
  test.each([
    'https://proxy:3128',
    'socks5://proxy:1080',
    'proxy:3128',
    'http://proxy:3128/path',
    'http://proxy:3128/?x',
    'http://proxy:3128/#x',
    'http://u:%zz@proxy:3128',
    'http://proxy:0',
  ])('may not be %s', (url) => {
    expect(ProxyUrlVariable.safeParse(url).success).toBe(false)
  })
})
