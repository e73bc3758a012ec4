import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { issueToken } from '../../../../src/identity/tokens/issue-service.ts'
import { tokenClaims } from '../../../../src/marketplace/installations/mint-token-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import {
  call,
  demoInstallation,
  developerToken,
  installationToken,
  userToken,
} from '../../../setup/client.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'
import { decode } from '../../../setup/forge.ts'
import { redirectToken } from '../../../setup/redirect.ts'
import { credentialOf } from '../../../setup/token-maker.ts'

let market: TestMarketplace
let northwind: string
let contoso: string
let own: string
let foreign: string
beforeAll(async () => {
  market = await startMarketplace()
  northwind = await developerToken(market, 0)
  contoso = await developerToken(market, 1)
  own = await mint()
  foreign = await installationToken(market, demoInstallation(market, 'catalog-sync', 'Seller'))
})
afterAll(() => market.close())

const mint = () => installationToken(market, demoInstallation(market, 'price-sync', 'Seller'))
const claimsOf = (token: string) => decode(token.split('.')[1] as string)
const post = (path: string, body: unknown, token = northwind) =>
  call(market, 'POST', `/v1/Developer/Token/${path}`, { token, body })
const revoke = (body: unknown, token?: string) => post('Revoke', body, token)
const introspect = (token: unknown, as?: string) => post('Introspect', { token }, as)
const products = (token: string) => call(market, 'GET', '/v1/Products?limit=1', { token })
const list = (token: string) => call(market, 'GET', '/v1/Developer/Installations', { token })
const counts = async () => ({
  revoked: await market.deps.db.revokedToken.count(),
  audited: await market.deps.db.auditEvent.count(),
  generations: (await market.deps.db.installation.aggregate({ _sum: { tokenGeneration: true } }))
    ._sum,
})

async function expired(): Promise<string> {
  const { id } = demoInstallation(market, 'price-sync', 'Seller')
  const row = await market.deps.db.installation.findUniqueOrThrow({ where: { id } })
  const past = { ...market.deps, now: () => new Date(Date.now() - 3_600_000) }
  const claims = tokenClaims(row, row.permissions, await credentialOf(past.db, row))
  return (await issueToken(past, claims, 900)).token
}

