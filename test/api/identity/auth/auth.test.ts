import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDeveloper } from '../../../../src/identity/accounts/developers-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { call } from '../../../setup/client.ts'
import { expectProblem, pointersOf, withoutRequestId } from '../../../setup/expect-problem.ts'

let market: TestMarketplace
let credentials: { clientId: string; password: string }
beforeAll(async () => {
  market = await startMarketplace()
  const [developer] = market.demo.developers
  if (developer === undefined) throw new Error('the demo has no developer')
  credentials = { clientId: developer.clientId, password: developer.password }
})
afterAll(() => market.close())

const signIn = (body: unknown, headers: Record<string, string> = {}) =>
  call(market, 'POST', '/v1/Auth', { body, headers })

describe('the right credentials', () => {
  test('are exchanged for a developer token that is not stored anywhere on the way', async () => {
    const beforeMs = Date.now()
    const answer = await signIn(credentials)
    const afterMs = Date.now()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(Object.keys(answer.body)).toEqual(['token', 'tokenType', 'expiresIn', 'expiresAt'])
    expect(answer.body).toMatchObject({ tokenType: 'Bearer', expiresIn: 3600 })
    expect(answer.body.token.length).toBeLessThanOrEqual(2048)
    // Whole seconds, as tokens have them.
    const issuedMs = new Date(answer.body.expiresAt).getTime() - 3_600_000
    expect(issuedMs).toBeGreaterThan(beforeMs - 1_000)
    expect(issuedMs).toBeLessThan(afterMs + 1_000)
  })

  test('give another token each time', async () => {
    const [one, two] = await Promise.all([signIn(credentials), signIn(credentials)])
    expect(one.body.token).not.toBe(two.body.token)
  })

  test('may come with properties that the endpoint does not know', async () => {
    const { status } = await signIn({ ...credentials, grantType: 'x', nested: { deep: [1] } })
    expect(status).toBe(200)
  })

  test.each(['application/json; charset=utf-8', 'Application/JSON'])(
    'may come as %s',
    async (type) => {
      expect((await signIn(credentials, { 'content-type': type })).status).toBe(200)
    },
  )

  test('may come after a byte order mark, which RFC 8259 lets parsers ignore', async () => {
    const body = Buffer.concat([
      Buffer.from([0xef, 0xbb, 0xbf]),
      Buffer.from(JSON.stringify(credentials)),
    ])
    expect((await signIn(body)).status).toBe(200)
  })
})

describe('a body of the wrong shape is 400 with a pointer to the problem', () => {
  const wrongTypes = [1, null, ['x'], { startsWith: 'a' }, true, 1.5, { equals: null }, []]

  test.each(wrongTypes)('clientId %j', async (clientId) => {
    const answer = await signIn({ clientId, password: 'long enough' })
    expectProblem(answer, 'invalid_request')
    expect(pointersOf(answer)).toEqual(['/clientId'])
    expect(answer.headers.has('www-authenticate')).toBe(false)
  })

  test.each(wrongTypes)('password %j', async (password) => {
    const answer = await signIn({ clientId: credentials.clientId, password })
    expectProblem(answer, 'invalid_request')
    expect(pointersOf(answer)).toEqual(['/password'])
  })

  test('all missing fields at once', async () => {
    const answer = await signIn({})
    expectProblem(answer, 'invalid_request')
    expect(pointersOf(answer)).toEqual(['/clientId', '/password'])
  })

  test.each(['null', '[]', '"text"', '1', 'true'])('the JSON text %s', async (body) => {
    expectProblem(await signIn(body), 'invalid_request')
  })
})

describe('what is not JSON is 400', () => {
  test.each([
    ['broken JSON', '{"clientId": "a", '],
    ['a trailing comma', '{"clientId": "a",}'],
    ['two values', '{} {}'],
    ['a number like NaN', '{"clientId": NaN}'],
    ['a form', 'clientId=a&password=b'],
    ['white space only', '  \n'],
  ])('%s', async (_name, body) => {
    expectProblem(await signIn(body), 'invalid_request')
  })

  test('no body at all', async () => {
    expectProblem(await call(market, 'POST', '/v1/Auth'), 'invalid_request')
  })

  test('an empty body with a content type', async () => {
    expectProblem(await signIn(''), 'invalid_request')
  })

  test.each([
    ['an invalid byte', [0xff]],
    ['an overlong form', [0xc0, 0xaf]],
    ['a surrogate in UTF-8', [0xed, 0xa0, 0x80]],
    ['a cut sequence', [0xe2, 0x82]],
  ])('%s in place of UTF-8', async (_name, bytes) => {
    const body = Buffer.concat([
      Buffer.from('{"clientId":"'),
      Buffer.from(bytes),
      Buffer.from('","password":"x"}'),
    ])
    expectProblem(await signIn(body), 'invalid_request')
  })

  test('UTF-16', async () => {
    expectProblem(
      await signIn(Buffer.from(JSON.stringify(credentials), 'utf16le')),
      'invalid_request',
    )
  })
})

