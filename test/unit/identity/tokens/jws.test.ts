import { createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { CompactSign, compactVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import {
  createTokenSigner,
  isWrittenByUs,
  kidOfToken,
  publicKeyPem,
  signedClaims,
  TOKEN_MAX_LENGTH,
} from '../../../../src/identity/tokens/jws.ts'

/** RFC 7515, A.3: the example of a JWS with ES256. */
const RFC_JWK = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
}
const RFC_PUBLIC_KEY = publicKeyPem(RFC_JWK)
const RFC_D = 'jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI'
const RFC_HEADER = 'eyJhbGciOiJFUzI1NiJ9'
const RFC_PAYLOAD =
  'eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ'
const RFC_SIGNATURE =
  'DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q'
const RFC_TOKEN = `${RFC_HEADER}.${RFC_PAYLOAD}.${RFC_SIGNATURE}`

describe('the vector of RFC 7515, A.3', () => {
  const verify = (token: string) => signedClaims(RFC_PUBLIC_KEY, token)

  test('verifies, whatever its times are', () => {
    expect(verify(RFC_TOKEN)).toEqual({
      iss: 'joe',
      exp: 1_300_819_380,
      'http://example.com/is_root': true,
    })
  })

  test('is refused: its header and the form of its claims are not ours', () => {
    expect(kidOfToken(RFC_TOKEN)).toBeUndefined()
    expect(isWrittenByUs(RFC_TOKEN, verify(RFC_TOKEN))).toBe(false)
  })

  test('fails with any one bit of the signature flipped', () => {
    const bytes = Buffer.from(RFC_SIGNATURE, 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes)
      changed.writeUInt8((changed[bit >> 3] ?? 0) ^ (1 << (bit & 7)), bit >> 3)
      const forged = `${RFC_HEADER}.${RFC_PAYLOAD}.${changed.toString('base64url')}`
      expect(() => verify(forged)).toThrow()
    }
  })

  test('fails with any one byte of the payload changed', () => {
    const bytes = Buffer.from(RFC_PAYLOAD, 'base64url')
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes)
      changed.writeUInt8((changed[index] ?? 0) ^ 1, index)
      const forged = `${RFC_HEADER}.${changed.toString('base64url')}.${RFC_SIGNATURE}`
      expect(() => verify(forged)).toThrow()
    }
  })

  test('fails without its signature and with the signature of another key', async () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    const payload = Buffer.from(RFC_PAYLOAD, 'base64url')
    const forged = await new CompactSign(payload).setProtectedHeader({ alg: 'ES256' }).sign(other)
    for (const token of [forged, `${RFC_HEADER}.${RFC_PAYLOAD}.`, `${RFC_HEADER}.${RFC_PAYLOAD}`]) {
      expect(() => verify(token)).toThrow()
    }
  })
})

describe('the library jose', () => {
  const privateKey = createPrivateKey({ key: { ...RFC_JWK, d: RFC_D }, format: 'jwk' })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  const kid = randomUUID()

  test('verifies what we sign', async () => {
    const claims = { sub: 'x', iat: 1, exp: 2, n: '\u00fc\u{1f511}' }
    const token = await createTokenSigner(kid, pem)(claims)
    const key = createPublicKey(privateKey)
    const { payload, protectedHeader } = await compactVerify(token, key, { algorithms: ['ES256'] })
    expect(JSON.parse(Buffer.from(payload).toString())).toEqual(claims)
    expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'at+jwt', kid })
    expect(kidOfToken(token)).toBe(kid)
    expect(isWrittenByUs(token, signedClaims(RFC_PUBLIC_KEY, token))).toBe(true)
  })

  test('verifies each of 2,000 signatures, some of which begin with zeros', async () => {
    const sign = createTokenSigner(kid, pem)
    const tokens = await Promise.all(Array.from({ length: 2_000 }, (_, n) => sign({ n })))
    const key = createPublicKey(privateKey)
    await Promise.all(tokens.map((token) => compactVerify(token, key, { algorithms: ['ES256'] })))
    const halves = tokens.flatMap((token) => {
      const signature = Buffer.from(token.split('.')[2] ?? '', 'base64url')
      return [signature[0], signature[32]]
    })
    expect(halves).toContain(0)
  })

  test('signs what we verify, when it has our header and the lower of its two signatures', async () => {
    const claims = { sub: 'x' }
    const text = Buffer.from(JSON.stringify(claims))
    const sign = () =>
      new CompactSign(text)
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid })
        .sign(privateKey)
    const tokens = await Promise.all(Array.from({ length: 64 }, sign))
    const ours = tokens.filter((token) => kidOfToken(token) === kid)
    // That library makes either, as chance has it.
    expect(ours.length).toBeGreaterThan(0)
    expect(ours.length).toBeLessThan(64)
    for (const token of ours) expect(signedClaims(RFC_PUBLIC_KEY, token)).toEqual(claims)
  })
})

describe('the form of a token', () => {
  const encode = (text: string) => Buffer.from(text).toString('base64url')
  const shaped = (header: string, claims = '{}') =>
    `${encode(header)}.${encode(claims)}.${'A'.repeat(86)}`
  const ours = (kid: string) => JSON.stringify({ alg: 'ES256', typ: 'at+jwt', kid })

  test('reading the kid never throws, and only our header has one', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (text) => {
        expect(kidOfToken(text)).toBeUndefined()
        expect(kidOfToken(shaped(text))).toBeUndefined()
      }),
    )
  })

  test('accepts a header only with our members in our order, and only our kid', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (kid) => {
        const isName = /^[A-Za-z0-9_-]{1,64}$/.test(kid)
        expect(kidOfToken(shaped(ours(kid)))).toBe(isName ? kid : undefined)
      }),
    )
  })

  test(`has at most ${TOKEN_MAX_LENGTH} characters`, () => {
    const claims = (length: number) => `{"x":"${'x'.repeat(length)}"}`
    const longest = shaped(ours('k'), claims(1100))
    expect(longest.length).toBeLessThanOrEqual(TOKEN_MAX_LENGTH)
    expect(kidOfToken(longest)).toBe('k')
    expect(kidOfToken(shaped(ours('k'), claims(1500)))).toBeUndefined()
  })

  test('hostile lengths are refused', () => {
    for (const text of ['.'.repeat(1_000_000), 'A'.repeat(1_000_000), 'eyJ.'.repeat(250_000)]) {
      expect(kidOfToken(text)).toBeUndefined()
    }
  })
})

test('a token has one signature: its twin is none of ours, and ours are good for everybody', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  const signer = createTokenSigner('kid', pem)
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
  for (let count = 0; count < 32; count += 1) {
    const token = await signer({ count })
    expect(kidOfToken(token)).toBe('kid')
    await compactVerify(token, publicKey)
    const [header, claims, signature = ''] = token.split('.')
    const bytes = Buffer.from(signature, 'base64url')
    const s = BigInt(`0x${bytes.toString('hex', 32)}`)
    expect(s <= order / 2n).toBe(true)
    bytes.write((order - s).toString(16).padStart(64, '0'), 32, 'hex')
    const twin = `${header}.${claims}.${bytes.toString('base64url')}`
    await compactVerify(twin, publicKey)
    expect(kidOfToken(twin)).toBeUndefined()
  }
})
