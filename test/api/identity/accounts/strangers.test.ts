import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { App } from '../../../../src/http/app-type.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { demoInstallation, installationToken } from '../../../setup/client.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { ask, serverWith, statuses, times } from '../../../setup/limits.ts'
import { demoUser, signedIn } from '../../../setup/web-client.ts'

const LIMIT = 1
const ADDRESS = LIMIT * 10
const BROWSER = { accept: 'text/html' }

let market: TestMarketplace
let app: App
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())
beforeEach(async () => {
  app = (await serverWith(market, { rateLimitPerMinute: LIMIT })).app
})
afterEach(() => app.close())

describe('the budget of an address is spent by', () => {
  const inject = async (method: string, url: string, headers: Record<string, string> = {}) => {
    const answer = await app.inject({
      method: method as 'GET',
      url,
      headers,
      remoteAddress: '192.0.2.1',
    })
    return answer.statusCode
  }
  const preflight = { origin: 'https://a.example', 'access-control-request-method': 'GET' }

  test.each([
    ['what there is not', 404, () => inject('GET', '/v1/Nothing')],
    ['pages there are not', 404, () => inject('GET', '/nothing', BROWSER)],
    ['methods that an address does not take', 405, () => inject('PATCH', '/v1/Auth')],
    ['preflights', 204, () => inject('OPTIONS', '/v1/Products', preflight)],
    ['addresses that are malformed', 400, () => inject('GET', '/v1/%zz')],
    ['queries that are no text', 400, () => inject('GET', '/v1/Products?brand=%ED%A0%80')],
  ])('%s', async (_name, status, send) => {
    const seen: number[] = []
    for (let index = 0; index < ADDRESS + 2; index++) seen.push(await send())
    expect(seen).toEqual([...times(ADDRESS, status), 429, 429])
    // It is the budget that everything else of the address has.
    expect((await ask(app, '/v1/Permissions')).status).toBe(429)
    expect((await ask(app, '/v1/Permissions', { from: '192.0.2.2' })).status).toBe(200)
  })

  test('404 of a caller with a token, who is told of the budget', async () => {
    const token = await installationToken(market, demoInstallation(market, 'price-sync', 'Seller'))
    const answer = await ask(app, '/v1/Nothing', { token })
    expectProblem(answer, 'not_found')
    expect(answer.headers.get('ratelimit')).toMatch(`"address";r=${ADDRESS - 1};`)
    expect(await statuses(1, () => ask(app, '/v1/Products?limit=1', { token }))).toEqual([200])
  })
})

describe('where there is nothing', () => {
  test('no session is read', async () => {
    const user = demoUser(market, 'Seller')
    const browser = await signedIn(market, user)
    const page = await browser.get('/nothing/at/all')
    expect(page.status).toBe(404)
    expect(page.text).not.toContain(user.email)
    expect((await browser.get('/Apps/no-such-app')).text).toContain(user.email)
  })
})

/** Sends bytes as they are and reads the first answer. */
function exchange(lines: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(market.url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(lines.join('\r\n')))
    socket.once('data', (data) => {
      resolve(String(data))
      socket.destroy()
    })
    socket.once('error', reject)
  })
}

describe('a header that may be there once is refused when it comes twice', () => {
  test.each([
    ['Host', ['host: a', 'HOST: b']],
    ['the same Host', ['host: a', 'host: a']],
    ['Authorization', ['host: a', 'authorization: Bearer x', 'Authorization: Bearer y']],
  ])('%s', async (_name, headers) => {
    for (const path of ['/v1/Products', '/livez', '/login', '/nothing']) {
      const answer = await exchange([`GET ${path} HTTP/1.1`, ...headers, '', ''])
      expect(answer).toMatch(/^HTTP\/1\.1 400 /)
      expect(answer).toContain('is there more than once.')
    }
  })

  test('and Host when it is missing', async () => {
    for (const path of ['/v1/Products', '/livez', '/nothing']) {
      const answer = await exchange([`GET ${path} HTTP/1.1`, 'accept: */*', '', ''])
      expect(answer).toMatch(
        /^HTTP\/1\.1 400 .*\r\nx-request-id: .*"The header Host is missing\."/s,
      )
    }
    // There need be none in HTTP/1.0.
    expect(await exchange(['GET /livez HTTP/1.0', '', ''])).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('others may', async () => {
    const headers = ['host: a', 'accept: a/b', 'accept: c/d', 'x-forwarded-for: 1.2.3.4']
    expect(await exchange(['GET /livez HTTP/1.1', ...headers, '', ''])).toMatch(/^HTTP\/1\.1 200 /)
  })
})

test('an expectation that the server does not know is ignored', async () => {
  const headers = ['host: a', 'expect: x', 'content-type: application/json', 'content-length: 2']
  const answer = await exchange(['POST /v1/Auth HTTP/1.1', ...headers, '', '{}'])
  expect(answer).toMatch(/^HTTP\/1\.1 400 .*"code":"invalid_request"/s)
})

describe('an address whose bytes are no UTF-8 is 400', () => {
  test.each([
    '/v1/Apps?q=%ED%A0%80',
    '/v1/Apps?q=%ff',
    '/v1/Apps?%C3=1',
    '/v1/Apps?q=a&partyType=%e2%82',
    '/Apps?q=%C0%80',
    '/login?next=%f5%80%80%80',
    '/v1/Apps/%ED%A0%80',
    '/v1/Apps/a%ff',
    '/Apps/%c3',
    '/nothing/%ff',
  ])('%s', async (path) => {
    const answer = await ask(market.app, path)
    expectProblem(answer, 'invalid_request')
  })

  test('but a percent sign that begins no code is what somebody typed', async () => {
    expect((await ask(market.app, '/v1/Apps?q=100%')).status).toBe(200)
    expect((await ask(market.app, '/Apps?q=50%+off&x=%zz')).status).toBe(200)
  })
})
