import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { authorizePath, CODE_APP, openForCode, RETURN_URL, redeem } from '../../setup/code-flow.ts'
import { expectRefused, setReturnUrl } from '../../setup/redirect.ts'
import { demoUser, hiddenFields, signedIn, webClient } from '../../setup/web-client.ts'

let market: TestMarketplace
let undo: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  market = await startMarketplace()
  await setReturnUrl(market, CODE_APP, RETURN_URL)
})
afterEach(async () => {
  for (const step of undo.reverse()) await step()
  undo = []
})
afterAll(() => market.close())

const seller = () => demoUser(market, 'Seller')

const changeApp = async (data: object, back: object) => {
  await market.deps.db.app.update({ where: { id: CODE_APP }, data })
  undo.push(() => market.deps.db.app.update({ where: { id: CODE_APP }, data: back }))
}
describe('a request for a code', () => {
  test('leads a user through the sign-in back to the app, with code, state and issuer', async () => {
    const browser = webClient(market)
    const state = `a b&c=d"'<>漢`
    const first = await browser.get(authorizePath({ state, redirect_uri: RETURN_URL }))
    expect(first.location).toMatch(/^\/login\?next=/)
    const next = new URL(first.location ?? '', market.url).searchParams.get('next') ?? ''
    const posted = await browser.login(seller(), next)
    const sent = await browser.get(posted.location ?? '')
    expect(sent.status).toBe(303)
    expect(sent.headers.get('cache-control')).toContain('no-store')
    expect(sent.headers.get('referrer-policy')).toBe('no-referrer')
    const { origin, pathname, searchParams } = new URL(sent.location ?? '')
    expect(origin + pathname).toBe(RETURN_URL)
    expect(Object.fromEntries(searchParams)).toEqual({
      code: expect.stringMatching(/^amc_[\w-]{43}[0-9A-Za-z]{6}$/),
      state,
      iss: `${market.url}/Apps/${CODE_APP}`,
    })
  })

  test('with an empty return address counts as one without', async () => {
    const browser = await signedIn(market, seller())
    const { location } = await browser.get(authorizePath({ redirect_uri: '' }))
    expect(location?.startsWith(`${RETURN_URL}?code=`)).toBe(true)
  })

  test('stores only the hash of the code', async () => {
    const { code } = await openForCode(market)
    const rows = await market.deps.pool.query(
      'SELECT encode(id, $1) AS id, c::text FROM authorization_codes c',
      ['hex'],
    )
    expect(JSON.stringify(rows.rows)).not.toContain(code.slice(4, 40))
  })

  test.each([
    ['no challenge', { code_challenge: undefined }],
    ['the method plain', { code_challenge_method: 'plain' }],
    ['no method', { code_challenge_method: undefined }],
    ['a challenge that is none', { code_challenge: 'x'.repeat(42) }],
  ])('with %s goes back as invalid_request', async (_what, fields) => {
    const page = await (await signedIn(market, seller())).get(
      authorizePath({ state: 's', ...fields }),
    )
    const { origin, pathname, searchParams } = new URL(page.location ?? '')
    expect(origin + pathname).toBe(RETURN_URL)
    expect(Object.fromEntries(searchParams)).toEqual({
      error: 'invalid_request',
      error_description: expect.any(String),
      state: 's',
      iss: `${market.url}/Apps/${CODE_APP}`,
    })
  })

  test.each([['id_token'], ['code id_token']])(
    'for the response type %s goes back as unsupported, through the sign-in too',
    async (type) => {
      const path = authorizePath({ response_type: type, state: 's' })
      const { location } = await webClient(market).get(path)
      const next = new URL(location ?? '', market.url).searchParams.get('next') ?? ''
      const browser = await signedIn(market, seller())
      for (const way of [path, next]) {
        const answer = new URL((await browser.get(way)).location ?? '')
        expect(answer.origin + answer.pathname).toBe(RETURN_URL)
        expect(Object.fromEntries(answer.searchParams)).toEqual({
          error: 'unsupported_response_type',
          error_description: expect.any(String),
          state: 's',
          iss: `${market.url}/Apps/${CODE_APP}`,
        })
      }
      const elsewhere = authorizePath({ response_type: type, redirect_uri: 'https://evil.example' })
      expectRefused(await browser.get(elsewhere), 422, /return address/, 'View installation')
      const foreign = authorizePath({ response_type: type, client_id: 'blueharbor' })
      expectRefused(await browser.get(foreign), 422, /client ID/, 'View installation')
    },
  )

  test.each([
    ['no client id', { client_id: undefined }, /contains no client ID/],
    ['the client of another developer', { client_id: 'blueharbor' }, /client ID/],
    ['another return address', { redirect_uri: `${RETURN_URL}/` }, /return address/],
    ['a return address elsewhere', { redirect_uri: 'https://evil.example' }, /return address/],
  ])('with %s goes nowhere', async (_what, fields, detail) => {
    const page = await (await signedIn(market, seller())).get(authorizePath(fields))
    expectRefused(page, 422, detail, 'View installation')
  })

  test.each([
    ['no name of a response type', authorizePath({ response_type: 'code#' })],
    ['two response types', `${authorizePath({})}&response_type=code`],
    ['two challenges', `${authorizePath({})}&code_challenge=x`],
    [
      'more than the sign-in carries',
      authorizePath({ redirect_uri: `https://a.example/${'&'.repeat(1500)}` }),
    ],
  ])('with %s goes nowhere', async (_what, path) => {
    const page = await (await signedIn(market, seller())).get(path)
    expectRefused(page, 400, /link to the app is wrong/)
  })

  test('with one of our parameters in the return address goes nowhere', async () => {
    await setReturnUrl(market, CODE_APP, `${RETURN_URL}?code=1`)
    undo.push(() => setReturnUrl(market, CODE_APP, RETURN_URL))
    const page = await (await signedIn(market, seller())).get(authorizePath({}))
    expectRefused(page, 422, /no valid return address/, 'View installation')
  })
})