describe('values that no endpoint takes are 400', () => {
  test.each([
    ['a NUL character', '{"clientId":"a\\u0000b","password":"x"}', '/clientId'],
    ['a NUL in the password', '{"clientId":"a","password":"\\u0000"}', '/password'],
    ['a lone high surrogate', '{"clientId":"\\ud800","password":"x"}', '/clientId'],
    ['a lone low surrogate', '{"clientId":"a\\udc00","password":"x"}', '/clientId'],
    ['surrogates the wrong way round', '{"clientId":"\\udc00\\ud800","password":"x"}', '/clientId'],
    ['the key __proto__', '{"__proto__":{"clientId":"a"}}', '/__proto__'],
    ['the key constructor', '{"clientId":"a","password":"x","constructor":1}', '/constructor'],
    ['a hostile key inside', '{"clientId":"a","x":[{"prototype":1}]}', '/x/0/prototype'],
    ['a number beyond a double', '{"clientId":"a","password":"x","n":1e400}', '/n'],
    ['a NUL in a key', '{"a\\u0000":1}', ''],
  ])('%s', async (_name, body, pointer) => {
    const answer = await signIn(body)
    expectProblem(answer, 'invalid_request')
    expect(pointersOf(answer)).toEqual([pointer])
  })

  test('a whole surrogate pair is text like any other', async () => {
    expectProblem(await signIn({ clientId: '\u{1f600}', password: 'x' }), 'invalid_credentials')
  })

  test.each([
    ['arrays', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('2,000 nested %s', async (_name, open, close) => {
    const deep = open.repeat(2_000) + (open === '[' ? '' : '1') + close.repeat(2_000)
    const answer = await signIn(`{"clientId":"a","password":"x","deep":${deep}}`)
    expectProblem(answer, 'invalid_request')
    expect(answer.text.length).toBeLessThan(1000)
  })

  test('nesting of 32 is taken, of 33 is not', async () => {
    const nested = (depth: number) => `${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}`
    const body = (depth: number) => `{"clientId":1,"deep":${nested(depth)}}`
    expect(pointersOf(await signIn(body(32)))).toEqual(['/clientId', '/password'])
    expect(pointersOf(await signIn(body(33)))).not.toContain('/clientId')
  })
})

describe('content types', () => {
  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonx',
    'application/problem+json',
    'nonsense',
  ])('%s is 415', async (type) => {
    const answer = await signIn(JSON.stringify(credentials), { 'content-type': type })
    expectProblem(answer, 'unsupported_media_type')
  })

  test('a body without a content type is 415', async () => {
    const { statusCode, body } = await market.app.inject({
      method: 'POST',
      url: '/v1/Auth',
      payload: Buffer.from(JSON.stringify(credentials)),
    })
    expect({ statusCode, code: JSON.parse(body).code }).toEqual({
      statusCode: 415,
      code: 'unsupported_media_type',
    })
  })
})

describe('sizes', () => {
  test('a body of exactly 16 KiB is read, one byte more is 413', async () => {
    const start = '{"clientId":1,"x":"'
    const body = (bytes: number) => `${start}${'x'.repeat(bytes - start.length - 2)}"}`
    expectProblem(await signIn(body(16_384)), 'invalid_request')
    expectProblem(await signIn(body(16_385)), 'payload_too_large')
  })

  test('an announced length over the limit is refused before the body comes', async () => {
    const { hostname, port } = new URL(market.url)
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          'POST /v1/Auth HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9999999999\r\n\r\n{',
        )
      })
      socket.once('data', (data) => resolve(String(data)))
      socket.once('error', reject)
    })
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  })

  test('a password of over 1,024 bytes is a wrong one, known client id or not', async () => {
    for (const password of ['x'.repeat(1025), '\u20ac'.repeat(342)]) {
      const answer = await signIn({ ...credentials, password })
      expectProblem(answer, 'invalid_credentials')
      const unknown = await signIn({ clientId: 'nobody-has-this', password })
      expect(unknown.body).toEqual({ ...answer.body, requestId: unknown.body.requestId })
    }
  })

  test('a password of 1,024 bytes is compared', async () => {
    const answer = await signIn({ ...credentials, password: 'x'.repeat(1024) })
    expectProblem(answer, 'invalid_credentials')
  })

  test('a clientId of 15,000 characters is merely unknown', async () => {
    const answer = await signIn({ clientId: 'x'.repeat(15_000), password: 'x' })
    expectProblem(answer, 'invalid_credentials')
  })
})

describe('credentials that do not count are 401 with one and the same body', () => {
  const removed = async () => {
    const { id, ...one } = await createDeveloper(market.deps, { name: 'Removed Ltd' })
    await market.deps.db.developerCredential.updateMany({
      where: { developerId: id },
      data: { removedAt: new Date(), slot: null },
    })
    return one
  }
  const suspended = async () => {
    const { id, ...one } = await createDeveloper(market.deps, { name: 'Suspended Ltd' })
    await market.deps.db.developer.update({ where: { id }, data: { suspendedAt: new Date() } })
    return one
  }

  test.each([
    ['an unknown clientId', async () => ({ clientId: 'nobody', password: credentials.password })],
    ['a clientId in other case', async () => ({ ...credentials, clientId: 'NORTHWIND' })],
    ['an empty clientId', async () => ({ clientId: '', password: '' })],
    ['a removed credential', removed],
    ['a suspended developer', suspended],
  ])('%s', async (_name, make) => {
    const { clientId, password } = await make()
    const wrongPassword = await signIn({ ...credentials, password: 'wrong password' })
    expectProblem(wrongPassword, 'invalid_credentials')
    const challenge = wrongPassword.headers.get('www-authenticate')
    expect(challenge).toBe('Password realm="App Marketplace"')
    const answer = await signIn({ clientId, password })
    expectProblem(answer, 'invalid_credentials')
    expect(withoutRequestId(answer)).toEqual(withoutRequestId(wrongPassword))
  })
})

test('the endpoint looks at no Authorization header', async () => {
  expect((await signIn(credentials, { authorization: 'Bearer nonsense' })).status).toBe(200)
})
