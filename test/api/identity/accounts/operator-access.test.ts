import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import {
  accountToken,
  call,
  demoInstallation,
  developerToken,
  installationToken,
  userToken,
} from '../../../setup/client.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'
import {
  auditCount,
  type OperatorCalls,
  operatorCalls,
  operatorWithCode,
} from '../../../setup/operator.ts'

let market: TestMarketplace
let operator: OperatorCalls
beforeAll(async () => {
  market = await startMarketplace()
  operator = await operatorCalls(market)
})
afterAll(() => market.close())

const NOBODY = '00000000-0000-4000-8000-000000000000'

/** Every operator route with its path filled in, read from the application itself. */
function operatorRoutes(): { method: string; path: string }[] {
  return market.app.routes
    .all()
    .filter(({ url, method }) => url.startsWith('/v1/Operator') && method !== 'HEAD')
    .map(({ method, url }) => ({
      method,
      path: url
        .replace(/Parties\/:id/, 'Parties/3')
        .replace(/:buyerId|:sellerId|:partyId/g, '3')
        .replace(/:\w+/g, NOBODY),
    }))
}

describe('every operator route', () => {
  test('is for operators only', async () => {
    const routes = operatorRoutes()
    expect(routes.length).toBeGreaterThanOrEqual(30)
    const before = await auditCount(market)
    const tokens = {
      missing_token: undefined,
      operator_required: await userToken(market),
      invalid_token: 'a.b.c',
    } as const
    const wrongKind = [
      await developerToken(market),
      await installationToken(market, demoInstallation(market, 'price-sync')),
    ]
    for (const { method, path } of routes) {
      const send = (token?: string) =>
        call(market, method, path, {
          ...(token === undefined ? {} : { token }),
          ...(['GET', 'DELETE'].includes(method) ? {} : { body: {} }),
        })
      for (const [code, token] of Object.entries(tokens)) {
        expectProblem(await send(token), code as keyof typeof tokens)
      }
      for (const token of wrongKind) expectProblem(await send(token), 'wrong_token_kind')
    }
    expect(await auditCount(market)).toBe(before)
  })

  test('takes no other origin', async () => {
    const headers = { origin: 'https://elsewhere.example' }
    const { headers: answered } = await call(market, 'GET', '/v1/Operator/Apps', { headers })
    expect(answered.get('access-control-allow-origin')).toBeNull()
  })

  test('that takes a body refuses unknown keys and what is no object', async () => {
    const posts = operatorRoutes().filter(
      ({ method, path }) => ['POST', 'PUT'].includes(method) && !path.endsWith('/Resume'),
    )
    expect(posts.length).toBeGreaterThanOrEqual(11)
    const { calls: withCode } = await operatorWithCode(market)
    for (const { method, path } of posts) {
      const route = path.replace('/v1/Operator/', '')
      const unknown = await withCode(method, route, { nonsense: 1 })
      expect([400, 422]).toContain(unknown.status)
      expect(pointersOf(unknown)).toContain('/nonsense')
      for (const body of [[], 'null', '"text"', '7']) {
        expectProblem(await withCode(method, route, body), 'invalid_request')
      }
    }
  })

  test('that is a list refuses unknown parameters, bad limits and foreign cursors', async () => {
    const lists = operatorRoutes().filter(
      ({ method, path }) => method === 'GET' && !/(NOBODY|\/3|0000|Export)/.test(path),
    )
    expect(lists.length).toBe(8)
    await operator('POST', 'Invitations', { email: 'invited@example.com', name: 'Ina' })
    for (const { path } of lists) {
      const route = path.replace('/v1/Operator/', '')
      for (const query of ['nonsense=1', 'limit=0', 'limit=1001', 'limit=x', 'limit=1&limit=2']) {
        expectProblem(await operator('GET', `${route}?${query}`), 'invalid_request')
      }
      expectProblem(await operator('GET', `${route}?cursor=AAAA`), 'invalid_cursor')
      const { body } = await operator('GET', `${route}?limit=1`)
      expect(body).toHaveLength(1)
    }
    const link = (await operator('GET', 'Parties?limit=1')).headers.get('link') ?? ''
    const cursor = /cursor=([^>&]+)/.exec(link)?.[1]
    expectProblem(await operator('GET', `Audit?cursor=${cursor}`), 'invalid_cursor')
    expectProblem(await operator('GET', `Parties?type=Buyer&cursor=${cursor}`), 'invalid_cursor')
  })
})

test('who is made an operator is one, and who no longer is one is refused at the next request', async () => {
  const { body } = await operator('POST', 'Users', {
    email: 'second@example.com',
    name: 'Second',
    partyIds: [],
    operator: true,
  })
  expect(body.operator).toBe(true)
  const token = await accountToken(market, body)
  const list = () => call(market, 'GET', '/v1/Operator/Apps', { token })
  expect((await list()).status).toBe(200)
  await market.deps.db.user.update({ where: { id: body.id }, data: { operator: false } })
  expectProblem(await list(), 'operator_required')
  await market.deps.db.user.update({ where: { id: body.id }, data: { operator: true } })
  expect((await list()).status).toBe(200)
  await operator('POST', `Users/${body.id}/Suspend`, { reason: 'left' })
  expectProblem(await list(), 'invalid_token')
})
