import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { author, draft, newId } from '../../setup/apps.ts'
import {
  accountToken,
  call,
  demoInstallation,
  developerToken,
  installationToken,
} from '../../setup/client.ts'
import { expectEvents } from '../../setup/logged.ts'
import { type OperatorCalls, operatorCalls } from '../../setup/operator.ts'
import { newProductParty } from '../../setup/product-client.ts'
import { demoUser } from '../../setup/web-client.ts'

/** What support has: the lines of the log at its usual level, and the audit trail. */
let market: TestMarketplace
let operator: OperatorCalls
let written: string[] = []
beforeAll(async () => {
  market = await startMarketplace({
    config: { logLevel: 'info' },
    log: (line) => written.push(line),
  })
  operator = await operatorCalls(market)
})
beforeEach(() => {
  written = []
})
afterAll(() => market.close())

type Line = Record<string, unknown>

/** `grep` in the log. */
const grep = (text: string): Line[] => expectEvents(written.filter((line) => line.includes(text)))

/** The line of a request id; it is written after the answer. */
async function lineOf(answer: { headers: Headers }): Promise<Line> {
  const requestId = answer.headers.get('x-request-id') as string
  await expect.poll(() => grep(requestId).filter(({ msg }) => msg === 'request')).toHaveLength(1)
  return grep(requestId).find(({ msg }) => msg === 'request') as Line
}

const audit = async (query: string) => (await operator('GET', `Audit?${query}`)).body
const priceSync = () => demoInstallation(market, 'price-sync', 'Seller')
const SELLER_ADDRESS = '127.0.0.1'

