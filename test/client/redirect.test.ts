import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fastifyHandler, type RedirectOptions, redirectHandler } from '../../client/src/index.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { call, demoInstallation } from '../setup/client.ts'
import { credentialsOf } from '../setup/marketplace-client.ts'
import { setReturnUrl } from '../setup/redirect.ts'
import { signedIn, type WebClient } from '../setup/web-client.ts'

const RETURN = 'http://127.0.0.1:4000/auth/return'

let market: TestMarketplace
let user: WebClient
let installationId: string
beforeAll(async () => {
  market = await startMarketplace()
  await setReturnUrl(market, 'price-sync', RETURN)
  const { id, partyId } = demoInstallation(market, 'price-sync', 'Seller')
  installationId = id
  const person = market.demo.users.find((one) => one.partyId === partyId)
  if (person === undefined) throw new Error('the demo has no user of this account')
  user = await signedIn(market, person)
})
afterAll(() => market.close())

const app = (options: Partial<RedirectOptions> = {}) =>
  redirectHandler({
    baseUrl: market.url,
    appId: 'price-sync',
    clientId: credentialsOf(market, 'price-sync').clientId,
    returnUrl: RETURN,
    delivery: 'token',
    opened: async (opened) => ({ path: `/start?${opened.installationId}` }),
    ...options,
  })

/** A browser at the return address: keeps the cookie, and goes to the marketplace and back. */
function browserOf(handler: ReturnType<typeof app>) {
  let cookie = ''
  const visit = async (address: string) => {
    const response = await handler(new Request(address, { headers: { cookie } }))
    const [set] = response.headers.getSetCookie()
    if (set !== undefined) cookie = set.split(';')[0] ?? ''
    return response
  }
  return {
    visit,
    forget: () => {
      cookie = ''
    },
    /** Where the marketplace sends the browser on. */
    async through(response: Response): Promise<string> {
      const { pathname, search } = new URL(response.headers.get('location') ?? '')
      const { location } = await user.get(`${pathname}${search}`)
      return location ?? ''
    },
  }
}

test('a user who begins at the app comes back with a token that no page shows', async () => {
  let token = ''
  const opened: RedirectOptions['opened'] = async (one) => {
    token = one.token
    return { path: `/start?${one.installationId}`, headers: { 'set-cookie': 'session=1' } }
  }
  const browser = browserOf(app({ opened }))
  const back = await browser.through(await browser.visit(RETURN))
  expect(new URL(back).searchParams.get('token')).toMatch(/^eyJ/)
  const end = await browser.visit(back)
  expect(end.status).toBe(303)
  expect(end.headers.get('location')).toBe(`/start?${installationId}`)
  expect(end.headers.get('cache-control')).toBe('no-store')
  expect(end.headers.get('referrer-policy')).toBe('no-referrer')
  expect(end.headers.getSetCookie()).toEqual([
    'session=1',
    expect.stringMatching(/^open-price-sync=; Max-Age=0; Path=\/; HttpOnly; SameSite=Lax$/),
  ])
  expect(token).toMatch(/^eyJ/)
})

test('a user who comes with the button of the marketplace is sent around once more', async () => {
  const browser = browserOf(app())
  const { location } = await user.get('/Apps/Authenticate/price-sync')
  const again = await browser.visit(location ?? '')
  expect(again.status).toBe(303)
  expect(again.headers.get('location')).toContain(`${market.url}/Apps/Authenticate/price-sync`)
  const end = await browser.visit(await browser.through(again))
  expect(end.headers.get('location')).toBe(`/start?${installationId}`)
})

