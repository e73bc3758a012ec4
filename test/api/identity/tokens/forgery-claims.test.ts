import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoInstallation, developerToken, userToken } from '../../../setup/client.ts'
import { decode, signedBy, signedText } from '../../../setup/forge.ts'
import { type Forgery, startForgery } from '../../../setup/forgery.ts'
import { redirectToken } from '../../../setup/redirect.ts'

/** Where each kind of token is asked for. */
const ENDPOINTS = {
  installation: '/v1/Products?limit=1',
  redirect: '/v1/User/Profile',
  developer: '/v1/Developer/Installations',
  account: '/v1/Account',
}
type Kind = keyof typeof ENDPOINTS
const INSTALLATION_CLAIMS = [
  ...['iss', 'aud', 'sub', 'client_id', 'iat', 'exp', 'jti'],
  ...['app_id', 'party_id', 'party_type', 'scope', 'gen'],
]
const CLAIMS = {
  installation: [...INSTALLATION_CLAIMS, 'cid'],
  redirect: [...INSTALLATION_CLAIMS, 'user_id', 'ugen', 'mgen'],
  developer: ['iss', 'aud', 'sub', 'client_id', 'iat', 'exp', 'jti', 'cid'],
  account: ['iss', 'aud', 'sub', 'client_id', 'iat', 'exp', 'jti', 'gen'],
}
const KINDS = Object.keys(ENDPOINTS) as Kind[]

let forgery: Forgery
let genuine: Record<Kind, Record<string, unknown>>
beforeAll(async () => {
  forgery = await startForgery()
  const claimsOf = (token: string) => decode(token.split('.')[1] as string)
  genuine = {
    installation: forgery.claims,
    redirect: claimsOf(await tokenOfMember()),
    developer: claimsOf(await developerToken(forgery.market)),
    account: claimsOf(await userToken(forgery.market)),
  }
})
afterAll(() => forgery.close())

/** As the redirect makes it, of a user who has chosen a password twice. */
async function tokenOfMember(): Promise<string> {
  const { db } = forgery.market.deps
  const { id, partyId } = demoInstallation(forgery.market, 'price-sync', 'Seller')
  const { userId } = await db.membership.findFirstOrThrow({ where: { partyId } })
  await db.user.update({ where: { id: userId }, data: { tokenGeneration: 2 } })
  await db.membership.updateMany({ where: { userId }, data: { generation: 5 } })
  return redirectToken(forgery.market, id, userId)
}

/** A token with claims of our own making, under our own key. */
const signed = (kind: Kind, changes: Record<string, unknown>) =>
  signedBy(forgery.ownKey, forgery.header, { ...genuine[kind], ...changes })
const refused = (kind: Kind, changes: Record<string, unknown>) =>
  forgery.expectInvalid(signed(kind, changes), ENDPOINTS[kind])
const audienceOf = (kind: Kind) => genuine[kind].aud as Kind
const refusedAt = (token: string, kind: Kind) => forgery.expectInvalid(token, ENDPOINTS[kind])
const now = () => Math.floor(Date.now() / 1000)

test.each(KINDS)('a genuine %s token, signed again, works', async (kind) => {
  const { status } = await forgery.ask(`Bearer ${signed(kind, {})}`, ENDPOINTS[kind])
  expect(status).toBe(200)
})

const EVERY_CLAIM = KINDS.flatMap((kind) => CLAIMS[kind].map((claim) => [kind, claim] as const))

describe('a claim missing or of a wrong type, signed by our own key', () => {
  test('the list contains every claim', () => {
    for (const kind of KINDS) expect(Object.keys(genuine[kind]).sort()).toEqual(CLAIMS[kind].sort())
  })

  test.each(EVERY_CLAIM)('%s token: %s missing', async (kind, claim) => {
    await refused(kind, { [claim]: undefined })
  })
  test.each(EVERY_CLAIM)('%s token: %s null', async (kind, claim) => {
    await refused(kind, { [claim]: null })
  })
  test.each(EVERY_CLAIM)('%s token: %s in an array', async (kind, claim) => {
    await refused(kind, { [claim]: [genuine[kind][claim]] })
  })
  test.each(EVERY_CLAIM)('%s token: %s as an object', async (kind, claim) => {
    await refused(kind, { [claim]: { equals: genuine[kind][claim] } })
  })
  test.each(EVERY_CLAIM)('%s token: %s as the other of text and number', async (kind, claim) => {
    const value = genuine[kind][claim]
    await refused(kind, { [claim]: typeof value === 'number' ? String(value) : 1 })
  })
  test.each(EVERY_CLAIM)('%s token: %s as true', async (kind, claim) => {
    await refused(kind, { [claim]: true })
  })
})

