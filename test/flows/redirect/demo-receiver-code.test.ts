import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { receiverAddress } from '../../../src/marketplace/apps/receiver-address.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { authorizePath } from '../../setup/code-flow.ts'
import { demoUser, signedIn, type WebClient, webClient } from '../../setup/web-client.ts'

const PATH = '/Demo/Receiver/price-sync'

let market: TestMarketplace
let user: WebClient
const lines: string[] = []

beforeAll(async () => {
  const log = (line: string) => lines.push(line)
  market = await startMarketplace({ config: { demo: true, logLevel: 'info' }, log })
  const authReturnUrl = receiverAddress(market.url, 'price-sync')
  await market.deps.db.app.update({ where: { id: 'price-sync' }, data: { authReturnUrl } })
})
afterAll(() => market?.close())
beforeEach(async () => {
  await change({ tokenDelivery: 'code' })
  user = await signedIn(market, demoUser(market, 'Seller'))
})

const change = (data: object) => market.deps.db.app.update({ where: { id: 'price-sync' }, data })
const local = (location: string | null) => (location ?? '').replace(market.url, '')

/** From the start to the answer of the marketplace, which the receiver has not seen yet. */
async function answered(browser: WebClient) {
  const begun = await browser.get(`${PATH}/Start`)
  expect(begun.status).toBe(303)
  const { location } = await browser.get(local(begun.location))
  expect(location?.startsWith(`${market.url}${PATH}?code=`)).toBe(true)
  return { begun: new URL(begun.location ?? '', market.url), path: local(location) }
}

describe('the demo receiver of an app that takes codes only', () => {
  test('begins with state and PKCE, as the client of the developer', async () => {
    const { begun } = await answered(user)
    expect(Object.fromEntries(begun.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'northwind',
      redirect_uri: `${market.url}${PATH}`,
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
  })

  test('exchanges the code and takes it out of the address, and no log has the token', async () => {
    const { path } = await answered(user)
    const taken = await user.get(path)
    expect([taken.status, taken.location]).toEqual([303, PATH])
    expect(taken.headers.get('cache-control')).toBe('no-store')
    expect(taken.headers.get('referrer-policy')).toBe('no-referrer')
    const { status, text } = await user.get(PATH)
    expect(status).toBe(200)
    expect(text).toContain('exchanged the code')
    expect(text).toContain('kim@keyline.example')
    expect(text.match(/Response 200/g)).toHaveLength(3)
    const [, token = ''] = /TOKEN='([\w.-]+)'/.exec(text) ?? []
    expect(token).toMatch(/^eyJ/)
    expect([...user.cookies.values()].join()).not.toContain(token)
    expect(lines.join('')).not.toContain(token.split('.')[2])
    expect(lines.join('')).not.toContain(new URLSearchParams(path.split('?')[1]).get('code'))
  })

  test('is where the pages of the marketplace open the app', async () => {
    const { text } = await user.get('/')
    expect(text).toContain(`href="${market.url}${PATH}/Start"`)
    const refused = await user.get('/Apps/Authenticate/price-sync')
    expect(refused.text).toContain(`href="${market.url}${PATH}/Start"`)
  })

  test('takes a response only from the browser that began, and once', async () => {
    const { path } = await answered(user)
    const other = await webClient(market).get(path)
    expect([other.status, other.location]).toEqual([400, null])
    expect(other.text).toContain('the state differs')
    expect((await user.get(path)).status).toBe(303)
    expect((await user.get(path)).text).toContain('the state differs')
  })

  test.each([
    ['state', 'x', 'the state differs'],
    ['iss', 'https://evil.example', 'the issuer differs'],
    ['code', 'amc_wrong', 'invalid_grant'],
  ])('refuses another %s', async (name, value, reason) => {
    const { path } = await answered(user)
    const [at, query] = path.split('?')
    const changed = new URLSearchParams(query)
    changed.set(name, value)
    const { status, text } = await user.get(`${at}?${changed}`)
    expect(status).toBe(400)
    expect(text).toContain(reason)
    expect((await user.get(PATH)).text).toContain('No token yet')
  })

  test("shows the marketplace's error as text, and runs nothing in it", async () => {
    const { begun } = await answered(user)
    const state = begun.searchParams.get('state') ?? ''
    const query = new URLSearchParams({
      error: 'access_denied',
      error_description: '<b>why',
      state,
      iss: `${market.url}/Apps/price-sync`,
    })
    const { text } = await user.get(`${PATH}?${query}`)
    expect(text).toContain('access_denied: &lt;b&gt;why.')
    // As an app that takes tokens is told.
    const plain = await webClient(market).get(`${PATH}?error=access_denied`)
    expect(plain.text).toContain('The marketplace answered access_denied.')
  })

  test('ends a code that somebody sends it, without showing it', async () => {
    const { location } = await user.get(authorizePath({ state: 'abc' }))
    const { searchParams } = new URL(location ?? '')
    const { status, text, headers } = await user.get(local(location))
    expect(status).toBe(400)
    expect(text).not.toContain(searchParams.get('code'))
    expect(headers.get('cache-control')).toContain('no-store')
  })
})

describe('the start of the demo receiver', () => {
  test('exists for both kinds of apps, and only for those that return to it', async () => {
    await change({ tokenDelivery: 'token' })
    expect((await user.get(PATH)).text).toContain(`${PATH}/Start`)
    expect((await user.get(`${PATH}/Start`)).status).toBe(303)
    expect((await user.get('/Demo/Receiver/stock-watch')).text).not.toContain('/Start')
    for (const id of ['stock-watch', 'no-such-app', '%00', 'x'.repeat(64)]) {
      expect((await user.get(`/Demo/Receiver/${id}/Start`)).status, id).toBe(404)
    }
  })

  test('does not exist without a demo', async () => {
    const other = await startMarketplace()
    expect((await webClient(other).get(`${PATH}/Start`)).status).toBe(404)
    await other.close()
  })
})
