import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { call, demoInstallation, developerToken } from '../../../setup/client.ts'
import { expectProblem, pointersOf, withoutRequestId } from '../../../setup/expect-problem.ts'
import { decode } from '../../../setup/forge.ts'

const GRANTED = ['products:read', 'profile:read', 'settings:read']

let market: TestMarketplace
let northwind: string
let installationId: string
beforeAll(async () => {
  market = await startMarketplace({ config: { maxTokenTtlSeconds: 43_200 } })
  northwind = await developerToken(market, 0)
  installationId = demoInstallation(market, 'price-sync', 'Seller').id
})
afterAll(() => market.close())

const mint = (body: unknown) =>
  call(market, 'POST', '/v1/Developer/Token', { token: northwind, body })

describe('a minted token', () => {
  test('carries the facts of the installation, as the response does', async () => {
    const { status, headers, body } = await mint({ installationId })
    expect({ status, cache: headers.get('cache-control') }).toEqual({
      status: 200,
      cache: 'no-store',
    })
    expect(body).toEqual({
      token: expect.any(String),
      tokenType: 'Bearer',
      expiresIn: 3600,
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      installationId,
      permissions: GRANTED,
    })
    const { partyId } = demoInstallation(market, 'price-sync', 'Seller')
    const claims = decode(body.token.split('.')[1])
    expect(claims).toEqual({
      iss: market.url,
      aud: 'installation',
      sub: installationId,
      client_id: 'price-sync',
      app_id: 'price-sync',
      party_id: partyId,
      party_type: 'Seller',
      scope: GRANTED.join(' '),
      gen: 0,
      cid: decode(northwind.split('.')[1] ?? '').cid,
      iat: expect.any(Number),
      exp: claims.iat + 3600,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(new Date(body.expiresAt).getTime()).toBe(claims.exp * 1000)
  })

  test('differs each time', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => mint({ installationId })))
    expect(new Set(answers.map(({ body }) => body.token)).size).toBe(3)
  })

  test('ignores unknown properties of the request', async () => {
    expect((await mint({ installationId, scope: 'x', nested: {} })).status).toBe(200)
  })

  test('takes the id in upper case, as UUIDs are compared', async () => {
    const { status, body } = await mint({ installationId: installationId.toUpperCase() })
    expect({ status, id: body.installationId }).toEqual({ status: 200, id: installationId })
  })
})

describe('permissions', () => {
  test.each([
    ['one', ['products:read'], ['products:read']],
    [
      'another order and a repetition',
      ['settings:read', 'products:read', 'settings:read'],
      ['products:read', 'settings:read'],
    ],
    ['none', [], []],
  ])('%s of the granted ones narrow the token', async (_name, permissions, expected) => {
    const { status, body } = await mint({ installationId, permissions })
    expect({ status, permissions: body.permissions }).toEqual({
      status: 200,
      permissions: expected,
    })
    expect(decode(body.token.split('.')[1]).scope).toBe(expected.join(' '))
    const products = await call(market, 'GET', '/v1/Products', { token: body.token })
    expect(products.status).toBe(expected.includes('products:read') ? 200 : 403)
  })

  test('beyond those granted are 403 with the required and the granted ones', async () => {
    const permissions = ['products:read', 'products:write']
    const answer = await mint({ installationId, permissions })
    expectProblem(answer, 'insufficient_scope')
    expect(answer.body).toMatchObject({ required: permissions, granted: GRANTED })
    expect(answer.headers.get('www-authenticate')).toBe(
      'Bearer realm="App Marketplace", error="insufficient_scope", scope="products:read products:write"',
    )
  })

  test.each(['a\nb', 'x"y', 'products:read products:write', '\u20ac', '', '__proto__'])(
    'the unknown one %j is 403 and leaves the challenge well-formed',
    async (permission) => {
      const answer = await mint({ installationId, permissions: [permission] })
      expectProblem(answer, 'insufficient_scope')
      expect(answer.headers.get('www-authenticate')).toMatch(/scope="[!#-[\]-~]*"$/)
    },
  )

  test.each([null, 'products:read', [1], [null], { 0: 'products:read' }])(
    '%j is 400',
    async (permissions) => {
      expectProblem(await mint({ installationId, permissions }), 'invalid_request')
    },
  )

  test('a list or a name that is far too long is 422', async () => {
    expectProblem(
      await mint({ installationId, permissions: Array(101).fill('a') }),
      'unprocessable',
    )
    expectProblem(await mint({ installationId, permissions: ['a'.repeat(101)] }), 'unprocessable')
  })
})

