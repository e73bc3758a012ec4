import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { secretKey } from '../../../../src/base/values/variable-shapes.ts'
import { loadConfig } from '../../../../src/config.ts'

test('SECRET_KEY is 32 random bytes in base64, and nothing that somebody could guess', () => {
  const isKey = (bytes: Buffer) => secretKey.safeParse(bytes.toString('base64')).success
  expect(isKey(randomBytes(32))).toBe(true)
  expect([31, 33].map((length) => isKey(randomBytes(length)))).toEqual([false, false])
  expect(isKey(Buffer.alloc(32))).toBe(false)
  expect(isKey(Buffer.from('abababababababababababababababab'))).toBe(false)
  expect(secretKey.safeParse('changeme').success).toBe(false)
})

test('blanks and line ends around a value do not count, and a value of them alone is unset', () => {
  const key = randomBytes(32).toString('base64')
  const config = loadConfig({ SECRET_KEY: `${key}\n`, DATA_DIR: ' /data\r\n', HOST: ' \n' })
  expect(config).toMatchObject({ secretKey: key, dataDir: '/data', host: '127.0.0.1' })
})

describe('PUBLIC_URL', () => {
  test.each([
    ['https://market.example', 'https://market.example'],
    ['https://market.example/', 'https://market.example'],
    ['HTTPS://Market.example:443', 'https://market.example'],
    ['http://127.0.0.1:3000/', 'http://127.0.0.1:3000'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
  ])('%s is the origin %s', (PUBLIC_URL, publicUrl) => {
    expect(loadConfig({ PUBLIC_URL }).publicUrl).toBe(publicUrl)
  })

  test.each([
    'http://127.0.0.1:3000/market',
    'https://market.example/a/../b',
    'https://market.example//',
    'https://market.example?',
    'https://market.example/#',
    'https://market.example\\market',
    'https:market.example',
    'http://:hidden@market.example',
    'http://hidden@market.example',
    'https://',
    'https://market.example:99999',
    'ftp://market.example',
    'market.example',
  ])('%s is refused: pages and tokens name one origin, without a path', (PUBLIC_URL) => {
    const load = () => loadConfig({ PUBLIC_URL })
    expect(load).toThrow(/PUBLIC_URL: must be .* without path, .* such as https:/)
    expect(load).not.toThrow(/hidden/)
  })
})

describe('without PUBLIC_URL', () => {
  test.each([
    ['127.0.0.1', '3000', 'http://127.0.0.1:3000'],
    ['0.0.0.0', '80', 'http://0.0.0.0'],
    ['::1', '3000', 'http://[::1]:3000'],
    ['LOCALHOST', '3000', 'http://localhost:3000'],
  ])('the origin of HOST %s and PORT %s is %s, as browsers name it', (HOST, PORT, publicUrl) => {
    expect(loadConfig({ HOST, PORT }).publicUrl).toBe(publicUrl)
  })

  test.each(['fe80::1%eth0', '[::1]', 'http://127.0.0.1', '127.0.0.1:3000', 'my host'])(
    'HOST %s, which makes no URL, is named',
    (HOST) => {
      const message =
        'The configuration has problems:\n  HOST: makes no URL with PORT; give an address or a ' +
        'name alone, or set PUBLIC_URL'
      expect(() => loadConfig({ HOST })).toThrow(expect.objectContaining({ message }))
      expect(loadConfig({ HOST, PUBLIC_URL: 'http://localhost' }).host).toBe(HOST)
    },
  )

  test('a PORT that is wrong is the only problem', () => {
    const message =
      'The configuration has problems:\n  PORT: must be a whole number from 1 to 65535'
    expect(() => loadConfig({ PORT: '0' })).toThrow(expect.objectContaining({ message }))
  })
})