describe('refused is', () => {
  test('a token for a redirect that another browser began', async () => {
    const [mallory, victim] = [browserOf(app()), browserOf(app())]
    const stolen = await mallory.through(await mallory.visit(RETURN))
    await victim.visit(RETURN)
    const answer = await victim.visit(stolen)
    expect(answer.headers.get('location')).toContain('/Apps/Authenticate/price-sync')
  })

  test('a browser that keeps no cookies, at the second time', async () => {
    const browser = browserOf(app())
    const first = await browser.through(await browser.visit(RETURN))
    browser.forget()
    const second = await browser.through(await browser.visit(first))
    browser.forget()
    const answer = await browser.visit(second)
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('cookies')
  })

  test('a token that the marketplace does not know', async () => {
    const browser = browserOf(app())
    const start = await browser.visit(RETURN)
    const state = new URL(start.headers.get('location') ?? '').searchParams.get('state')
    const answer = await browser.visit(`${RETURN}?token=forged&state=${state}`)
    expect(answer.status).toBe(400)
    expect(await answer.text()).not.toContain('forged')
  })

  test('an error from the marketplace', async () => {
    const browser = browserOf(app())
    const start = await browser.visit(RETURN)
    const state = new URL(start.headers.get('location') ?? '').searchParams.get('state')
    const answer = await browser.visit(`${RETURN}?error=access_denied&state=${state}`)
    expect(await answer.text()).toBe('The marketplace did not open the app: access_denied.\n')
  })

  test('an error, with a response of the app that leads elsewhere', async () => {
    const failed = async () => Response.redirect('https://app.example/try-again', 303)
    const browser = browserOf(app({ failed }))
    const start = await browser.visit(RETURN)
    const state = new URL(start.headers.get('location') ?? '').searchParams.get('state')
    const answer = await browser.visit(`${RETURN}?error=access_denied&state=${state}`)
    expect(answer.headers.get('location')).toBe('https://app.example/try-again')
    expect(answer.headers.getSetCookie()).toHaveLength(1)
  })

  test('a path to another site', async () => {
    const opened = async () => ({ path: '//evil.example' })
    const browser = browserOf(app({ opened }))
    const back = await browser.through(await browser.visit(RETURN))
    await expect(browser.visit(back)).rejects.toThrow(TypeError)
  })
})

test('the address that asks for a code has a challenge of SHA-256', async () => {
  const handler = app({ delivery: 'code' })
  const { headers } = await handler(new Request(RETURN))
  const query = new URL(headers.get('location') ?? '').searchParams
  expect(Object.fromEntries(query)).toEqual({
    client_id: credentialsOf(market, 'price-sync').clientId,
    state: expect.stringMatching(/^[\w-]{43}$/),
    response_type: 'code',
    redirect_uri: RETURN,
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  })
})

test('a code is exchanged for a token by the server of the app', async () => {
  const { clientId, password } = credentialsOf(market, 'price-sync')
  const browser = browserOf(app({ delivery: 'code', clientId, password }))
  const back = await browser.through(await browser.visit(RETURN))
  expect(new URL(back).searchParams.has('token')).toBe(false)
  const end = await browser.visit(back)
  expect(end.headers.get('location')).toBe(`/start?${installationId}`)
})

test('a code is for the permissions that the app names', async () => {
  const { clientId, password } = credentialsOf(market, 'price-sync')
  const code = { delivery: 'code', clientId, password, permissions: ['profile:read'] } as const
  let token = ''
  const opened: RedirectOptions['opened'] = async (one) => {
    token = one.token
    return { path: '/' }
  }
  const browser = browserOf(app({ ...code, opened }))
  await browser.visit(await browser.through(await browser.visit(RETURN)))
  expect((await call(market, 'GET', '/v1/User/Profile', { token })).status).toBe(200)
  expect((await call(market, 'GET', '/v1/Products', { token })).status).toBe(403)
})

test('a code of another marketplace is refused', async () => {
  const browser = browserOf(app({ delivery: 'code' }))
  const back = new URL(await browser.through(await browser.visit(RETURN)))
  back.searchParams.set('iss', 'https://evil.example')
  const answer = await browser.visit(back.href)
  expect(await answer.text()).toBe('Another marketplace has answered.\n')
})

test('with https no other site can set the cookie', async () => {
  const handler = app({ returnUrl: 'https://app.example/auth/return' })
  const { headers } = await handler(new Request('https://app.example/auth/return'))
  expect(headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-open-price-sync=.*; HttpOnly; SameSite=Lax; Secure$/),
  ])
})

test('the Fastify handler responds as the handler does', async () => {
  const { default: fastify } = await import('fastify')
  const server = fastify()
  server.get('/auth/return', fastifyHandler(app(), 'http://127.0.0.1:4000'))
  const answer = await server.inject('/auth/return')
  await server.close()
  expect(answer.statusCode).toBe(303)
  expect(answer.headers.location).toContain('/Apps/Authenticate/price-sync')
  expect(answer.headers['set-cookie']).toEqual([expect.stringContaining('open-price-sync=')])
})
