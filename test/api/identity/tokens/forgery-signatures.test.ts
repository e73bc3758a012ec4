import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoInstallation, installationToken } from '../../../setup/client.ts'
import { encode, signedBy } from '../../../setup/forge.ts'
import { type Forgery, startForgery } from '../../../setup/forgery.ts'

let forgery: Forgery
let sibling: string
beforeAll(async () => {
  forgery = await startForgery()
  sibling = await installationToken(
    forgery.market,
    demoInstallation(forgery.market, 'price-sync', 'None'),
  )
})
afterAll(() => forgery.close())

/** A message of ours with somebody else's idea of a signature. */
const withSignature = (bytes: Uint8Array | string) =>
  [...forgery.segments.slice(0, 2), Buffer.from(bytes).toString('base64url')].join('.')
const genuine = () => Buffer.from(forgery.segments[2], 'base64url')

/** Order of the group of P-256 (SEC 2, 2.4.2). */
const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
/** Prime of its field. */
const P = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn
const scalar = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
const raw = (r: bigint, s: bigint) => Buffer.concat([scalar(r), scalar(s)])
const r = () => BigInt(`0x${genuine().subarray(0, 32).toString('hex')}`)
const s = () => BigInt(`0x${genuine().subarray(32).toString('hex')}`)

/** An ECDSA signature as OpenSSL writes it by itself (RFC 3279, 2.2.3). */
function der(first: bigint, second: bigint): Buffer {
  const integers = [first, second].map((value) => {
    const digits = value.toString(16)
    const even = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
    const body = (even[0] ?? 0) > 127 ? Buffer.concat([Buffer.of(0), even]) : even
    return Buffer.concat([Buffer.of(2, body.length), body])
  })
  const body = Buffer.concat(integers)
  return Buffer.concat([Buffer.of(0x30, body.length), body])
}

const SIGNATURES: [name: string, make: () => Uint8Array | string][] = [
  ['r = 0 and s = 0 (CVE-2022-21449)', () => raw(0n, 0n)],
  ['r = 0', () => raw(0n, s())],
  ['s = 0', () => raw(r(), 0n)],
  ['r = 1 and s = 1', () => raw(1n, 1n)],
  ['r = 0 and s = 1', () => raw(0n, 1n)],
  ['r = 1 and s = 0', () => raw(1n, 0n)],
  ['r = n and s = n', () => raw(N, N)],
  ['r = n', () => raw(N, s())],
  ['s = n', () => raw(r(), N)],
  ['r = n - 1 and s = n - 1', () => raw(N - 1n, N - 1n)],
  ['r = n + 1 and s = n + 1', () => raw(N + 1n, N + 1n)],
  ['r = p and s = p', () => raw(P, P)],
  ['every bit set', () => Buffer.alloc(64, 255)],
  ['r and s swapped', () => raw(s(), r())],
  ['r negated', () => raw(N - r(), s())],
  ['r and s negated', () => raw(N - r(), N - s())],
  ['s + 1', () => raw(r(), s() + 1n)],
  ['every bit flipped', () => genuine().map((byte) => byte ^ 255)],
  ['the bytes in reverse', () => genuine().toReversed()],
  ['r alone', () => genuine().subarray(0, 32)],
  ['one byte less', () => genuine().subarray(0, 63)],
  ['one byte more', () => Buffer.concat([genuine(), Buffer.of(0)])],
  ['a zero byte before', () => Buffer.concat([Buffer.of(0), genuine()])],
  ['twice', () => Buffer.concat([genuine(), genuine()])],
  ['the length of ES384', () => Buffer.alloc(96)],
  ['the length of ES512', () => Buffer.alloc(132)],
  ['the length of RS256', () => Buffer.alloc(256)],
  ['no byte', () => ''],
  ['one byte', () => Buffer.of(0)],
  ['DER', () => der(r(), s())],
  ['DER of zeros', () => der(0n, 0n)],
  ['DER of zeros, filled up to 64 bytes', () => Buffer.concat([der(0n, 0n), Buffer.alloc(56)])],
  ['hexadecimal', () => genuine().toString('hex')],
  ['base64url of base64url', () => forgery.segments[2]],
]

describe('a text that is no signature', () => {
  test.each(SIGNATURES)('%s', async (_name, make) => {
    await forgery.expectInvalid(withSignature(make()))
  })

  test('of another token of ours', async () => {
    const others = sibling.split('.')
    const [header, claims, signature] = forgery.segments
    await forgery.expectInvalid([header, claims, others[2]].join('.'))
    await forgery.expectInvalid([header, others[1], signature].join('.'))
  })

  test('over the claims alone, over the decoded texts, over another order', async () => {
    const [header, claims] = forgery.segments
    const texts = [claims, `${header}${claims}`, `${claims}.${header}`, `${header}.${claims}.`]
    const decoded = [header, claims].map((one) => Buffer.from(one, 'base64url').toString())
    for (const text of [...texts, decoded.join('.'), decoded[1] ?? '']) {
      const key = { key: forgery.ownKey, dsaEncoding: 'ieee-p1363' as const }
      await forgery.expectInvalid(withSignature(sign('sha256', Buffer.from(text), key)))
    }
  })

  test('with another hash, by our own key', async () => {
    const input = Buffer.from(forgery.segments.slice(0, 2).join('.'))
    for (const hash of ['sha1', 'sha224', 'sha384', 'sha512', 'sha3-256']) {
      const key = { key: forgery.ownKey, dsaEncoding: 'ieee-p1363' as const }
      await forgery.expectInvalid(withSignature(sign(hash, input, key)))
    }
  })

  test('its mirror image (r, n - s) is no second form of the token', async () => {
    await forgery.expectInvalid(withSignature(raw(r(), N - s())))
    expect((await forgery.ask(`Bearer ${forgery.token}`)).status).toBe(200)
  })
})

