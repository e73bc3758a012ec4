import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { describe, expect, test } from 'vitest'
import {
  newSecret,
  signatureHeader,
} from '../../../../src/marketplace/webhooks/attempts/signature.ts'

const receivers = { standardwebhooks: Webhook, svix: SvixWebhook }
const body = Buffer.from('{"type":"installation.created","name":"Zoë 🚲"}')
const id = 'evt_1'

function signed(secrets: readonly string[], change: { body?: Uint8Array } = {}) {
  const timestamp = Math.floor(Date.now() / 1000)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureHeader({ id, timestamp, body: change.body ?? body, secrets }),
  }
}

test('a new secret is whsec_ and 32 bytes in base64: 28 random ones and their CRC-32', () => {
  // Enough of them that some checksums begin with a zero byte.
  const bytes = Array.from({ length: 2_000 }, () => {
    const secret = newSecret()
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    return Buffer.from(secret.slice('whsec_'.length), 'base64')
  })
  const wrong = bytes.filter((one) => one.readUInt32BE(28) !== crc32(one.subarray(0, 28)))
  expect(wrong).toEqual([])
  expect(new Set(bytes.map((one) => one.toString('hex', 0, 28))).size).toBe(bytes.length)
})

test('the signature equals that of a second program', () => {
  // printf 'evt_1.1700000000.{}' | openssl dgst -sha256 -mac HMAC -macopt hexkey:$(printf '00%.0s' {1..32}) -binary | base64
  const secrets = [`whsec_${Buffer.alloc(32).toString('base64')}`]
  const message = { id, timestamp: 1_700_000_000, body: Buffer.from('{}') }
  expect(signatureHeader({ ...message, secrets })).toBe(
    'v1,48roMzMozBa0y9GY6W+3OUs/G/ve9mXwQEyceR2g0tA=',
  )
})

describe.each(Object.entries(receivers))('the library %s', (_, Receiver) => {
  test('accepts a message signed with its secret', () => {
    const secret = newSecret()
    expect(() => new Receiver(secret).verify(body, signed([secret]))).not.toThrow()
  })

  test('accepts it during a rotation, with the old secret and with the new one', () => {
    const [old, current] = [newSecret(), newSecret()]
    const headers = signed([current, old])
    expect(headers['webhook-signature'].split(' ')).toHaveLength(2)
    for (const secret of [old, current]) new Receiver(secret).verify(body, headers)
  })

  test('refuses another secret, another body, another id and another time', () => {
    const secret = newSecret()
    const headers = signed([secret])
    const receiver = new Receiver(secret)
    expect(() => new Receiver(newSecret()).verify(body, headers)).toThrow()
    expect(() => receiver.verify(Buffer.concat([body, Buffer.from(' ')]), headers)).toThrow()
    expect(() => receiver.verify(body, { ...headers, 'webhook-id': 'evt_2' })).toThrow()
    const later = String(Number(headers['webhook-timestamp']) + 1)
    expect(() => receiver.verify(body, { ...headers, 'webhook-timestamp': later })).toThrow()
  })

  test('accepts every body of UTF-8', () => {
    const secret = newSecret()
    fc.assert(
      fc.property(fc.json(), (json) => {
        const bytes = Buffer.from(json)
        new Receiver(secret).verify(bytes, signed([secret], { body: bytes }))
      }),
    )
  })
})

test.each([
  '',
  'whsec_',
  'whsec_AAAA',
  `whsek_${Buffer.alloc(32).toString('base64')}`,
  Buffer.alloc(32).toString('base64'),
])('nothing is signed with %j', (secret) => {
  expect(() => signatureHeader({ id, timestamp: 1, body, secrets: [secret] })).toThrow(TypeError)
})

test('nothing is signed without a secret', () => {
  expect(() => signatureHeader({ id, timestamp: 1, body, secrets: [] })).toThrow(TypeError)
})