describe('an app with tokenDelivery "code"', () => {
  test('is not opened by a link without a code, and its page says so', async () => {
    await changeApp({ tokenDelivery: 'code' }, { tokenDelivery: 'token' })
    const browser = await signedIn(market, seller())
    const page = await browser.get(`/Apps/Authenticate/${CODE_APP}`)
    expectRefused(page, 422, /from its own site/, 'View installation')
    expect((await redeem(market, await openForCode(market, { browser }))).status).toBe(200)
  })
})

describe('an app that is told why no user comes', () => {
  const withoutApp = async () => {
    const { id } = await market.deps.db.party.create({ data: { name: 'Without', type: 'Seller' } })
    const user = await market.deps.db.user.findUniqueOrThrow({ where: { email: seller().email } })
    await market.deps.db.membership.create({ data: { userId: user.id, partyId: id } })
    undo.push(() => market.deps.db.party.delete({ where: { id } }))
    undo.push(() => market.deps.db.membership.deleteMany({ where: { partyId: id } }))
    return id
  }
  const told = (location: string | null) => {
    expect(location?.startsWith(`${RETURN_URL}?`)).toBe(true)
    return Object.fromEntries(new URL(location ?? '').searchParams)
  }

  test('by a code request: the account does not have the app', async () => {
    const partyId = String(await withoutApp())
    const page = await (await signedIn(market, seller())).get(
      authorizePath({ state: 's', partyId }),
    )
    const iss = `${market.url}/Apps/${CODE_APP}`
    expect(told(page.location)).toEqual({ error: 'access_denied', state: 's', iss })
  })

  test('by its definition: without a code there is no issuer', async () => {
    const partyId = await withoutApp()
    const path = `/Apps/Authenticate/${CODE_APP}?state=s&partyId=${partyId}`
    const browser = await signedIn(market, seller())
    expect((await browser.get(path)).status).toBe(404)
    await changeApp({ redirectErrors: 'return' }, { redirectErrors: 'page' })
    expect(told((await browser.get(path)).location)).toEqual({ error: 'access_denied', state: 's' })
  })

  test('is told of a user who cancels the choice of an account', async () => {
    const user = demoUser(market, 'None')
    const { id: userId } = await market.deps.db.user.findUniqueOrThrow({
      where: { email: user.email },
    })
    const membership = { userId, partyId: seller().partyId }
    await market.deps.db.membership.create({ data: membership })
    undo.push(() => market.deps.db.membership.deleteMany({ where: membership }))
    const browser = await signedIn(market, user)
    const chooser = await browser.get(authorizePath({ state: 's', redirect_uri: RETURN_URL }))
    expect(chooser.text).toContain('name="cancel"')
    const path = `/Apps/Authenticate/${CODE_APP}`
    const cancelled = await browser.post(path, { ...hiddenFields(chooser.text), cancel: 'yes' })
    expect(told(cancelled.location)).toMatchObject({ error: 'access_denied', state: 's' })
    const partyId = String(seller().partyId)
    const chosen = await browser.post(path, { ...hiddenFields(chooser.text), partyId })
    expect(told(chosen.location)).toMatchObject({ code: expect.any(String), state: 's' })
    const plain = await browser.get(path)
    expect(plain.text).not.toContain('name="cancel"')
  })

  test('is told nothing while it is suspended', async () => {
    await changeApp({ suspendedAt: new Date() }, { suspendedAt: null })
    const page = await (await signedIn(market, seller())).get(authorizePath({}))
    expectRefused(page, 422, /suspended/, 'View installation')
  })
})
