import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Answer,
  accountToken,
  call,
  demoInstallation,
  developerToken,
  installationToken,
} from '../../setup/client.ts'
import { expectEvents, type LoggedMarketplace, startLogged } from '../../setup/logged.ts'
import { type OperatorCalls, operatorCalls } from '../../setup/operator.ts'
import { setReturnUrl, tokenOf } from '../../setup/redirect.ts'
import { failingInserts, missing, sabotaged } from '../../setup/sabotage.ts'
import { demoUser, hiddenFields, signedIn, webClient } from '../../setup/web-client.ts'

/** In everything that a client sends here. */
const CANARY = 'canary7f3a'

let market: LoggedMarketplace
let operator: OperatorCalls
let developer: string
let user: string
let token: string
beforeAll(async () => {
  market = await startLogged()
  await setReturnUrl(market, 'price-sync', 'https://app.example/return')
  operator = await operatorCalls(market)
  developer = await developerToken(market)
  user = await accountToken(market, demoUser(market, 'Seller'))
  token = await installationToken(market, demoInstallation(market, 'price-sync', 'Seller'))
})
afterAll(() => market.close())

const installation = () => demoInstallation(market, 'price-sync', 'Seller').id

describe('at trace level nothing that was sent is logged', () => {
  const withCanaries = (path: string) =>
    `${path}${path.includes('?') ? '&' : '?'}token=${CANARY}&password=${CANARY}&state=${CANARY}`
  const headers = {
    cookie: `session=${CANARY}; form=${CANARY}`,
    'x-api-key': CANARY,
    'x-request-id': CANARY,
    'x-forwarded-for': CANARY,
    'user-agent': CANARY,
    referer: `https://${CANARY}.example/`,
    origin: `https://${CANARY}.example`,
    'if-match': CANARY,
    'if-none-match': CANARY,
    'accept-language': CANARY,
  }
  const body = {
    clientId: CANARY,
    email: CANARY,
    password: CANARY,
    token: CANARY,
    [CANARY]: CANARY,
  }
  const send = (method: string, path: string, more: Parameters<typeof call>[3] = {}) =>
    call(market, method, path, { ...more, headers: { ...headers, ...more.headers } })

  const cases: [string, () => Promise<Answer>, number | number[]][] = [
    ['a success with a query', () => send('GET', `/v1/Apps?q=${CANARY}`), 200],
    ['a success with a token', () => send('GET', '/v1/Products', { token }), 200],
    ['a query that nobody knows', () => send('GET', withCanaries('/v1/Products'), { token }), 400],
    ['an address that nobody knows', () => send('GET', withCanaries(`/v1/${CANARY}`)), 404],
    ['an id that nobody knows', () => send('GET', `/v1/Products/${CANARY}`, { token }), 404],
    [
      'a preflight',
      () =>
        send('OPTIONS', `/v1/Products/${CANARY}`, {
          headers: { 'access-control-request-method': 'GET' },
        }),
      204,
    ],
    ['an address that cannot be decoded', () => send('GET', `/v1/%zz${CANARY}`), 400],
    [
      'a page that nobody knows',
      () => send('GET', withCanaries(`/${CANARY}`), { headers: { accept: 'text/html' } }),
      404,
    ],
    ['a method that is not taken', () => send('DELETE', withCanaries('/v1/Auth')), 405],
    ['a token that is none', () => send('GET', '/v1/Products', { token: CANARY }), 401],
    [
      'a token with another signature',
      () => send('GET', '/v1/Products', { token: `${token.slice(0, -10)}${CANARY}` }),
      401,
    ],
    [
      'another scheme',
      () => send('GET', '/v1/Products', { headers: { authorization: `Basic ${CANARY}` } }),
      401,
    ],
    [
      'wrong credentials of a developer',
      () => send('POST', '/v1/Auth', { body: { clientId: CANARY, password: CANARY } }),
      401,
    ],
    [
      'wrong credentials of a user',
      () =>
        send('POST', '/v1/Account/Auth', {
          body: { email: `${CANARY}@x.example`, password: CANARY },
        }),
      401,
    ],
    ['a body with unknown attributes', () => send('POST', '/v1/Auth', { body }), [400, 401]],
    [
      'a body that is no JSON',
      () => send('POST', '/v1/Auth', { body: `{"password": "${CANARY}` }),
      400,
    ],
    [
      'a body of another type',
      () =>
        send('POST', '/v1/Auth', { body: CANARY, headers: { 'content-type': `text/${CANARY}` } }),
      415,
    ],
    [
      'a body that is too large',
      () => send('POST', '/v1/Auth', { body: `"${CANARY.repeat(120_000)}"` }),
      413,
    ],
    [
      'a revocation',
      () =>
        send('POST', '/v1/Developer/Token/Revoke', { token: developer, body: { token: CANARY } }),
      200,
    ],
    [
      'an introspection',
      () =>
        send('POST', '/v1/Developer/Token/Introspect', {
          token: developer,
          body: { token: CANARY },
        }),
      200,
    ],
    [
      'a permission that is none',
      () =>
        send('POST', '/v1/Developer/Token', {
          token: developer,
          body: { installationId: installation(), permissions: [CANARY] },
        }),
      [400, 403, 422],
    ],
    [
      'an app with settings that are none',
      () =>
        send('POST', '/v1/Developer/Apps', {
          token: developer,
          body: { id: CANARY, settings: { [CANARY]: { [CANARY]: { type: CANARY } } } },
        }),
      [400, 422],
    ],
    [
      'a user that is made',
      () =>
        operator('POST', 'Users', {
          email: `${CANARY}@x.example`,
          name: CANARY,
          password: `${CANARY}-${CANARY}`,
          partyIds: [],
        }),
      201,
    ],
    [
      'a user that exists',
      () => operator('POST', 'Users', { email: `${CANARY}@x.example`, name: CANARY, partyIds: [] }),
      409,
    ],
    [
      'a developer that is made',
      () =>
        operator('POST', 'Developers', {
          name: CANARY,
          clientId: CANARY,
          password: `${CANARY}-${CANARY}`,
        }),
      201,
    ],
  ]

  test.each(cases)('%s', async (_name, request, status) => {
    const written = await market.loggedDuring(async () => {
      expect([status].flat()).toContain((await request()).status)
    })
    expectEvents(written)
    expect(written.join('\n')).not.toContain(CANARY)
    expect(written.join('\n')).not.toMatch(/eyJ|[Bb]earer|authorization|cookie/)
  })

  test('settings of an installation, passwords among them', async () => {
    const path = `/v1/Developer/Installations/${installation()}`
    const settings = `/v1/Account/Installations/${installation()}/UserSettings`
    const secret = { erpUser: CANARY, erpPassword: CANARY }
    const written = await market.loggedDuring(async () => {
      const patched = await send('PATCH', settings, {
        token: user,
        body: secret,
        headers: { 'if-match': '*' },
      })
      expect(patched.status).toBe(200)
      const read = await send('GET', path, { token: developer })
      expect(read.text).toContain(CANARY)
      const refused = await send('PATCH', settings, {
        token: user,
        body: { erpUser: [CANARY] },
        headers: { 'if-match': '*' },
      })
      expect([400, 422]).toContain(refused.status)
    })
    expect(expectEvents(written).length).toBeGreaterThan(3)
    expect(written.join('\n')).not.toContain(CANARY)
  })

  test.each([
    ['23505', 500],
    ['22P02', 500],
    ['P0001', 500],
    ['42601', 500],
    ['57014', 503],
  ])(
    'a failure of the database that quotes what was written: SQLSTATE %s',
    async (sqlState, status) => {
      const written = await market.loggedDuring(async () => {
        const request = () => operator('POST', 'Parties', { name: CANARY, type: 'Seller' })
        const answer = await sabotaged(market, failingInserts('audit_events', sqlState), request)
        expect(answer.status).toBe(status)
      })
      const [failure] = expectEvents(written).filter(({ msg }) => /fail|not served/.test(`${msg}`))
      expect(failure).toMatchObject({ code: status === 500 ? 'internal_error' : 'unavailable' })
      expect(JSON.stringify(failure)).toContain(sqlState)
      expect(written.join('\n')).not.toMatch(/canary|Key \(email\)|INSERT INTO/)
    },
  )

  test('a fault of ours: its place is logged, not its data', async () => {
    const written = await market.loggedDuring(async () => {
      const answer = await sabotaged(market, missing('products', 'body'), () =>
        send('GET', '/v1/Products?brand=unread', { token }),
      )
      expect(answer.status).toBe(500)
    })
    const [failure] = expectEvents(written).filter(({ level }) => level === 'error')
    expect(failure?.err).toMatchObject({
      type: 'error',
      code: '42703',
      message: 'column p.body does not exist',
      stack: expect.arrayContaining([expect.stringMatching(/product-pages-service\.ts:\d+/)]),
    })
    expect(written.join('\n')).not.toContain(CANARY)
  })
})

