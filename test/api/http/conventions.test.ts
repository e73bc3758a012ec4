import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { call, demoInstallation, developerToken, installationToken } from '../../setup/client.ts'
import { expectProblem, withoutRequestId } from '../../setup/expect-problem.ts'

const ORIGIN = { origin: 'https://app.example' }
const PREFLIGHT = {
  ...ORIGIN,
  'access-control-request-method': 'GET',
  'access-control-request-headers': 'authorization',
}
const DATA_PATHS = ['/v1/Products', '/v1/Products/1', '/v1/User/Profile', '/api/v1/user/profile']
const OTHER_PATHS = [
  '/v1/Auth',
  '/v1/Developer/Token',
  '/v1/Developer/Installations',
  '/login',
  '/',
]
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

let market: TestMarketplace
let developer: string
let token: string
beforeAll(async () => {
  market = await startMarketplace()
  developer = await developerToken(market)
  token = await installationToken(market, demoInstallation(market, 'price-sync', 'Seller'))
})
afterAll(() => market.close())

const get = (path: string, headers: Record<string, string> = {}) =>
  call(market, 'GET', path, { headers })

/** Sends bytes as they are and reads until the server hangs up. */
function exchange(bytes: string): Promise<string> {
  const { hostname, port } = new URL(market.url)
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    socket.setTimeout(30_000, () => socket.destroy())
    socket.on('data', (data) => {
      answer += String(data)
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(answer))
  })
}

describe('addresses', () => {
  test.each([
    '/v1/Products?limit=1',
    '/V1/PRODUCTS?limit=1',
    '/v1/products?limit=1',
    '/v1/Products/?limit=1',
    '/api/v1/Products?limit=1',
    '/API/V1/products/?limit=1',
    '/v1/%50roducts?limit=1',
  ])('%s leads to the products', async (path) => {
    const { status, body } = await call(market, 'GET', path, { token })
    expect({ status, count: body?.length }).toEqual({ status: 200, count: 1 })
  })

  test.each([
    '/openapi.json',
    '/livez',
    '/readyz/',
    '/.well-known/jwks.json',
    '/.well-known/oauth-authorization-server/Apps/price-sync',
    '/docs/errors',
    '/Apps/price-sync',
    '/login',
  ])('%s has the prefix, too', async (path) => {
    for (const method of ['GET', 'HEAD']) {
      const { status } = await call(market, method, `/api${path}`, {})
      expect({ method, status }).toEqual({ method, status: 200 })
    }
  })

  test('the prefix and the case are free on every kind of endpoint', async () => {
    const options = { token: developer, body: { installationId: 'x' } }
    expectProblem(
      await call(market, 'POST', '/api/v1/developer/TOKEN/', options),
      'installation_not_accessible',
    )
    expectProblem(await call(market, 'POST', '/api/V1/auth/', { body: {} }), 'invalid_request')
    expect((await get('/Login')).status).toBe(200)
    const { status, body } = await call(market, 'POST', '/api/OAuth/Token', { body: {} })
    expect({ status, error: body.error }).toEqual({ status: 415, error: 'invalid_request' })
  })

  test.each([
    '/v1/Nothing',
    '/api',
    '/api/v1',
    '/apiv1/Products',
    '/api/api/v1/Products',
    '/v1//Products',
    '/v1/Products/1/2',
    '/v2/Products',
    '//evil.example/v1/Products',
    '/api//evil.example/v1/Products',
    '/api/',
    '/v1/Products/../Auth/x',
  ])('%s is 404', async (path) => {
    expectProblem(await get(path), 'not_found')
  })

  test('the query of a parameter is matched with regard to case', async () => {
    expectProblem(await call(market, 'GET', '/v1/Products?Limit=1', { token }), 'invalid_request')
  })

  test('a link to the next page works under the public address', async () => {
    const { headers } = await call(market, 'GET', '/api/v1/products?limit=1', { token })
    const next = headers.get('link')?.match(/^<([^>]+)>/)?.[1] ?? ''
    expect(next.startsWith(`${market.url}/`)).toBe(true)
    const page = await call(market, 'GET', next.slice(market.url.length), { token })
    expect(page.status).toBe(200)
  })

  test('a path parameter of 100, 101, 500 and 501 characters is an unknown product', async () => {
    const answers = await Promise.all(
      [100, 101, 500, 501, 5000].map((length) =>
        call(market, 'GET', `/v1/Products/${'1'.repeat(length)}`, { token }),
      ),
    )
    for (const answer of answers) {
      expectProblem(answer, 'not_found')
      expect(withoutRequestId(answer)).toEqual(withoutRequestId(answers[0] as typeof answer))
    }
  })

  test.each(['/%zz', '/v1/%', '/v1/Products/%c3%28', '/Apps/Authenticate/%E0%A4%A'])(
    '%s is 400: the address is not encoded rightly',
    async (path) => {
      const answer = await get(path)
      expectProblem(answer, 'invalid_request')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    },
  )
})

