import { createHmac, createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../../setup/app.ts'
import { call, demoInstallation, developerToken, installationToken } from '../../../setup/client.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { decode, encode, signedBy } from '../../../setup/forge.ts'

const REALM = 'Bearer realm="App Marketplace"'
const INVALID = `${REALM}, error="invalid_token", error_description="The bearer token is not valid"`

let market: SharedMarketplace
let token: string
let claims: Record<string, unknown>
let header: { alg: string; typ: string; kid: string }
beforeAll(async () => {
  market = await sharedMarketplace()
  token = await installationToken(market, demoInstallation(market, 'price-sync', 'Seller'))
  const [head, body] = token.split('.').slice(0, 2).map(decode)
  header = head
  claims = body
})

const products = (bearer: string) => call(market, 'GET', '/v1/Products', { token: bearer })

async function expectInvalid(bearer: string): Promise<void> {
  const answer = await products(bearer)
  expectProblem(answer, 'invalid_token')
  expect(answer.headers.get('www-authenticate')).toBe(INVALID)
}

const STRANGER = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const signedByStranger = (head: object, body: object) => signedBy(STRANGER, head, body)

/** Flips the lowest used bit of one character of a base64url text. */
function flipBit(text: string, index: number, bit = 1): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const flipped = alphabet[alphabet.indexOf(text.charAt(index)) ^ bit]
  return `${text.slice(0, index)}${flipped}${text.slice(index + 1)}`
}

test('the unchanged token works, so that the refusals below mean something', async () => {
  expect((await products(token)).status).toBe(200)
})

describe('without a bearer token', () => {
  test.each([
    ['no header', {}],
    ['another scheme', { authorization: 'Basic eDp5' }],
    ['a token without its scheme', { authorization: 'eyJ.eyJ.x' }],
    ['a word that starts like the scheme', { authorization: 'Bearerx abc' }],
    ['an empty header', { authorization: '' }],
  ])('%s is 401 missing_token with a challenge without an error', async (_name, headers) => {
    const answer = await call(market, 'GET', '/v1/Products', { headers })
    expectProblem(answer, 'missing_token')
    expect(answer.headers.get('www-authenticate')).toBe(REALM)
  })

  test('a token in the query or in a cookie is ignored', async () => {
    const query = await call(market, 'GET', `/v1/Products?access_token=${token}`)
    const cookie = await call(market, 'GET', '/v1/Products', { headers: { cookie: `t=${token}` } })
    for (const answer of [query, cookie]) expectProblem(answer, 'missing_token')
  })

  test('the scheme is matched without regard to case', async () => {
    const headers = { authorization: `bEARER ${token}` }
    expect((await call(market, 'GET', '/v1/Products', { headers })).status).toBe(200)
  })
})

describe('a token of another form is invalid', () => {
  test.each([
    ['empty', () => ''],
    ['a word', () => 'nonsense'],
    ['two segments', () => token.split('.').slice(0, 2).join('.')],
    ['no signature', () => `${token.split('.').slice(0, 2).join('.')}.`],
    ['four segments', () => `${token}.x`],
    ['five segments, as an encrypted one', () => 'a.b.c.d.e'],
    ['cut by one character', () => token.slice(0, -1)],
    ['one character longer', () => `${token}A`],
    ['padded', () => `${token}==`],
    ['base64 in place of base64url', () => `${token.slice(0, -2)}+${token.slice(-1)}`],
    ['white space inside', () => token.replace('.', '. ')],
    ['two tokens', () => `${token}, ${token}`],
    ['over 2,048 characters', () => token.replace('.', `.${'e'.repeat(2048)}`)],
    [
      'no JSON in the header',
      () => `${Buffer.from('x').toString('base64url')}.e30.${'A'.repeat(86)}`,
    ],
    ['null as header', () => `${encode(null)}.e30.${'A'.repeat(86)}`],
  ])('%s', async (_name, make) => {
    await expectInvalid(make())
  })
})

