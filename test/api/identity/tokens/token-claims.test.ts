import { createPrivateKey, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { issueToken } from '../../../../src/identity/tokens/issue-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { call, demoInstallation, developerToken, installationToken } from '../../../setup/client.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { decode, signedBy } from '../../../setup/forge.ts'

const CHALLENGE = 'Bearer realm="App Marketplace", error="invalid_token", error_description='
const EXPIRED = `${CHALLENGE}"The bearer token has expired"`

let market: TestMarketplace
let token: string
let claims: Record<string, unknown>
let header: object
let ownKey: KeyObject
beforeAll(async () => {
  market = await startMarketplace()
  token = await installationToken(market, demoInstallation(market, 'price-sync', 'Seller'))
  const [head, body] = token.split('.').slice(0, 2).map(decode)
  header = head
  claims = body
  const { kid, privateKey } = await market.deps.db.signingKey.findFirstOrThrow()
  ownKey = createPrivateKey(market.deps.secrets.decrypt(privateKey, `signing key ${kid}`))
})
afterAll(() => market.close())

const products = (bearer: string) => call(market, 'GET', '/v1/Products', { token: bearer })
const signed = (changes: Record<string, unknown>) =>
  signedBy(ownKey, header, { ...claims, jti: randomUUID(), ...changes })
const now = () => Math.floor(Date.now() / 1000)

async function expectInvalid(bearer: string): Promise<void> {
  const answer = await products(bearer)
  expectProblem(answer, 'invalid_token')
  expect(answer.headers.get('www-authenticate')).toBe(`${CHALLENGE}"The bearer token is not valid"`)
}

describe('the header is checked even when our own key signed it', () => {
  test.each([
    ['jwk', { jwk: { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' } }],
    ['jku', { jku: 'http://127.0.0.1:9/jwks.json' }],
    ['x5u', { x5u: 'http://127.0.0.1:9/cert.pem' }],
    ['crit', { crit: ['exp'] }],
    ['another typ', { typ: 'JWT' }],
    ['no typ', { typ: undefined }],
    ['another algorithm', { alg: 'ES512' }],
    ['no kid', { kid: undefined }],
  ])('%s', async (_name, members) => {
    await expectInvalid(signedBy(ownKey, { ...header, ...members }, claims))
  })
})

describe('claims are checked even when our own key signed them', () => {
  test('the same claims, signed again, work', async () => {
    expect((await products(signed({}))).status).toBe(200)
  })

  test.each([
    ['another issuer', { iss: 'https://other.example' }],
    ['our issuer with a slash', { iss: `${'http://127.0.0.1'}/` }],
    ['several audiences', { aud: ['installation', 'developer'] }],
    ['an unknown audience', { aud: 'account' }],
    ['a subject that is no id', { sub: 'x' }],
    ['a subject of another type', { sub: 1 }],
    ['exp as text', { exp: '9999999999' }],
    ['exp as a fraction', { exp: 9999999999.5 }],
    ['iat in the future', { iat: Math.floor(Date.now() / 1000) + 3600 }],
    ['a party id as text', { party_id: '1' }],
    ['an unknown party type', { party_type: 'Operator' }],
    ['scope as an array', { scope: ['products:read'] }],
    ['a generation beyond the column', { gen: 2 ** 40 }],
    ['a user id that is none', { user_id: 'x' }],
    ['a jti that is none', { jti: 'x' }],
    ['a claim that we never make', { admin: true }],
  ])('%s', async (_name, changes) => {
    await expectInvalid(signed(changes))
  })

  test.each([
    'iss',
    'aud',
    'sub',
    'iat',
    'exp',
    'jti',
    'client_id',
    'app_id',
    'party_id',
    'party_type',
    'scope',
    'gen',
  ])('%s missing', async (name) => {
    await expectInvalid(signed({ [name]: undefined }))
  })

  test('a clock that is slightly behind accepts a token of a moment later', async () => {
    expect((await products(signed({ iat: now() + 30 }))).status).toBe(200)
  })

  test('exp is the first second in which the token no longer works', async () => {
    expect((await products(signed({ exp: now() + 60 }))).status).toBe(200)
    const answer = await products(signed({ exp: now() }))
    expectProblem(answer, 'token_expired')
    expect(answer.headers.get('www-authenticate')).toBe(EXPIRED)
  })

  test('a forged token that ran out is invalid, not expired', async () => {
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    await expectInvalid(signedBy(stranger, header, { ...claims, exp: now() - 10 }))
  })
})

test('the clock of the server decides when tokens run out', async () => {
  const developer = await developerToken(market)
  const short = (await issueToken(market.deps, claims as never, 900)).token
  expect((await products(short)).status).toBe(200)
  market.advance(901)
  expectProblem(await products(short), 'token_expired')
  expect((await products(token)).status).toBe(200)
  market.advance(2700)
  for (const answer of [
    await products(token),
    await call(market, 'GET', '/v1/Developer/Installations', { token: developer }),
  ]) {
    expectProblem(answer, 'token_expired')
    expect(answer.headers.get('www-authenticate')).toBe(EXPIRED)
  }
})
