import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { authorizePath, CODE_APP, openForCode, RETURN_URL, redeem } from '../../setup/code-flow.ts'
import { expectRefused, setReturnUrl } from '../../setup/redirect.ts'
import { demoUser, signedIn } from '../../setup/web-client.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
  await setReturnUrl(market, CODE_APP, RETURN_URL)
})
afterAll(() => market.close())

describe('the resource of a request for a code', () => {
  test.each([
    ['is the base address of the server', () => market.url],
    ['is the base address with a slash at the end', () => `${market.url}/`],
    ['has no value', () => ''],
  ])('that %s is taken', async (_what, resource) => {
    const flow = await openForCode(market, { resource: resource() })
    expect((await redeem(market, flow, { resource: market.url })).status).toBe(200)
  })

  test.each([
    ['is another server', () => 'https://other.example'],
    ['is a part of the server', () => `${market.url}/v1`],
    ['is the issuer of the app', () => `${market.url}/Apps/${CODE_APP}`],
    ['has a slash too many', () => `${market.url}//`],
    ['is no address', () => 'a\u0000"<b>'],
  ])('that %s goes back as invalid_target', async (_what, resource) => {
    const browser = await signedIn(market, demoUser(market, 'Seller'))
    const { location } = await browser.get(
      authorizePath({ state: 's', resource: resource(), scope: 'products:read' }),
    )
    expect(location?.startsWith(`${RETURN_URL}?`)).toBe(true)
    expect(Object.fromEntries(new URL(location ?? '').searchParams)).toEqual({
      error: 'invalid_target',
      error_description: expect.stringMatching(/^[\x20-\x7e]+$/),
      state: 's',
      iss: `${market.url}/Apps/${CODE_APP}`,
    })
  })

  test.each([
    ['occurs twice', () => `${authorizePath({ resource: market.url })}&resource=${market.url}`],
    ['is very long', () => authorizePath({ resource: `${market.url}/${'a'.repeat(2048)}` })],
  ])('that %s goes nowhere', async (_what, path) => {
    const browser = await signedIn(market, demoUser(market, 'Seller'))
    expectRefused(
      await browser.get(path()),
      400,
      /its resource (occurs more than once|is too long)/,
    )
  })

  test('comes through the sign-in', async () => {
    const first = await fetch(market.url + authorizePath({ resource: 'https://other.example' }), {
      redirect: 'manual',
    })
    const next = new URL(first.headers.get('location') ?? '', market.url).searchParams.get('next')
    expect(new URL(next ?? '', market.url).searchParams.get('resource')).toBe(
      'https://other.example',
    )
  })

  test('means nothing where the token goes into the address', async () => {
    const browser = await signedIn(market, demoUser(market, 'Seller'))
    const page = await browser.get(
      `/Apps/Authenticate/${CODE_APP}?resource=${encodeURIComponent('https://other.example')}`,
    )
    expect(new URL(page.location ?? '').searchParams.get('token')).toMatch(/^eyJ/)
  })
})
