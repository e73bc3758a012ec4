import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encode, encodeText, signedBy, signedText } from '../../../setup/forge.ts'
import { type Forgery, startForgery, unsigned } from '../../../setup/forgery.ts'

const STRANGER = generateKeyPairSync('ec', { namedCurve: 'P-256' })

let forgery: Forgery
beforeAll(async () => {
  forgery = await startForgery()
})
afterAll(() => forgery.close())

test('the genuine token works, so that the refusals below mean something', async () => {
  expect((await forgery.ask(`Bearer ${forgery.token}`)).status).toBe(200)
  expect((await forgery.ask(`Bearer ${forgery.withHeader({})}`)).status).toBe(200)
})

const ALGORITHMS: unknown[] = [
  ...['none', 'None', 'NONE', 'nOnE', 'noNE', ' none', 'none ', 'none\0', 'n\u043fne', '\uff4eone'],
  ...['', 'null', 'false', 'ES256 ', ' ES256', 'es256', 'Es256', 'ES256\0', 'ES256\n', 'ES-256'],
  ...['ECDSA', 'ES256,none', 'SHA256withECDSA', '__proto__', 'constructor'],
  ...['HS256', 'RS256', 'PS256', 'EdDSA', 'ES384', 'ES512', 'ES256K', 'A128KW', 'dir'],
  ...[null, undefined, 0, 1, true, false, [], ['none'], ['ES256'], {}, { ES256: true }],
]

describe('an algorithm that is not ES256: unsigned, under the genuine signature, signed by us', () => {
  test.each(ALGORITHMS.map((alg) => [alg]))('%j', async (alg) => {
    const { header, claims, segments, expectInvalid, withHeader } = forgery
    await expectInvalid(unsigned({ ...header, alg }, claims))
    await expectInvalid(`${encode({ ...header, alg })}.${segments[1]}.${segments[2]}`)
    await expectInvalid(withHeader({ alg }))
  })
})

const KIDS: [name: string, kid: () => unknown][] = [
  ['an unknown one', () => randomUUID()],
  ['an empty one', () => ''],
  ['of 64 characters', () => 'k'.repeat(64)],
  ['of 250 characters', () => 'k'.repeat(250)],
  ['of 10,000 characters', () => 'k'.repeat(10_000)],
  ['a file that is empty', () => '../../../../../../dev/null'],
  ['a file of ours', () => '/proc/self/environ'],
  ['a file URL', () => 'file:///etc/passwd'],
  ['a Windows path', () => '..\\..\\windows\\win.ini'],
  ['an address', () => `${forgery.trapUrl}/key.pem`],
  ['a name in the DNS', () => 'keys.attacker.example'],
  ['SQL that is true', () => "' OR '1'='1"],
  ['SQL that finds a row', () => "x' UNION SELECT kid FROM signing_keys --"],
  ['SQL that drops', () => "'; DROP TABLE signing_keys; --"],
  ['SQL that sleeps', () => "'||pg_sleep(10)||'"],
  ['a pattern', () => '%'],
  ['a shell command', () => '$(sleep 10)'],
  ['a template', () => '{{7*7}}'],
  ['a property of every object', () => '__proto__'],
  ['a method of every object', () => 'constructor'],
  ['ours in upper case', () => String(forgery.header.kid).toUpperCase()],
  ['ours with a space', () => `${forgery.header.kid} `],
  ['ours with a NUL', () => `${forgery.header.kid}\0`],
  ['ours with a new line', () => `${forgery.header.kid}\n`],
  ['ours twice', () => `${forgery.header.kid}${forgery.header.kid}`],
  ['ours in an array', () => [forgery.header.kid]],
  ['ours in an object', () => ({ equals: forgery.header.kid })],
  ['a lone surrogate', () => '\ud800'],
  ['an emoji', () => '\u{1f511}'],
  ['a number', () => 1],
  ['null', () => null],
  ['true', () => true],
  ['missing', () => undefined],
]

describe('a kid that is not ours, signed by our own key and by another', () => {
  test.each(KIDS)('%s', async (_name, kid) => {
    const { header, claims, expectInvalid, withHeader } = forgery
    await expectInvalid(withHeader({ kid: kid() }))
    await expectInvalid(signedBy(STRANGER.privateKey, { ...header, kid: kid() }, claims))
  })
})