describe('methods', () => {
  test.each([
    ['DELETE', '/v1/Products', 'GET, HEAD, POST'],
    ['POST', '/v1/Permissions', 'GET, HEAD'],
    ['PUT', '/api/v1/products/1/', 'GET, HEAD, PATCH, DELETE'],
    ['GET', '/v1/Auth', 'POST'],
    ['PATCH', '/v1/developer/token', 'POST'],
    ['DELETE', '/login', 'GET, HEAD, POST'],
    ['OPTIONS', '/v1/Auth', 'POST'],
  ])('%s %s is 405 with what is allowed', async (method, path, allowed) => {
    const answer = await call(market, method, path)
    expectProblem(answer, 'method_not_allowed')
    expect(answer.headers.get('allow')).toBe(allowed)
  })

  test('a body that nobody reads hides neither 404 nor 405', async () => {
    const broken = { body: '{', headers: { 'content-type': 'application/json' } }
    const foreign = { body: 'x', headers: { 'content-type': 'text/csv' } }
    for (const options of [broken, foreign, { body: 'x'.repeat(2_000_000) }]) {
      expectProblem(await call(market, 'POST', '/v1/Permissions', options), 'method_not_allowed')
      expectProblem(await call(market, 'POST', '/v1/Nothing', options), 'not_found')
    }
  })

  test('HEAD answers as GET does, without a body', async () => {
    const { status, headers, text } = await call(market, 'HEAD', '/v1/Products?limit=1', { token })
    expect({ status, text, link: headers.has('link') }).toEqual({
      status: 200,
      text: '',
      link: true,
    })
    expect((await call(market, 'HEAD', '/v1/Products')).status).toBe(401)
  })
})

describe('every answer has an x-request-id of its own', () => {
  const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/

  test('success, error, page, preflight, redirect', async () => {
    const answers = await Promise.all([
      get('/livez'),
      get('/openapi.json'),
      get('/.well-known/jwks.json'),
      get('/login'),
      get('/Apps/Authenticate/price-sync', HTML),
      get('/nothing', HTML),
      get('/v1/Nothing'),
      get('/v1/Products'),
      get('/%zz'),
      get(`/v1/Products/${'1'.repeat(501)}`),
      get('/assets/x'),
      call(market, 'DELETE', '/v1/Auth'),
      call(market, 'OPTIONS', '/v1/Products', { headers: PREFLIGHT }),
      call(market, 'POST', '/v1/Auth', { body: '{' }),
      call(market, 'POST', '/v1/Auth', { body: 'x'.repeat(1_048_577) }),
    ])
    const ids = answers.map(({ headers }) => headers.get('x-request-id'))
    for (const id of ids) expect(id).toMatch(ID)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test("a client's own x-request-id does not replace it", async () => {
    const { headers } = await get('/livez', { 'x-request-id': 'mine' })
    expect(headers.get('x-request-id')).toMatch(ID)
  })

  test.each([
    [
      'headers over the limit',
      `GET /livez HTTP/1.1\r\nhost: x\r\na: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    [
      'an address over the limit',
      `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    ['no HTTP at all', 'nonsense\r\n\r\n', 400, 'invalid_request'],
    [
      'two lengths',
      'POST /v1/Auth HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
      400,
      'invalid_request',
    ],
  ])('%s', async (_name, bytes, status, code) => {
    const answer = await exchange(bytes)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(answer).toMatch(/\r\ncontent-type: application\/problem\+json; charset=utf-8\r\n/)
    const requestId = answer.match(/\r\nx-request-id: (\S+)\r\n/)?.[1]
    expect(requestId).toMatch(ID)
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({
      code,
      requestId,
      status,
    })
  })
})

describe('scripts of other origins', () => {
  test.each(DATA_PATHS)('%s answers any, without credentials, also in errors', async (path) => {
    const headers = { ...ORIGIN, authorization: `Bearer ${token}` }
    for (const answer of [await get(path, headers), await get(path, ORIGIN)]) {
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
      const exposed = answer.headers.get('access-control-expose-headers')?.split(', ')
      expect(exposed).toEqual(expect.arrayContaining(['link', 'location', 'www-authenticate']))
    }
  })

  test.each(DATA_PATHS)('%s answers their preflight without a token', async (path) => {
    const { status, headers, text } = await call(market, 'OPTIONS', path, { headers: PREFLIGHT })
    expect({ status, text }).toEqual({ status: 204, text: '' })
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-headers')?.toLowerCase()).toContain('authorization')
    expect(headers.get('access-control-allow-methods')).toContain('GET')
    expect(headers.has('access-control-allow-credentials')).toBe(false)
    expect(Number(headers.get('access-control-max-age'))).toBeGreaterThan(0)
  })

  test('a long path parameter changes nothing of it', async () => {
    const { headers } = await get(`/v1/Products/${'1'.repeat(200)}`, ORIGIN)
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })

  test.each(OTHER_PATHS)('%s answers none', async (path) => {
    const answers = [
      await get(path, { ...ORIGIN, authorization: `Bearer ${developer}` }),
      await call(market, 'OPTIONS', path, { headers: PREFLIGHT }),
      await call(market, 'POST', path, { headers: ORIGIN, body: {} }),
    ]
    for (const { headers } of answers) {
      expect(headers.has('access-control-allow-origin')).toBe(false)
    }
    expect(answers[1]?.status).toBe(405)
  })
})

test('every answer has the security headers', async () => {
  const paths = ['/livez', '/v1/Products', '/v1/Nothing', '/login', '/%zz', '/openapi.json']
  for (const { headers } of await Promise.all(paths.map((path) => get(path)))) {
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('referrer-policy')).toMatch(/^(no-referrer|same-origin)$/)
    expect(headers.has('server') || headers.has('x-powered-by')).toBe(false)
  }
})
