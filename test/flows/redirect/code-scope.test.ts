import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { call } from '../../setup/client.ts'
import { authorizePath, CODE_APP, openForCode, RETURN_URL, redeem } from '../../setup/code-flow.ts'
import { setReturnUrl } from '../../setup/redirect.ts'
import { demoUser, hiddenFields, signedIn } from '../../setup/web-client.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
  await setReturnUrl(market, CODE_APP, RETURN_URL)
})
afterAll(() => market.close())

const scopeOf = async (scope: string) =>
  (await redeem(market, await openForCode(market, { scope }))).body.scope

describe('the scope of a request for a code', () => {
  test('narrows the token to the permissions that it names, as the response does', async () => {
    const flow = await openForCode(market, { scope: 'products:read' })
    const { body } = await redeem(market, flow)
    expect(body.scope).toBe('products:read')
    expect(decodeJwt(body.access_token)).toMatchObject({ scope: 'products:read' })
    const token = body.access_token
    expect((await call(market, 'GET', '/v1/Products?limit=1', { token })).status).toBe(200)
    const profile = await call(market, 'GET', '/v1/User/Profile', { token })
    expect([profile.status, profile.body.code]).toEqual([403, 'insufficient_scope'])
  })

  test('without a value counts as omitted', async () => {
    expect(await scopeOf('')).toBe('products:read profile:read settings:read')
  })

  test('may name a permission twice and in any order', async () => {
    expect(await scopeOf('settings:read products:read  settings:read')).toBe(
      'products:read settings:read',
    )
  })

  test.each([
    ['names what is no permission', 'products:read openid'],
    ['names a permission in capitals', 'Products:Read'],
    ['holds spaces only', ' '],
    ['holds a control character', 'products:read\u0000'],
    ['names what the account has not granted', 'products:read products:write'],
  ])('that %s goes back as invalid_scope', async (_what, scope) => {
    const browser = await signedIn(market, demoUser(market, 'Seller'))
    const { location } = await browser.get(authorizePath({ state: 's', scope }))
    expect(location?.startsWith(`${RETURN_URL}?`)).toBe(true)
    expect(Object.fromEntries(new URL(location ?? '').searchParams)).toEqual({
      error: 'invalid_scope',
      error_description: expect.stringMatching(/^[\x20-\x7e]+$/),
      state: 's',
      iss: `${market.url}/Apps/${CODE_APP}`,
    })
  })

  test.each([
    ['occurs twice', `${authorizePath({ scope: 'a' })}&scope=b`],
    ['is very long', authorizePath({ scope: 'products:read '.repeat(100) })],
  ])('that %s goes nowhere', async (_what, path) => {
    const browser = await signedIn(market, demoUser(market, 'Seller'))
    const page = await browser.get(path)
    expect([page.status, page.location]).toEqual([400, null])
  })

  test('comes through the sign-in and the choice of an account', async () => {
    const user = demoUser(market, 'None')
    const { id: userId } = await market.deps.db.user.findUniqueOrThrow({
      where: { email: user.email },
    })
    const { partyId } = demoUser(market, 'Seller')
    await market.deps.db.membership.create({ data: { userId, partyId } })
    const browser = await signedIn(market, user)
    const chooser = await browser.get(authorizePath({ scope: 'profile:read' }))
    const fields = hiddenFields(chooser.text)
    expect(fields.scope).toBe('profile:read')
    await market.deps.db.membership.deleteMany({ where: { userId, partyId } })
    const first = await fetch(market.url + authorizePath({ scope: 'profile:read' }), {
      redirect: 'manual',
    })
    expect(decodeURIComponent(first.headers.get('location') ?? '')).toContain(
      'scope=profile%3Aread',
    )
  })
})