const strangersJwk = () => ({
  ...STRANGER.publicKey.export({ format: 'jwk' }),
  alg: 'ES256',
  kid: 'x',
})
const MEMBERS: [name: string, members: () => Record<string, unknown>][] = [
  ['jwk', () => ({ jwk: strangersJwk() })],
  ['jwk under its own kid', () => ({ jwk: strangersJwk(), kid: 'x' })],
  ['our own jwk', () => ({ jwk: forgery.publicJwk })],
  ['an empty jwk', () => ({ jwk: {} })],
  ['jwk of a secret', () => ({ jwk: { kty: 'oct', k: 'AA' } })],
  ['jku', () => ({ jku: `${forgery.trapUrl}/jwks.json` })],
  ['jku without kid', () => ({ jku: `${forgery.trapUrl}/jwks.json`, kid: undefined })],
  ['jku of our own set', () => ({ jku: `${forgery.market.url}/.well-known/jwks.json` })],
  ['jku that starts like ours', () => ({ jku: `${forgery.market.url}@127.0.0.1:9/` })],
  ['jku of a name', () => ({ jku: 'http://keys.attacker.example/jwks.json' })],
  ['jku of cloud metadata', () => ({ jku: 'http://169.254.169.254/latest/' })],
  ['jku of a file', () => ({ jku: 'file:///etc/passwd' })],
  ['x5u', () => ({ x5u: `${forgery.trapUrl}/cert.pem` })],
  ['x5c', () => ({ x5c: ['MIIBszCCAVmgAwIBAgIUQ'] })],
  ['x5t', () => ({ x5t: 'dGVzdA' })],
  ['x5t#S256', () => ({ 'x5t#S256': 'dGVzdA' })],
  ['crit, empty', () => ({ crit: [] })],
  ['crit of a claim', () => ({ crit: ['exp'], exp: 1 })],
  ['crit of something unknown', () => ({ crit: ['x'], x: true })],
  ['crit as text', () => ({ crit: 'exp' })],
  ['crit: null', () => ({ crit: null })],
  ['b64: false (RFC 7797)', () => ({ b64: false, crit: ['b64'] })],
  ['b64: false without crit', () => ({ b64: false })],
  ['b64: true', () => ({ b64: true })],
  ['cty', () => ({ cty: 'JWT' })],
  ['zip', () => ({ zip: 'DEF' })],
  ['enc', () => ({ enc: 'A256GCM' })],
  ['epk', () => ({ epk: strangersJwk() })],
  ['p2c', () => ({ p2c: 2_147_483_647, p2s: 'AA' })],
  ['claims', () => ({ sub: 'x', iss: 'x' })],
  ['an unknown member', () => ({ x: 1 })],
  ['a nonce', () => ({ nonce: 'x' })],
  ['typ JWT', () => ({ typ: 'JWT' })],
  ['typ in other case', () => ({ typ: 'at+JWT' })],
  ['typ as a media type', () => ({ typ: 'application/at+jwt' })],
  ['typ of a logout token', () => ({ typ: 'logout+jwt' })],
  ['typ empty', () => ({ typ: '' })],
  ['typ null', () => ({ typ: null })],
  ['typ in an array', () => ({ typ: ['at+jwt'] })],
  ['no typ', () => ({ typ: undefined })],
]

describe('a header with other members, signed by our own key and by another', () => {
  test.each(MEMBERS)('%s', async (_name, members) => {
    const { header, claims, segments, expectInvalid, withHeader } = forgery
    await expectInvalid(withHeader(members()))
    await expectInvalid(signedBy(STRANGER.privateKey, { ...header, ...members() }, claims))
    await expectInvalid(`${encode({ ...header, ...members() })}.${segments[1]}.${segments[2]}`)
  })
})

const TEXTS: [name: string, text: () => string][] = [
  ['alg twice, none first', () => own('{"alg":"none",', 1)],
  ['alg twice, none last', () => `${own('{').slice(0, -1)},"alg":"none"}`],
  ['kid twice', () => own('{"kid":"x",', 1)],
  ['alg twice, once with an escape', () => own('{"\\u0061lg":"none",', 1)],
  ['an escape in a name', () => own('{').replace('"alg"', '"\\u0061lg"')],
  ['an escape in a value', () => own('{').replace('"ES256"', '"\\u0045S256"')],
  ['white space', () => own('{').replaceAll(',', ', ')],
  ['white space around', () => ` ${own('{')}\n`],
  ['another order', () => JSON.stringify(reversed(forgery.header))],
  ['a byte order mark', () => `\ufeff${own('{')}`],
  ['a trailing comma', () => own('{').replace('}', ',}')],
  ['a comment', () => own('{').replace('{', '{/**/')],
  ['two objects', () => `${own('{')}${own('{')}`],
  ['an array around it', () => `[${own('{')}]`],
  ['text of JSON', () => JSON.stringify(own('{'))],
  ['nothing in it', () => '{}'],
  ['null', () => 'null'],
  ['a number', () => '1'],
  ['no JSON', () => 'alg=ES256'],
  ['XML', () => '<alg>ES256</alg>'],
  ['a byte that is no UTF-8', () => `${own('{')}\ufffd`],
  ['__proto__', () => own(`{"__proto__":{"alg":"none"},`, 1)],
]
/** The genuine header, as text, with another beginning. */
function own(beginning: string, skip = 1): string {
  return beginning + JSON.stringify(forgery.header).slice(skip)
}
function reversed(members: object): object {
  return Object.fromEntries(Object.entries(members).reverse())
}

describe('a header written in another way than ours, signed by our own key', () => {
  test.each(TEXTS)('%s', async (_name, text) => {
    const { claims, ownKey, segments, expectInvalid } = forgery
    await expectInvalid(signedText(ownKey, text(), JSON.stringify(claims)))
    await expectInvalid(`${encodeText(text())}.${segments[1]}.${segments[2]}`)
  })
})

test('no case made the server look anything up, connect or fetch', async () => {
  expect(forgery.outgoing()).toEqual([])
  await fetch(forgery.trapUrl)
  expect(forgery.outgoing()).toEqual([expect.stringMatching(/^connection/), 'request /'])
})