describe('revoking a token (RFC 7009)', () => {
  test('ends that token only, at the next request; revoking it again is no error', async () => {
    const [token, sibling] = [await mint(), await mint()]
    const { status, body } = await revoke({ token })
    expect({ status, body }).toEqual({ status: 200, body: {} })
    expectProblem(await products(token), 'invalid_token')
    expect((await products(sibling)).status).toBe(200)
    const before = await counts()
    expect((await revoke({ token })).status).toBe(200)
    expect(await counts()).toEqual(before)
  })

  test("works for the developer's own tokens, including the one that makes the request", async () => {
    const token = await developerToken(market, 0)
    expect((await revoke({ token }, token)).status).toBe(200)
    expectProblem(await list(token), 'invalid_token')
    expect((await list(northwind)).status).toBe(200)
  })

  const LEFT_ALONE: [name: string, token: () => Promise<string> | string][] = [
    ["another developer's installation token", () => foreign],
    ["another developer's developer token", () => contoso],
    ["a user's account token", () => userToken(market)],
    ['one that has run out', expired],
    ['one with a broken signature', () => `${own.slice(0, -4)}AAAA`],
    ['one of an unknown key', () => own.replace(/^[^.]+/, 'eyJhbGciOiJFUzI1NiJ9')],
    ['an empty text', () => ''],
    ['a long text', () => 'x'.repeat(100_000)],
    ['nonsense', () => 'nonsense'],
    ['a UUID', () => randomUUID()],
    ['a jti', () => claimsOf(own).jti],
    ['SQL', () => "' OR 1=1 --"],
    ['a token of 500,000 characters', () => `${own}${'A'.repeat(500_000)}`],
  ]
  test.each(LEFT_ALONE)('%s: 200, and nothing is revoked', async (_name, make) => {
    const token = await make()
    const before = await counts()
    const { status, body } = await revoke({ token })
    expect({ status, body }).toEqual({ status: 200, body: {} })
    expect(await counts()).toEqual(before)
    expect((await products(own)).status).toBe(200)
    expect((await products(foreign)).status).toBe(200)
    expect((await list(contoso)).status).toBe(200)
  })

  test('20 times at once makes one revocation with one audit entry', async () => {
    const token = await mint()
    const before = await counts()
    const answers = await Promise.all(Array.from({ length: 20 }, () => revoke({ token })))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(await counts()).toEqual({
      ...before,
      revoked: before.revoked + 1,
      audited: before.audited + 1,
    })
    const { jti, sub } = claimsOf(token)
    const event = await market.deps.db.auditEvent.findFirstOrThrow({ orderBy: { id: 'desc' } })
    expect(event).toMatchObject({ action: 'token.revoked', subjectId: sub, after: { jti } })
    expect(JSON.stringify(event, (_key, value) => String(value))).not.toContain(token)
  })

  test('forgets revocations an hour after their tokens ran out, not before', async () => {
    const [old, recent] = [randomUUID(), randomUUID()]
    await market.deps.db.revokedToken.createMany({
      data: [
        { jti: old, expiresAt: new Date(Date.now() - 3_700_000) },
        { jti: recent, expiresAt: new Date(Date.now() - 3_500_000) },
      ],
    })
    await revoke({ token: await mint() })
    const left = await market.deps.db.revokedToken.findMany({
      where: { jti: { in: [old, recent] } },
    })
    expect(left.map(({ jti }) => jti)).toEqual([recent])
  })
})

describe('revoking by installation', () => {
  test('ends all its tokens at the next request; new ones can be made', async () => {
    const { id: installationId } = demoInstallation(market, 'price-sync', 'None')
    const make = () => installationToken(market, demoInstallation(market, 'price-sync', 'None'))
    const tokens = await Promise.all([make(), make(), make()])
    const { status, body } = await revoke({ installationId })
    expect({ status, body }).toEqual({ status: 200, body: {} })
    for (const token of tokens) expectProblem(await products(token), 'invalid_token')
    expect((await products(await make())).status).toBe(200)
    expect((await products(own)).status).toBe(200)
  })

  test.each([
    ["another developer's", () => demoInstallation(market, 'catalog-sync', 'Seller').id],
    ['an unknown one', () => randomUUID()],
    ['no id', () => 'x'],
    ['an empty text', () => ''],
    ['a long text', () => 'x'.repeat(100_000)],
    ['SQL', () => "' OR 1=1 --"],
  ])('%s is 403, and nothing is revoked', async (_name, id) => {
    const before = await counts()
    expectProblem(await revoke({ installationId: id() }), 'installation_not_accessible')
    expect(await counts()).toEqual(before)
    expect((await products(foreign)).status).toBe(200)
  })
})

describe('a revocation with too few or too many members', () => {
  test.each([
    [{}],
    [{ token: 1 }],
    [{ token: null }],
    [{ token: ['x'] }],
    [{ installationId: { not: '' } }],
    [{ token: 'x', installationId: randomUUID() }],
    [{ token: 'x', jti: 'x' }],
    [[]],
  ])('%j is refused', async (body) => {
    const { status } = await revoke(body)
    expect([400, 422]).toContain(status)
  })
})

