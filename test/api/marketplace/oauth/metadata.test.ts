import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { call } from '../../../setup/client.ts'

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const PATH = '/.well-known/oauth-authorization-server'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

test('the metadata of the server names no authorization endpoint: each app has its own', async () => {
  const { body } = await call(market, 'GET', PATH)
  expect(body.issuer).toBe(market.url)
  expect(body).not.toHaveProperty('authorization_endpoint')
})

describe('the metadata of an app', () => {
  test('has an issuer and a redirect of its own, and all else in common', async () => {
    const common = await call(market, 'GET', PATH)
    const ofApp = await call(market, 'GET', `${PATH}/Apps/price-sync`)
    expect(ofApp.body).toEqual({
      ...common.body,
      issuer: `${market.url}/Apps/price-sync`,
      authorization_endpoint: `${market.url}/Apps/Authenticate/price-sync`,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'client_credentials', TOKEN_EXCHANGE],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    })
  })

  test('is the same however its id is written, and for apps that there are not', async () => {
    const shouted = await call(market, 'GET', `${PATH}/Apps/PRICE-SYNC`)
    expect(shouted.body.issuer).toBe(`${market.url}/Apps/price-sync`)
    expect((await call(market, 'GET', `${PATH}/Apps/no-such-app`)).status).toBe(200)
  })

  test.each(['a_b', 'a%20b', 'x'.repeat(65), '-a'])('is not there for %j', async (id) => {
    expect((await call(market, 'GET', `${PATH}/Apps/${id}`)).status).toBe(404)
  })
})

const CATALOGUE = [
  '/v1/Apps',
  '/v1/Apps/price-sync',
  '/v1/Apps/price-sync/TermsDocument',
  '/v1/Apps/price-sync/PurchaseOptions/free/Quote',
  '/v1/Apps/no-such-app',
  '/v1/Permissions',
  '/v1/EventTypes',
]

test.each([PATH, `${PATH}/Apps/price-sync`, '/.well-known/jwks.json', ...CATALOGUE])(
  '%s answers scripts of any origin, without credentials, and its preflight',
  async (path) => {
    const { headers } = await call(market, 'GET', path)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
    const preflight = await call(market, 'OPTIONS', path, {
      headers: { origin: 'https://app.example', 'access-control-request-method': 'GET' },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  },
)

test.each(['/openapi.json', '/docs', '/livez', '/Apps', '/v1/Developer/Apps'])(
  '%s answers no script of another origin',
  async (path) => {
    const { headers } = await call(market, 'GET', path)
    expect(headers.get('access-control-allow-origin')).toBeNull()
  },
)
