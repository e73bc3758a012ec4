import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call } from '../../../setup/client.ts'
import { encode, encodeText, signedText } from '../../../setup/forge.ts'
import { type Forgery, startForgery } from '../../../setup/forgery.ts'

let forgery: Forgery
beforeAll(async () => {
  forgery = await startForgery()
})
afterAll(() => forgery.close())

const bytes = (segment: string) => Buffer.from(segment, 'base64url')
const joined = (...segments: string[]) => segments.join('.')
const change = (position: number, how: (segment: string) => string) => () =>
  joined(...forgery.segments.map((segment, at) => (at === position ? how(segment) : segment)))

const SEGMENTS: [name: string, make: () => string][] = [
  ['one segment', () => forgery.segments[1]],
  ['two segments', () => joined(forgery.segments[0], forgery.segments[1])],
  ['two segments and a full stop', () => joined(forgery.segments[0], forgery.segments[1], '')],
  ['four segments', () => joined(forgery.token, forgery.segments[2])],
  ['an empty fourth segment', () => joined(forgery.token, '')],
  ['five segments', () => joined(...forgery.segments, 'AA', 'AA')],
  ['an empty first segment', () => joined('', forgery.segments[1], forgery.segments[2])],
  ['an empty second segment', () => joined(forgery.segments[0], '', forgery.segments[2])],
  ['full stops only', () => '..'],
  ['a leading full stop', () => `.${forgery.token}`],
  ['two full stops in a row', () => forgery.token.replace('.', '..')],
  ['another separator', () => forgery.token.replaceAll('.', '~')],
  ['the segments the other way round', () => joined(...forgery.segments.toReversed())],
  ['the header twice', () => joined(forgery.segments[0], forgery.token)],
  ['an encrypted token (RFC 7516)', () => jwe({ alg: 'dir', enc: 'A256GCM' })],
  ['an encrypted token with our kid', () => jwe({ ...forgery.header, enc: 'A256GCM' })],
  ['a password-encrypted token', () => jwe({ alg: 'PBES2-HS256+A128KW', p2c: 2_147_483_647 })],
  ['JSON serialization (RFC 7515, 7.2)', () => encodeText(jsonSerialization())],
  ['JSON serialization as it is', jsonSerialization],
  ['a selective-disclosure token', () => `${forgery.token}~`],
  ['detached content (RFC 7515, F)', change(1, () => '')],
  ['a nested token', () => nested(`${forgery.token}`)],
  ['a nested token as JSON text', () => nested(JSON.stringify(forgery.token))],
  ['a PASETO', () => 'v4.public.eyJkYXRhIjoidGhpcyBpcyBhIHNpZ25lZCBtZXNzYWdlIn1k'],
  ['a UUID', () => String(forgery.claims.jti)],
  ['the jti in base64url', () => encode(forgery.claims.jti)],
]

function jwe(header: object): string {
  return joined(encode(header), 'AAAA', encodeText('nonce'), forgery.segments[1], encodeText('tag'))
}
function jsonSerialization(): string {
  const [header, payload, signature] = forgery.segments
  return JSON.stringify({ protected: header, payload, signature })
}
function nested(text: string): string {
  return signedText(forgery.ownKey, JSON.stringify(forgery.header), text)
}

describe('a number of segments, or a format, that is not ours', () => {
  test.each(SEGMENTS)('%s', async (_name, make) => {
    await forgery.expectInvalid(make())
  })
})

const ENCODINGS: [name: string, make: () => string][] = [
  ...[0, 1, 2].flatMap((at): [string, () => string][] => [
    [`segment ${at} padded with =`, change(at, (one) => `${one}=`)],
    [`segment ${at} padded with ==`, change(at, (one) => `${one}==`)],
    [`segment ${at} padded with %3D`, change(at, (one) => `${one}%3D`)],
    [`segment ${at} with + in it`, change(at, (one) => `${one.slice(0, 3)}+${one.slice(4)}`)],
    [`segment ${at} with / in it`, change(at, (one) => `${one.slice(0, 3)}/${one.slice(4)}`)],
    [`segment ${at} with a character more`, change(at, (one) => `${one}A`)],
    [`segment ${at} with a character less`, change(at, (one) => one.slice(0, -1))],
    [`segment ${at} in hexadecimal`, change(at, (one) => bytes(one).toString('hex'))],
    [`segment ${at} not encoded`, change(at, (one) => bytes(one).toString('latin1'))],
    [`segment ${at} encoded twice`, change(at, (one) => encodeText(one))],
    [`segment ${at} in upper case`, change(at, (one) => one.toUpperCase())],
    [`segment ${at} with a NUL`, change(at, (one) => `${one}\0`)],
    [`segment ${at} with a no-break space`, change(at, (one) => `${one}\u00a0`)],
    [`segment ${at} with a full-width letter`, change(at, (one) => `\uff21${one.slice(1)}`)],
  ]),
  ['base64 in place of base64url', change(2, (one) => bytes(one).toString('base64'))],
  ['quotes around it', () => `"${forgery.token}"`],
  ['angle brackets around it', () => `<${forgery.token}>`],
  ['percent-encoded full stops', () => forgery.token.replaceAll('.', '%2E')],
  ['a name before it', () => `token=${forgery.token}`],
  ['a comma after it', () => `${forgery.token},`],
  ['a semicolon after it', () => `${forgery.token};`],
  ['a parameter after it', () => `${forgery.token}, realm="x"`],
  ['two of them', () => `${forgery.token},${forgery.token}`],
  ['two of them with their scheme', () => `${forgery.token}, Bearer ${forgery.token}`],
  ['Bearer twice', () => `Bearer ${forgery.token}`],
]