describe('bounds that our tokens never have', () => {
  const BOUNDS: [name: string, kind: Kind, changes: () => Record<string, unknown>][] = [
    ['no generation of the user', 'redirect', () => ({ ugen: undefined })],
    ['no generation of the membership', 'redirect', () => ({ mgen: undefined })],
    ['neither generation', 'redirect', () => ({ ugen: undefined, mgen: undefined })],
    ...['ugen', 'mgen'].flatMap((claim) =>
      [-1, 0, 1, 3, 4, 6, 0.5, 2 ** 31, 2 ** 53, 1e300].map((value): (typeof BOUNDS)[number] => [
        `${claim} ${value}`,
        'redirect',
        () => ({ [claim]: value }),
      ]),
    ),
    ['generations without a user', 'redirect', () => ({ user_id: undefined })],
    ['one generation with a credential', 'installation', () => ({ ugen: 0 })],
    ['the other generation with a credential', 'installation', () => ({ mgen: 0 })],
    ['a user and a credential', 'redirect', () => ({ cid: genuine.installation.cid })],
    ['a credential that is none', 'installation', () => ({ cid: randomUUID() })],
    ['a credential that is no id', 'installation', () => ({ cid: "' OR 1=1 --" })],
    ['an endless credential', 'installation', () => ({ cid: 'a'.repeat(1000) })],
  ]
  test.each(BOUNDS)('%s', (_name, kind, changes) => refused(kind, changes()))
})

describe('times that our tokens never have', () => {
  const TIMES: [name: string, changes: () => Record<string, unknown>][] = [
    ['exp as text', () => ({ exp: String(now() + 900) })],
    ['exp as a date', () => ({ exp: new Date(Date.now() + 900_000).toISOString() })],
    ['exp as a fraction', () => ({ exp: now() + 900.5 })],
    ['exp negative', () => ({ exp: -1 })],
    ['exp zero', () => ({ exp: 0 })],
    ['exp before iat', () => ({ iat: now() - 10, exp: now() - 11 })],
    ['exp in milliseconds', () => ({ exp: Date.now() + 900_000 })],
    ['exp a day and a second after iat', () => ({ iat: now(), exp: now() + 86_401 })],
    ['exp beyond 32 bits', () => ({ exp: 2 ** 32 })],
    ['exp beyond what a Date takes', () => ({ exp: 8_640_000_000_001 })],
    ['exp the largest safe integer', () => ({ exp: Number.MAX_SAFE_INTEGER })],
    ['exp beyond the safe integers', () => ({ exp: 2 ** 60 })],
    ['exp 1e300', () => ({ exp: 1e300 })],
    ['iat and exp in the far future', () => ({ iat: now() + 86_400, exp: now() + 90_000 })],
    ['iat in two minutes', () => ({ iat: now() + 120 })],
    ['iat negative', () => ({ iat: -1 })],
    ['iat a fraction', () => ({ iat: now() - 0.5 })],
    ['nbf, which we never make', () => ({ nbf: now() - 10 })],
    ['auth_time after iat', () => ({ iat: now() - 5, auth_time: now() })],
    ['auth_time negative', () => ({ auth_time: -1 })],
    ['auth_time as text', () => ({ auth_time: String(now()) })],
  ]
  test.each(TIMES)('%s', async (_name, changes) => {
    for (const kind of KINDS) await refused(kind, changes())
  })

  test('auth_time, which only tokens of accounts have', async () => {
    for (const kind of KINDS.filter((one) => one !== 'account')) {
      await refused(kind, { auth_time: now() - 60 })
    }
  })

  test.each(['1e400', '-1e400', '1e3', '9999999999.0', 'NaN', '0x7fffffff', '١'])(
    'exp written as %s',
    async (text) => {
      const body = JSON.stringify(forgery.claims).replace(/"exp":\d+/, `"exp":${text}`)
      const token = signedText(forgery.ownKey, JSON.stringify(forgery.header), body)
      await forgery.expectInvalid(token)
    },
  )
})