describe('the pages log no secret', () => {
  const cookiesOf = (browser: { cookies: Map<string, string> }) => [...browser.cookies.values()]

  test('sign-in, redirect with a token, sign-out', async () => {
    const browser = webClient(market)
    const { email, password } = demoUser(market, 'Seller')
    const secrets: string[] = [password, email]
    const written = await market.loggedDuring(async () => {
      const wrong = await browser.login(
        { email, password: CANARY },
        `/Apps/Authenticate/price-sync?state=${CANARY}`,
      )
      expect(wrong.status).toBe(401)
      secrets.push(hiddenFields(wrong.text)._csrf ?? '', ...cookiesOf(browser))
      await browser.login({ email, password }, `/Apps/Authenticate/price-sync?state=${CANARY}`)
      secrets.push(...cookiesOf(browser))
      const sent = await browser.get(
        `/Apps/Authenticate/price-sync?clientId=northwind&state=${CANARY}`,
      )
      const redirected = tokenOf(sent)
      secrets.push(redirected, ...redirected.split('.'))
      const { _csrf = '' } = hiddenFields((await browser.get('/')).text)
      secrets.push(_csrf)
      expect((await browser.post('/logout', { _csrf })).status).toBe(303)
    })
    expectEvents(written)
    const text = written.join('\n')
    expect(secrets.length).toBeGreaterThan(9)
    for (const secret of secrets) expect(text).not.toContain(secret)
    expect(text).not.toMatch(/canary|state=|token=|next=|eyJ/)
    expect(text).toContain('"route":"/Apps/Authenticate/:appId"')
  })

  test('a link with a foreign client id and a forged form', async () => {
    const browser = await signedIn(market, demoUser(market, 'Seller'))
    const written = await market.loggedDuring(async () => {
      const wrong = await browser.get(`/Apps/Authenticate/price-sync?clientId=${CANARY}`)
      expect(wrong.status).toBe(422)
      expect((await browser.post('/logout', { _csrf: CANARY })).status).toBe(403)
      expect((await browser.get(`/login?next=/${CANARY}`)).status).toBe(303)
    })
    expectEvents(written)
    expect(written.join('\n')).not.toContain(CANARY)
  })
})