describe('an encoding that is not ours', () => {
  test.each(ENCODINGS)('%s', async (_name, make) => {
    await forgery.expectInvalid(make())
  })
})

describe('last characters with unused bits set, though they decode alike', () => {
  const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

  test.each([0, 1, 2])('segment %i', async (at) => {
    const segment = forgery.segments[at] as string
    const variants = [...ALPHABET]
      .map((character) => `${segment.slice(0, -1)}${character}`)
      .filter((variant) => variant !== segment && bytes(variant).equals(bytes(segment)))
    // A segment of a whole number of triples has no unused bits.
    expect(variants).toHaveLength([0, 0, 15, 3][segment.length % 4] ?? -1)
    for (const variant of variants) await forgery.expectInvalid(change(at, () => variant)())
  })
})

describe('white space', () => {
  const SPACES: [name: string, text: string][] = [
    ['a tab', '\t'],
    ['a new line', '\n'],
    ['CR LF', '\r\n'],
    ['a form feed', '\f'],
    ['a vertical tab', '\v'],
    ['a no-break space', '\u00a0'],
    ['a zero-width space', '\u200b'],
    ['a byte order mark', '\ufeff'],
    ['a line separator', '\u2028'],
  ]

  test.each(SPACES)('%s before, after and in the token', async (_name, space) => {
    const { token, expectInvalid } = forgery
    await expectInvalid(`${space}${token}`)
    await expectInvalid(`${token}${space}`)
    await expectInvalid(token.replace('.', `${space}.`))
    await expectInvalid(`${token.slice(0, 300)}${space}${token.slice(300)}`)
    await expectInvalid(`${token} ${space}`)
  })

  test('a space after and in the token', async () => {
    const { token, expectInvalid } = forgery
    await expectInvalid(`${token} `)
    await expectInvalid(token.replace('.', ' .'))
    await expectInvalid(`${token.slice(0, 300)} ${token.slice(300)}`)
  })

  test('spaces between scheme and token are those of RFC 6750, a tab is not', async () => {
    expect((await forgery.ask(`Bearer   ${forgery.token}`)).status).toBe(200)
    const tab = await forgery.ask(`Bearer\t${forgery.token}`)
    expect(tab).toEqual({ status: 401, code: 'invalid_token' })
  })
})

describe('no bearer token at all is missing_token', () => {
  const HEADERS: [name: string, header: () => string][] = [
    ['no scheme', () => forgery.token],
    ['Basic', () => `Basic ${forgery.token}`],
    ['DPoP', () => `DPoP ${forgery.token}`],
    ['Token', () => `Token ${forgery.token}`],
    ['a scheme that starts alike', () => `BearerToken ${forgery.token}`],
    ['the scheme and a colon', () => `Bearer: ${forgery.token}`],
    ['the scheme and =', () => `Bearer=${forgery.token}`],
    ['something before the scheme', () => `, Bearer ${forgery.token}`],
    ['another scheme first', () => `Basic eDp5, Bearer ${forgery.token}`],
    ['a full-width scheme', () => `\uff22earer ${forgery.token}`],
  ]
  test.each(HEADERS)('%s', async (_name, header) => {
    expect(await forgery.ask(header())).toEqual({ status: 401, code: 'missing_token' })
  })

  test.each(['access_token', 'token', 'bearer', 'jwt', 'authorization'])(
    'the token as %s in the query, a cookie or a header of another name',
    async (name) => {
      const { token, market } = forgery
      for (const answer of [
        await call(market, 'GET', `/v1/Products?${name}=${token}`),
        await call(market, 'GET', '/v1/Products', { headers: { cookie: `${name}=${token}` } }),
        await call(market, 'GET', '/v1/Products', {
          headers: { [`x-${name}`]: `Bearer ${token}` },
        }),
      ]) {
        expect([answer.status, answer.body.code]).toEqual([401, 'missing_token'])
      }
    },
  )
})
