import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { receiverAddress } from '../../../src/marketplace/apps/receiver-address.ts'
import { moveReceiver } from '../../../src/process/demo/receiver-service.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { demoInstallation, installationToken } from '../../setup/client.ts'
import { setReturnUrl } from '../../setup/redirect.ts'
import { demoUser, signedIn, type WebClient, webClient } from '../../setup/web-client.ts'

const PATH = '/Demo/Receiver/price-sync'

let market: TestMarketplace
let user: WebClient
const lines: string[] = []

beforeAll(async () => {
  const log = (line: string) => lines.push(line)
  market = await startMarketplace({ config: { demo: true, logLevel: 'info' }, log })
  await setReturnUrl(market, 'price-sync', receiverAddress(market.url, 'price-sync'))
  user = await signedIn(market, demoUser(market, 'Seller'))
})
afterAll(() => market?.close())

const open = async (query = '') => {
  const sent = await user.get(`/Apps/Authenticate/price-sync${query}`)
  const location = sent.location ?? ''
  expect(location.startsWith(`${market.url}${PATH}?token=`)).toBe(true)
  return { location, taken: await user.get(location.slice(market.url.length)) }
}

describe('the demo receiver', () => {
  test('takes the token out of the address at once, and no log has it', async () => {
    const { location, taken } = await open('?state=abc')
    expect([taken.status, taken.location]).toEqual([303, PATH])
    expect(taken.headers.get('cache-control')).toBe('no-store')
    expect(taken.headers.get('referrer-policy')).toBe('no-referrer')
    const token = new URL(location).searchParams.get('token') ?? ''
    expect([...user.cookies.values()].join()).not.toContain(token)
    await user.get(PATH)
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.join('')).not.toContain(token.split('.')[2])
  })

  test('shows claims, permissions, expiry, profile, settings and the first products', async () => {
    await open('?state=abc')
    const { status, text } = await user.get(PATH)
    expect(status).toBe(200)
    expect(text).toContain('state=abc')
    for (const shown of ['party_id', 'products:read', 'That is <time ', 'Keyline Electronics']) {
      expect(text).toContain(shown)
    }
    expect(text).toContain('kim@keyline.example')
    expect(text).toMatch(/margin.*0\.15/)
    expect(text).toContain('partNumber')
    expect(text.match(/Response 200/g)).toHaveLength(3)
    expect(text).toContain(`${market.url}/v1/Products?limit=3`)
  })

  test('shows what the API refuses', async () => {
    const token = await installationToken(market, demoInstallation(market, 'price-sync'), {
      permissions: ['products:read'],
    })
    const client = webClient(market)
    await client.get(`${PATH}?token=${token}`)
    const { text } = await client.get(PATH)
    expect(text).toContain('Response 403')
    expect(text).toContain('insufficient_scope')
  })

  test('shows text that is no token as text, and runs nothing in it', async () => {
    const client = webClient(market)
    await client.get(`${PATH}?token=${encodeURIComponent("<b>'$(x)")}`)
    const { status, text } = await client.get(PATH)
    expect(status).toBe(200)
    expect(text).toContain('it cannot be read')
    expect(text).toContain('Response 401')
    expect(text).not.toContain('<b>')
  })

  test('has a token for its own app only', async () => {
    await open()
    expect((await user.get(PATH)).text).toContain('your app has a token')
    expect((await user.get('/Demo/Receiver/stock-watch')).text).toContain('No token yet')
    expect((await webClient(market).get(PATH)).text).toContain('No token yet')
  })

  test('refuses a token that is too long or comes twice', async () => {
    const client = webClient(market)
    for (const query of [`token=${'x'.repeat(2049)}`, 'token=a&token=b', 'token=%00%ED%A0%80']) {
      const { status } = await client.get(`${PATH}?${query}`)
      expect(status, query).toBeLessThan(500)
    }
    expect((await client.get(`${PATH}?token=${'x'.repeat(2049)}`)).status).toBe(400)
    expect((await client.get(`${PATH}?token=a&token=b`)).status).toBe(400)
  })

  test('does not exist without a demo', async () => {
    const other = await startMarketplace()
    expect((await webClient(other).get(PATH)).status).toBe(404)
    await other.close()
  })
})

describe('the return address of a demo app', () => {
  const addressOf = async (id: string) =>
    (await market.deps.db.app.findUniqueOrThrow({ where: { id } })).authReturnUrl

  test('is one that definitions allow, whatever PUBLIC_URL is', () => {
    const at = (publicUrl: string) => receiverAddress(publicUrl, 'x')
    expect(at('http://127.0.0.1:4711')).toBe('http://127.0.0.1:4711/Demo/Receiver/x')
    expect(at('http://[::1]:3000')).toBe('http://[::1]:3000/Demo/Receiver/x')
    expect(at('https://market.example')).toBe('https://market.example/Demo/Receiver/x')
    expect(at('http://0.0.0.0:3000')).toBe('http://localhost:3000/Demo/Receiver/x')
  })

  test('follows PUBLIC_URL, but one that the developer has set stays', async () => {
    const { demo, deps } = market
    await setReturnUrl(market, 'price-sync', receiverAddress('http://127.0.0.1:1', 'price-sync'))
    await setReturnUrl(market, 'stock-watch', 'https://own.example/back')
    await moveReceiver(deps, { ...demo, baseUrl: 'http://127.0.0.1:1' })
    expect(await addressOf('price-sync')).toBe(receiverAddress(market.url, 'price-sync'))
    expect(await addressOf('stock-watch')).toBe('https://own.example/back')
  })
})