describe('expiresIn', () => {
  test.each([60, 61, 43_200])('%i seconds are taken', async (expiresIn) => {
    const { body } = await mint({ installationId, expiresIn })
    const { iat, exp } = decode(body.token.split('.')[1])
    expect({ answered: body.expiresIn, signed: exp - iat }).toEqual({
      answered: expiresIn,
      signed: expiresIn,
    })
  })

  test.each([59, 0, -1, 86_401, 2 ** 31])('%i is out of bounds: 422', async (expiresIn) => {
    const answer = await mint({ installationId, expiresIn })
    expectProblem(answer, 'unprocessable')
    expect(pointersOf(answer)).toEqual(['/expiresIn'])
  })

  test("the operator's maximum is a bound, too", async () => {
    const answer = await mint({ installationId, expiresIn: 43_201 })
    expectProblem(answer, 'unprocessable')
    expect(answer.body.errors).toEqual([
      { pointer: '/expiresIn', detail: expect.stringContaining('43200') },
    ])
  })

  test.each(['60', 60.5, null, [60], true, {}])('%j is 400', async (expiresIn) => {
    const answer = await mint({ installationId, expiresIn })
    expectProblem(answer, 'invalid_request')
    expect(pointersOf(answer)).toEqual(['/expiresIn'])
  })

  test.each(['9007199254740993', '1e21', '1e400'])('%s is refused', async (number) => {
    const answer = await mint(`{"installationId":"${installationId}","expiresIn":${number}}`)
    expect([400, 422]).toContain(answer.status)
    expect(pointersOf(answer)).toEqual(['/expiresIn'])
  })
})

describe('installationId', () => {
  test.each([
    [undefined],
    [null],
    [1],
    [true],
    [['x']],
    [{ equals: 'x' }],
    [{ startsWith: '' }],
    [{}],
  ])('%j is 400', async (id) => {
    const answer = await mint({ installationId: id })
    expectProblem(answer, 'invalid_request')
    expect(pointersOf(answer)).toEqual(['/installationId'])
  })

  test('is 403 with the same body whenever no live installation of the developer has it', async () => {
    const uninstalled = demoInstallation(market, 'stock-watch', 'Buyer').id
    await market.deps.db.installation.update({
      where: { id: uninstalled },
      data: { status: 'uninstalled', live: null, uninstalledAt: new Date() },
    })
    const unknown = await mint({ installationId: randomUUID() })
    expectProblem(unknown, 'installation_not_accessible')
    const ids = [
      demoInstallation(market, 'catalog-sync', 'Seller').id,
      uninstalled,
      'nonsense',
      '',
      '1',
      ` ${installationId}`,
      `{${installationId}}`,
      installationId.replaceAll('-', ''),
      `${installationId}\n`,
      "' OR 1=1 --",
      'x'.repeat(100_000),
    ]
    for (const id of ids) {
      const answer = await mint({ installationId: id })
      expectProblem(answer, 'installation_not_accessible')
      expect(withoutRequestId(answer)).toEqual(withoutRequestId(unknown))
      expect([...answer.headers.keys()]).toEqual([...unknown.headers.keys()])
    }
  })

  test("of another developer's suspended installation is as unknown as any", async () => {
    const { id } = demoInstallation(market, 'catalog-sync', 'Seller')
    const where = { id }
    const data = { status: 'suspended' as const, suspendedAt: new Date() }
    await market.deps.db.installation.update({ where, data })
    expectProblem(await mint({ installationId: id }), 'installation_not_accessible')
  })

  test("of the developer's own suspended installation is 403 installation_suspended", async () => {
    const { id } = demoInstallation(market, 'price-sync', 'None')
    const where = { id }
    const data = {
      status: 'suspended' as const,
      suspendedAt: new Date(),
      suspendedReason: 'Unpaid',
    }
    await market.deps.db.installation.update({ where, data })
    const answer = await mint({ installationId: id })
    expectProblem(answer, 'installation_suspended')
    expect(answer.body.detail).toContain('Unpaid')
  })

  test('whose app or party is suspended is 403 installation_suspended', async () => {
    const { partyId } = demoInstallation(market, 'price-sync', 'Seller')
    const { db } = market.deps
    const away = { suspendedAt: new Date() }
    const back = { suspendedAt: null }
    await db.party.update({ where: { id: partyId }, data: away })
    expectProblem(await mint({ installationId }), 'installation_suspended')
    await db.party.update({ where: { id: partyId }, data: back })
    await db.app.update({ where: { id: 'price-sync' }, data: away })
    expectProblem(await mint({ installationId }), 'installation_suspended')
    await db.app.update({ where: { id: 'price-sync' }, data: back })
    expect((await mint({ installationId })).status).toBe(200)
  })
})