describe('issuers and audiences that are not ours', () => {
  const url = () => forgery.market.url
  const ISSUERS: [name: string, issuer: () => unknown][] = [
    ['another one', () => 'https://other.example'],
    ['with a slash', () => `${url()}/`],
    ['with a path', () => `${url()}/v1`],
    ['in upper case', () => url().toUpperCase()],
    ['with https', () => url().replace('http:', 'https:')],
    ['another port', () => url().replace(/\d+$/, '1')],
    ['another name of the host', () => url().replace('127.0.0.1', 'localhost')],
    ['with a user name', () => url().replace('//', '//127.0.0.1@')],
    ['with a space', () => `${url()} `],
    ['with a NUL', () => `${url()}\0`],
    ['empty', () => ''],
  ]
  test.each(ISSUERS)('issuer %s', async (_name, issuer) => {
    for (const kind of KINDS) await refused(kind, { iss: issuer() })
  })

  test.each(['', '*', 'Installation', 'operator', 'developer ', 'installation developer', 'admin'])(
    'audience %j',
    async (aud) => {
      for (const kind of KINDS) await refused(kind, { aud })
    },
  )

  test('the claims of one kind under the audience of another', async () => {
    for (const kind of KINDS) {
      for (const aud of KINDS) {
        if (aud !== audienceOf(kind)) await refusedAt(signed(kind, { aud }), aud)
      }
    }
  })

  test('several audiences at once', async () => {
    for (const kind of KINDS) await refused(kind, { aud: KINDS })
  })
})

describe('values of the right type that name nothing that exists', () => {
  const VALUES: [name: string, kind: Kind, changes: () => Record<string, unknown>][] = [
    ['an unknown installation', 'installation', () => ({ sub: randomUUID() })],
    ['an installation id in SQL', 'installation', () => ({ sub: "' OR '1'='1" })],
    ['an id with a NUL', 'installation', () => ({ sub: `${forgery.claims.sub}\0` })],
    ['a generation of the past', 'installation', () => ({ gen: 2_147_483_647 })],
    ['a negative generation', 'installation', () => ({ gen: -1 })],
    ['a generation beyond the column', 'installation', () => ({ gen: 2 ** 31 })],
    ['a party id beyond the column', 'installation', () => ({ party_id: 2 ** 31 })],
    ['an unknown person', 'installation', () => ({ user_id: randomUUID() })],
    ['no person', 'installation', () => ({ user_id: null })],
    ['a type of party in other case', 'installation', () => ({ party_type: 'seller' })],
    ['an operator flag', 'account', () => ({ operator: true })],
    ['an unknown developer', 'developer', () => ({ sub: randomUUID() })],
    ['an unknown credential', 'developer', () => ({ cid: randomUUID() })],
    ['a developer as its own credential', 'developer', () => ({ cid: genuine.developer.sub })],
    ['an unknown user', 'account', () => ({ sub: randomUUID() })],
    ['a generation of a user beyond the column', 'account', () => ({ gen: 2 ** 31 })],
    ['a generation of a user to come', 'account', () => ({ gen: 1 })],
  ]
  test.each(VALUES)('%s', async (_name, kind, changes) => {
    // Beside a good one of the same turn, which must not suffer.
    const good = forgery.ask(`Bearer ${signed(kind, {})}`, ENDPOINTS[kind])
    const token = signed(kind, changes())
    const answer = await forgery.ask(`Bearer ${token}`, ENDPOINTS[kind])
    expect(answer).toEqual({ status: 401, code: 'invalid_token' })
    expect((await good).status).toBe(200)
  })
})

describe('claims written in another way than ours, signed by our own key', () => {
  const text = () => JSON.stringify(forgery.claims)
  const TEXTS: [name: string, make: () => string][] = [
    ['sub twice, ours last', () => text().replace('{', `{"sub":"${randomUUID()}",`)],
    ['sub twice, ours first', () => text().replace('}', `,"sub":"${forgery.claims.sub}"}`)],
    ['exp twice', () => text().replace('}', `,"exp":${forgery.claims.exp}}`)],
    ['a name with an escape', () => text().replace('"sub"', '"\\u0073ub"')],
    ['sub twice, once with an escape', () => text().replace('{', '{"\\u0073ub":"x",')],
    ['white space', () => text().replace(',', ', ')],
    ['white space around', () => ` ${text()}`],
    ['a byte order mark', () => `\ufeff${text()}`],
    ['__proto__', () => text().replace('{', '{"__proto__":{"aud":"developer"},')],
    ['constructor', () => text().replace('{', '{"constructor":{"x":1},')],
    ['an array around', () => `[${text()}]`],
    ['text of JSON', () => JSON.stringify(text())],
    ['null', () => 'null'],
    ['nothing in it', () => '{}'],
    ['a number', () => '1'],
    ['nothing', () => ' '],
    ['no JSON', () => 'sub=1'],
    ['nesting without end', () => '['.repeat(1000)],
  ]
  test.each(TEXTS)('%s', async (_name, make) => {
    const token = signedText(forgery.ownKey, JSON.stringify(forgery.header), make())
    await forgery.expectInvalid(token)
  })
})

test('no case made the server look anything up or connect', () => {
  expect(forgery.outgoing()).toEqual([])
})