describe('"Request X was answered 403. Why?"', () => {
  test('a developer asks for a token of an installation of somebody else', async () => {
    const { id } = priceSync()
    const other = market.demo.developers.findIndex(({ apps }) => !apps.includes('price-sync'))
    const developer = await operator('GET', 'Developers')
    const token = await developerToken(market, other)
    const body = { installationId: id }
    const answer = await call(market, 'POST', '/v1/Developer/Token', { token, body })
    expect(answer.status).toBe(403)
    const line = await lineOf(answer)
    expect(line).toMatchObject({
      level: 'info',
      path: '/v1/Developer/Token',
      status: 403,
      code: 'installation_not_accessible',
      installationId: id,
    })
    const [, caller] = String(line.caller).split(' ')
    expect(developer.body.map((one: { id: string }) => one.id)).toContain(caller)
  })

  test('an app asks for more than its installation allows', async () => {
    const installation = priceSync()
    const token = await installationToken(market, installation, { permissions: [] })
    const answer = await call(market, 'GET', '/v1/Products', { token })
    expect(answer.status).toBe(403)
    expect(await lineOf(answer)).toMatchObject({
      path: '/v1/Products',
      code: 'insufficient_scope',
      caller: `installation ${installation.id}`,
    })
  })

  test('a user changes what only an operator may', async () => {
    const token = await accountToken(market, demoUser(market, 'Seller'))
    const path = '/v1/Operator/Apps/price-sync'
    const answer = await call(market, 'GET', path, { token })
    expect(answer.status).toBe(403)
    expect(await lineOf(answer)).toMatchObject({
      route: '/v1/Operator/Apps/:id',
      path,
      id: 'price-sync',
      code: 'operator_required',
      caller: expect.stringMatching(/^user [0-9a-f-]{36}$/),
    })
  })

  test('the OAuth client asks for it at the token endpoint', async () => {
    const { id } = priceSync()
    const other = market.demo.developers.findIndex(({ apps }) => !apps.includes('price-sync'))
    const developer = market.demo.developers[other]
    const body = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: await developerToken(market, other),
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      audience: id,
    })
    const answer = await fetch(`${market.url}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${developer?.clientId}:${developer?.password}`)}` },
      body,
    })
    expect(answer.status).toBe(400)
    expect(await lineOf(answer)).toMatchObject({
      path: '/oauth/token',
      code: 'installation_not_accessible',
      installationId: id,
    })
  })
})

describe('"Our app gets 401 since noon."', () => {
  test('its token ran out', async () => {
    const { id } = priceSync()
    const token = await installationToken(market, priceSync(), { expiresIn: 60 })
    market.advance(61)
    const answer = await call(market, 'GET', '/v1/Products', { token })
    expect(answer.status).toBe(401)
    expect(await lineOf(answer)).toMatchObject({
      path: '/v1/Products',
      code: 'token_expired',
      caller: `installation ${id}`,
    })
  })

  test('its developer was suspended', async () => {
    const token = await developerToken(market)
    const { body: developers } = await operator('GET', 'Developers')
    const northwind = developers.find((one: { name: string }) => /northwind/i.test(one.name))
    onTestFinished(async () => {
      await operator('POST', `Developers/${northwind.id}/Resume`)
    })
    await operator('POST', `Developers/${northwind.id}/Suspend`, { reason: 'unpaid' })
    const answer = await call(market, 'GET', '/v1/Developer/Installations', { token })
    expect(answer.status).toBe(401)
    expect(await lineOf(answer)).toMatchObject({
      code: 'invalid_token',
      reason: 'developer',
      caller: `developer ${northwind.id}`,
    })
  })

  test('it was uninstalled: "Who did it, and when?"', async () => {
    const seller = demoUser(market, 'Seller')
    const own = await accountToken(market, seller)
    const { id } = priceSync()
    const token = await installationToken(market, priceSync())
    expect((await call(market, 'GET', '/v1/Products', { token })).status).toBe(200)
    const path = `/v1/Account/Installations/${id}`
    expect((await call(market, 'DELETE', path, { token: own })).status).toBe(204)
    const answer = await call(market, 'GET', '/v1/Products', { token })
    expect(answer.status).toBe(401)

    // The app tells its name and an hour, no request id: the installation's lines say since when.
    await lineOf(answer)
    const lines = grep(id).filter(({ route }) => route === '/v1/Products')
    expect(lines.map(({ status }) => status)).toEqual([200, 401])
    expect(lines[1]).toMatchObject({
      code: 'invalid_token',
      reason: 'uninstalled',
      caller: `installation ${id}`,
      address: SELLER_ADDRESS,
    })
    const [entry] = await audit(`subjectId=${id}&action=installation.uninstalled`)
    expect(entry).toMatchObject({
      action: 'installation.uninstalled',
      actor: { kind: 'user' },
      address: SELLER_ADDRESS,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    })
    const { body: users } = await operator('GET', `Users?q=${encodeURIComponent(seller.email)}`)
    expect(entry.actor.id).toBe(users[0].id)
  })
})

test('"Somebody tries my password."', async () => {
  const { email } = demoUser(market, 'Buyer')
  for (let turn = 0; turn < 3; turn += 1) {
    const body = { email, password: 'Not-The-Password-1' }
    const answer = await call(market, 'POST', '/v1/Account/Auth', { body })
    expect(answer.status).toBe(401)
    const line = await lineOf(answer)
    expect(line).toMatchObject({ code: 'invalid_credentials', address: '127.0.0.1' })
    expect(JSON.stringify(line)).not.toContain(email)
  }
  const { body: users } = await operator('GET', `Users?q=${encodeURIComponent(email)}`)
  // Written once a minute.
  await market.deps.auditCounts.write()
  expect(await audit(`subjectId=${users[0].id}&action=user.sign_in_failed`)).toMatchObject([
    { address: '127.0.0.1', after: { count: 3, lastAt: expect.any(String) } },
  ])
})

describe('"Our POST is refused with 400."', () => {
  test.each<[string, unknown, number, Line]>([
    [
      'a field of the wrong type',
      { installationId: ['hunter2'] },
      400,
      { code: 'invalid_request', pointers: ['/installationId'] },
    ],
    ['a body that is no JSON', '{"installationId": "hunter2', 400, { code: 'invalid_request' }],
  ])('%s', async (_name, body, status, expected) => {
    const own = await developerToken(market)
    const answer = await call(market, 'POST', '/v1/Developer/Token', { token: own, body })
    expect(answer.status).toBe(status)
    const line = await lineOf(answer)
    expect(line).toMatchObject({ path: '/v1/Developer/Token', ...expected })
    expect(JSON.stringify(line)).not.toContain('hunter2')
  })

  test('a list with an entry that breaks a rule', async () => {
    const definition = { id: 'hunter2-app', permissions: [{ id: 7, hunter3: 1 }] }
    const own = await developerToken(market)
    const answer = await call(market, 'POST', '/v1/Developer/Apps', {
      token: own,
      body: definition,
    })
    expect([400, 422]).toContain(answer.status)
    const line = await lineOf(answer)
    expect(line.pointers).toEqual(expect.arrayContaining(['/name', '/permissions/0/id']))
    expect(JSON.stringify(line)).not.toMatch(/hunter/)
  })

  test('an app that lacks what a listed one has', async () => {
    const developer = await author(market)
    const { id } = draft(newId())
    await developer.create(draft(id, { description: '', permissions: [] }))
    const answer = await developer.list(id)
    expect(answer.status).toBe(422)
    expect((await lineOf(answer)).pointers).toEqual(['/description', '/permissions'])
  })

  test('a product with a bad number', async () => {
    const { token } = await newProductParty(market)
    const answer = await call(market, 'POST', '/v1/Products', {
      token,
      body: { brand: 'Acme', partNumber: 'x', inStock: 'many', msrp: 'hunter2' },
    })
    const line = await lineOf(answer)
    expect(line).toMatchObject({ status: 400, code: 'invalid_request' })
    expect(line.pointers).toEqual(expect.arrayContaining(['/inStock', '/msrp']))
    expect(JSON.stringify(line)).not.toContain('hunter2')
  })

  test('a query parameter out of range', async () => {
    const answer = await call(market, 'GET', '/v1/Apps?limit=hunter2&nope=hunter2')
    expect(answer.status).toBe(400)
    const line = await lineOf(answer)
    expect(line).toMatchObject({
      path: '/v1/Apps',
      code: 'invalid_request',
      pointers: expect.arrayContaining(['/limit', '/*']),
    })
    expect(JSON.stringify(line)).not.toMatch(/hunter2|nope/)
  })
})

describe('health checks', () => {
  test('write nothing while they succeed', async () => {
    for (const path of ['/livez', '/readyz']) {
      expect((await call(market, 'GET', path)).status).toBe(200)
    }
    const token = await accountToken(market, market.demo.operator)
    expect((await call(market, 'GET', '/metrics', { token })).status).toBe(200)
    await lineOf(await call(market, 'GET', '/v1/Apps'))
    expect(written.join('')).not.toMatch(/livez|readyz|metrics/)
  })

  test('write a line when they are refused', async () => {
    expect(await lineOf(await call(market, 'GET', '/metrics'))).toMatchObject({
      path: '/metrics',
      status: 401,
      code: 'missing_token',
    })
  })
})