describe('a forged token is invalid', () => {
  test.each(['none', 'None', 'NONE', 'nOnE', '', null])('alg %j', async (alg) => {
    const [, body, signature] = token.split('.')
    const head = encode({ ...header, alg })
    await expectInvalid(`${head}.${body}.`)
    await expectInvalid(`${head}.${body}.${signature}`)
  })

  test('HS256 with the public key as secret', async () => {
    const { body } = await call(market, 'GET', '/.well-known/jwks.json')
    const key = createPublicKey({ key: body.keys[0], format: 'jwk' })
    const secrets = [
      key.export({ type: 'spki', format: 'pem' }),
      key.export({ type: 'spki', format: 'der' }),
      JSON.stringify(body.keys[0]),
    ]
    for (const secret of secrets) {
      for (const alg of ['HS256', 'ES256']) {
        const input = `${encode({ ...header, alg })}.${encode(claims)}`
        const mac = createHmac('sha256', secret).update(input).digest('base64url')
        await expectInvalid(`${input}.${mac}`)
      }
    }
  })

  test('signed by another key under our kid, an unknown kid and no kid', async () => {
    await expectInvalid(signedByStranger(header, claims))
    await expectInvalid(signedByStranger({ ...header, kid: randomUUID() }, claims))
    await expectInvalid(signedByStranger({ ...header, kid: "' OR 1=1 --" }, claims))
    await expectInvalid(signedByStranger({ alg: 'ES256', typ: 'at+jwt' }, claims))
    await expectInvalid(signedByStranger({ ...header, kid: 1 }, claims))
  })

  test('the audience swapped, under the old signature or a new one', async () => {
    const swapped = { ...claims, aud: 'developer' }
    const [head, , signature] = token.split('.')
    for (const forged of [
      `${head}.${encode(swapped)}.${signature}`,
      signedByStranger(header, swapped),
    ]) {
      await expectInvalid(forged)
      const answer = await call(market, 'GET', '/v1/Developer/Installations', { token: forged })
      expectProblem(answer, 'invalid_token')
    }
  })

  test.each([
    ['jwk', { jwk: { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' } }],
    ['jku', { jku: 'http://127.0.0.1:9/jwks.json' }],
    ['x5u', { x5u: 'http://127.0.0.1:9/cert.pem' }],
    ['x5c', { x5c: ['MIIB'] }],
    ['crit', { crit: ['exp'] }],
    ['b64', { b64: false, crit: ['b64'] }],
    ['another typ', { typ: 'JWT' }],
    ['another algorithm', { alg: 'ES384' }],
  ])('a header with %s', async (_name, members) => {
    await expectInvalid(signedByStranger({ ...header, ...members }, claims))
    const [, body, signature] = token.split('.')
    await expectInvalid(`${encode({ ...header, ...members })}.${body}.${signature}`)
  })

  test('one flipped bit in any segment', async () => {
    const segments = token.split('.') as [string, string, string]
    for (const [position, segment] of segments.entries()) {
      for (const index of [0, Math.floor(segment.length / 2), segment.length - 2]) {
        const changed = segments.with(position, flipBit(segment, index))
        await expectInvalid(changed.join('.'))
      }
    }
  })

  test('a last character of the signature with unused bits set, though it decodes alike', async () => {
    const last = token.length - 1
    for (const bit of [1, 2, 4, 8]) {
      const variant = flipBit(token, last, bit)
      const bytes = (text: string) => Buffer.from(text.split('.')[2] as string, 'base64url')
      expect(bytes(variant)).toEqual(bytes(token))
      await expectInvalid(variant)
    }
  })
})

describe('a token of the other kind is 403 wrong_token_kind', () => {
  test('a developer token on data, an installation token on the developer API', async () => {
    const developer = await developerToken(market)
    const answers = await Promise.all([
      products(developer),
      call(market, 'GET', '/v1/User/Profile', { token: developer }),
      call(market, 'GET', '/v1/Developer/Installations', { token }),
      call(market, 'POST', '/v1/Developer/Token', { token, body: { installationId: claims.sub } }),
    ])
    for (const answer of answers) {
      expectProblem(answer, 'wrong_token_kind')
      expect(answer.headers.has('www-authenticate')).toBe(false)
    }
  })

  test('the guard runs before the body and the query are read', async () => {
    const options = { token, body: '{broken' }
    const answer = await call(market, 'POST', '/v1/Developer/Token', options)
    expectProblem(answer, 'wrong_token_kind')
    expectProblem(await call(market, 'GET', '/v1/Products?limit=x'), 'missing_token')
  })
})

test('the key set has public members only', async () => {
  const { status, headers, body } = await call(market, 'GET', '/.well-known/jwks.json')
  expect({ status, keys: body.keys.length }).toEqual({ status: 200, keys: 1 })
  expect(Object.keys(body)).toEqual(['keys'])
  expect(Object.keys(body.keys[0]).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
  expect(headers.get('cache-control')).toBe('public, max-age=300')
  expect(body.keys[0].kid).toBe(header.kid)
})