describe('introspection (RFC 7662)', () => {
  test("tells what a live token of one's own stands for", async () => {
    const { status, headers, body } = await introspect(own)
    expect({ status, cache: headers.get('cache-control') }).toEqual({
      status: 200,
      cache: 'no-store',
    })
    const { gen: _gen, cid: _cid, ...claims } = claimsOf(own)
    expect(body).toEqual({ active: true, token_type: 'Bearer', ...claims })
  })

  test('names the person of a token from the redirect', async () => {
    const { id, partyId } = demoInstallation(market, 'price-sync', 'Seller')
    const { userId } = await market.deps.db.membership.findFirstOrThrow({ where: { partyId } })
    const token = await redirectToken(market, id, userId)
    const { ugen: _ugen, mgen: _mgen, gen: _gen, ...claims } = claimsOf(token)
    expect(claims.user_id).toBe(userId)
    expect((await introspect(token)).body).toEqual({
      active: true,
      token_type: 'Bearer',
      ...claims,
    })
  })

  const revoked = async () => {
    const token = await mint()
    await revoke({ token })
    return token
  }
  const INACTIVE: [name: string, token: () => Promise<string> | string][] = [
    ["another developer's installation token", () => foreign],
    ["another developer's developer token", () => contoso],
    ["one's own developer token", () => northwind],
    ["a user's account token", () => userToken(market)],
    ['a revoked token', revoked],
    ['one that has run out', expired],
    ['one with a broken signature', () => `${own.slice(0, -4)}AAAA`],
    ['one with white space', () => ` ${own}`],
    ['an empty text', () => ''],
    ['a long text', () => 'x'.repeat(100_000)],
    ['nonsense', () => 'nonsense'],
    ['a token of 500,000 characters', () => 'x'.repeat(500_000)],
  ]
  test.each(INACTIVE)('%s is {"active":false} and nothing else', async (_name, make) => {
    const { status, text } = await introspect(await make())
    expect({ status, text }).toEqual({ status: 200, text: '{"active":false}' })
  })

  test('follows suspension and return at once', async () => {
    const path = `/v1/Developer/Installations/${claimsOf(own).sub}`
    const act = (action: string, body?: object) =>
      call(market, 'POST', `${path}/${action}`, { token: northwind, ...(body && { body }) })
    expect((await act('Suspend', { reason: 'x' })).status).toBe(200)
    expect((await introspect(own)).text).toBe('{"active":false}')
    expect((await act('Resume')).status).toBe(200)
    expect((await introspect(own)).body.active).toBe(true)
  })

  test.each([[undefined], [1], [null], [['x']], [{}]])('of %j is refused', async (token) => {
    const answer = await introspect(token)
    expect([400, 422]).toContain(answer.status)
    expect(pointersOf(answer)).toEqual(['/token'])
  })
})

describe.each(['Revoke', 'Introspect'])('%s', (path) => {
  test('takes developer tokens only', async () => {
    expectProblem(await post(path, { token: own }, own), 'wrong_token_kind')
    expectProblem(await post(path, { token: own }, await userToken(market)), 'wrong_token_kind')
    expectProblem(await call(market, 'POST', `/v1/Developer/Token/${path}`), 'missing_token')
  })
})

test('the metadata document (RFC 8414) names endpoints that exist', async () => {
  const { status, headers, body } = await call(
    market,
    'GET',
    '/.well-known/oauth-authorization-server',
  )
  expect({ status, cache: headers.get('cache-control') }).toEqual({
    status: 200,
    cache: 'public, max-age=300',
  })
  expect(body).toMatchObject({
    issuer: market.url,
    jwks_uri: `${market.url}/.well-known/jwks.json`,
    scopes_supported: ['products:read', 'products:write', 'profile:read', 'settings:read'],
    response_types_supported: ['code'],
    grant_types_supported: [
      'authorization_code',
      'client_credentials',
      'urn:ietf:params:oauth:grant-type:token-exchange',
    ],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  })
  expect(claimsOf(own).iss).toBe(body.issuer)
  const posts = [body.token_endpoint, body.revocation_endpoint, body.introspection_endpoint]
  for (const url of posts) {
    const answer = await fetch(url, { method: 'POST' })
    expect([400, 401]).toContain(answer.status)
  }
  for (const url of [body.jwks_uri, body.service_documentation]) {
    expect((await fetch(url)).status).toBe(200)
  }
})
