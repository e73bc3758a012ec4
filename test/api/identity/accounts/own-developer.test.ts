import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { call, developerToken } from '../../../setup/client.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'

const CREDENTIALS = '/v1/Developer/Credentials'

let market: TestMarketplace
let token: string

beforeAll(async () => {
  market = await startMarketplace({ config: { rateLimitPerMinute: 700 } })
  token = await developerToken(market)
})
afterAll(() => market?.close())

const signIn = (body: { clientId: string; password: string }) =>
  call(market, 'POST', '/v1/Auth', { body })

describe('a developer', () => {
  test('reads who the token acts for, the sandbox and the limits', async () => {
    const { body } = await call(market, 'GET', '/v1/Developer', { token })
    const { sandboxPartyId } = await market.deps.db.developer.findFirstOrThrow({
      where: { name: 'Northwind Tools' },
    })
    expect(body).toMatchObject({
      name: 'Northwind Tools',
      clientId: 'northwind',
      sandbox: { partyId: sandboxPartyId, partyName: 'Northwind Tools (sandbox)' },
      limits: {
        requestsPerMinute: { developer: 3500, installation: 700 },
        installationTokenSeconds: { usual: 3600, redirect: 900, max: 86_400 },
        credentials: 2,
      },
    })
    const { body: credentials } = await call(market, 'GET', CREDENTIALS, { token })
    expect(credentials[0]).toMatchObject({ id: body.credentialId, clientId: 'northwind' })
  })

  test('makes one more credential, sees when each was used, and removes the former', async () => {
    const made = await call(market, 'POST', CREDENTIALS, { token, body: {} })
    expect([made.status, made.headers.get('cache-control')]).toEqual([201, 'no-store'])
    const { clientId, password, id } = made.body
    const third = await call(market, 'POST', CREDENTIALS, { token, body: {} })
    expectProblem(third, 'conflict')
    const lastUse = async () => {
      const { body } = await call(market, 'GET', CREDENTIALS, { token })
      return body.find((one: { id: string }) => one.id === id).lastUsedAt
    }
    expect(await lastUse()).toBeNull()
    expect((await signIn({ clientId, password: 'wrong-password' })).status).toBe(401)
    expect(await lastUse()).toBeNull()
    const other = (await signIn({ clientId, password })).body.token
    const first = await lastUse()
    expect(first).toMatch(/Z$/)
    await signIn({ clientId, password })
    expect(await lastUse()).toBe(first)
    market.advance(61)
    await signIn({ clientId, password })
    expect(Date.parse(await lastUse())).toBeGreaterThan(Date.parse(first))

    const own = await call(market, 'DELETE', `${CREDENTIALS}/${id}`, { token: other })
    expectProblem(own, 'conflict')
    expect((await call(market, 'DELETE', `${CREDENTIALS}/${id}`, { token })).status).toBe(204)
    expectProblem(await call(market, 'DELETE', `${CREDENTIALS}/${id}`, { token }), 'not_found')
    const refused = await call(market, 'GET', '/v1/Developer', { token: other })
    expectProblem(refused, 'invalid_token')
    const again = await call(market, 'POST', CREDENTIALS, { token, body: { clientId } })
    expectProblem(again, 'already_exists')
  })

  test("neither sees nor removes another developer's credentials", async () => {
    const other = await developerToken(market, 1)
    const { body } = await call(market, 'GET', CREDENTIALS, { token })
    for (const { id } of body) {
      const refused = await call(market, 'DELETE', `${CREDENTIALS}/${id}`, { token: other })
      expectProblem(refused, 'not_found')
    }
    const { body: others } = await call(market, 'GET', CREDENTIALS, { token: other })
    expect(others.map((one: { clientId: string }) => one.clientId)).toEqual(['contoso'])
  })
})