const SECRETS: [name: string, secret: () => string | Buffer][] = [
  ['the public key as PEM', () => spki('pem')],
  ['PEM without its last line end', () => String(spki('pem')).trimEnd()],
  ['PEM with CR LF', () => String(spki('pem')).replaceAll('\n', '\r\n')],
  ['PEM on one line', () => String(spki('pem')).replaceAll('\n', '')],
  ['the public key as DER', () => spki('der')],
  ['DER in base64', () => Buffer.from(spki('der')).toString('base64')],
  ['the public key as JWK', () => JSON.stringify(forgery.publicJwk)],
  ['the JWK as the key set has it', () => JSON.stringify({ ...forgery.publicJwk, ...published() })],
  ['the key set', () => JSON.stringify({ keys: [{ ...forgery.publicJwk, ...published() }] })],
  [
    'the point, uncompressed',
    () => Buffer.concat([Buffer.of(4), coordinate('x'), coordinate('y')]),
  ],
  ['the point, compressed', () => Buffer.concat([Buffer.of(2), coordinate('x')])],
  ['x and y', () => Buffer.concat([coordinate('x'), coordinate('y')])],
  ['x', () => coordinate('x')],
  ['x in base64url', () => String(forgery.publicJwk.x)],
  ['the kid', () => String(forgery.header.kid)],
  ['the issuer', () => forgery.market.url],
  ['no secret', () => ''],
  ['a zero byte', () => Buffer.of(0)],
  ['a word', () => 'secret'],
]
const spki = (format: 'pem' | 'der') =>
  format === 'pem'
    ? createPublicKey(forgery.ownKey).export({ type: 'spki', format })
    : createPublicKey(forgery.ownKey).export({ type: 'spki', format })
const published = () => ({ kid: forgery.header.kid, alg: 'ES256', use: 'sig' })
const coordinate = (name: 'x' | 'y') => Buffer.from(String(forgery.publicJwk[name]), 'base64url')

describe('an HMAC in place of a signature, whose secret is public', () => {
  test.each(SECRETS)('%s', async (_name, secret) => {
    for (const bits of ['256', '384', '512']) {
      for (const alg of [`HS${bits}`, 'ES256']) {
        const input = `${encode({ ...forgery.header, alg })}.${encode(forgery.claims)}`
        const mac = createHmac(`sha${bits}`, secret()).update(input).digest('base64url')
        await forgery.expectInvalid(`${input}.${mac}`)
      }
    }
  })
})

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve }).privateKey
const p1363 = (key: KeyObject) => ({ key, dsaEncoding: 'ieee-p1363' as const })
const pss = { key: rsa, padding: 6, saltLength: -1 }
const KEYS: [alg: string, make: (input: Buffer) => Buffer][] = [
  ...['256', '384', '512'].flatMap((bits): [string, (input: Buffer) => Buffer][] => [
    [`RS${bits}`, (input) => sign(`sha${bits}`, input, rsa)],
    [`PS${bits}`, (input) => sign(`sha${bits}`, input, pss)],
  ]),
  ['EdDSA', (input) => sign(null, input, generateKeyPairSync('ed25519').privateKey)],
  ['Ed25519', (input) => sign(null, input, generateKeyPairSync('ed25519').privateKey)],
  ['Ed448', (input) => sign(null, input, generateKeyPairSync('ed448').privateKey)],
  ['ES256K', (input) => sign('sha256', input, p1363(ec('secp256k1')))],
  ['ES384', (input) => sign('sha384', input, p1363(ec('P-384')))],
  ['ES512', (input) => sign('sha512', input, p1363(ec('P-521')))],
]

describe("a stranger's key of another kind, under its own name and under ours", () => {
  test.each(KEYS)('%s', async (alg, make) => {
    for (const name of [alg, 'ES256']) {
      const input = `${encode({ ...forgery.header, alg: name })}.${encode(forgery.claims)}`
      await forgery.expectInvalid(`${input}.${make(Buffer.from(input)).toString('base64url')}`)
    }
  })

  test('ES256 itself', async () => {
    await forgery.expectInvalid(signedBy(ec('P-256'), forgery.header, forgery.claims))
  })
})

test('no case made the server look anything up or connect', () => {
  expect(forgery.outgoing()).toEqual([])
})
