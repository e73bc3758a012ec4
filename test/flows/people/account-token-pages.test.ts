import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createUser } from '../../../src/identity/accounts/users-service.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { call } from '../../setup/client.ts'
import { expectProblem } from '../../setup/expect-problem.ts'
import { newAddress } from '../../setup/people.ts'
import { enrol, nextCode } from '../../setup/second-factor.ts'
import { hiddenFields, signedIn, type WebClient, webClient } from '../../setup/web-client.ts'

const PATH = '/Account/Token'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

const person = () =>
  createUser(market.deps, { email: newAddress(), name: 'Tara Token', partyIds: [] })
const tokenOn = ({ text }: { text: string }) => /export TOKEN='([^']+)'/.exec(text)?.[1] ?? ''
const whoIs = (token: string) => call(market, 'GET', '/v1/Account', { token })
async function make(browser: WebClient, lifetime = '900') {
  const { _csrf = '' } = hiddenFields((await browser.get(PATH)).text)
  return browser.post(PATH, { _csrf, lifetime })
}

describe('an account token of the account page', () => {
  test('acts as its user for as long as was chosen, and is shown once', async () => {
    const user = await person()
    const browser = await signedIn(market, user)
    const page = await make(browser)
    expect(page.headers.get('cache-control')).toContain('no-store')
    const token = tokenOn(page)
    expect(page.text).toMatch(/<dt>Works until<\/dt><dd><time datetime="[^"]+">[-\d]+ [:\d]+ UTC</)
    expect((await whoIs(token)).body).toMatchObject({ id: user.id, email: user.email })
    expect((await browser.get(PATH)).text).not.toContain(token)
    market.advance(901)
    expectProblem(await whoIs(token), 'token_expired')
    const longer = tokenOn(await make(browser, '3600'))
    market.advance(3000)
    expect((await whoIs(longer)).status).toBe(200)
    market.advance(-3901)
  })

  test.each(['', '1', '86400', '-900', 'x', '900.5'])(
    'lives for 15 minutes when the form asks for %j',
    async (lifetime) => {
      const token = tokenOn(await make(await signedIn(market, await person()), lifetime))
      const [, claims = ''] = token.split('.')
      const { exp, iat } = JSON.parse(Buffer.from(claims, 'base64url').toString())
      expect(exp - iat).toBe(900)
    },
  )

  test('is in the audit trail, without itself', async () => {
    const user = await person()
    const token = tokenOn(await make(await signedIn(market, user)))
    const entries = await market.deps.db.auditEvent.findMany({
      where: { action: 'user.token_made', subjectId: user.id },
    })
    expect(entries).toMatchObject([{ actorKind: 'user', actorId: user.id }])
    expect(JSON.stringify(entries.map(({ after }) => after))).not.toContain(token)
  })

  test('works where the clock of the replica that took the code is ahead', async () => {
    const { id: userId, ...user } = await person()
    const browser = await signedIn(market, user)
    const factorAt = new Date(market.deps.now().getTime() + 5000)
    await market.deps.db.session.updateMany({ where: { userId }, data: { factorAt } })
    expect((await whoIs(tokenOn(await make(browser)))).status).toBe(200)
  })

  test('ends when its user signs out everywhere', async () => {
    const browser = await signedIn(market, await person())
    const token = tokenOn(await make(browser))
    const { _csrf = '' } = hiddenFields((await browser.get('/Account')).text)
    await browser.submit('/Account/SignOutEverywhere', { _csrf })
    expectProblem(await whoIs(token), 'invalid_token')
  })

  test('is made for who is signed in, by a form of the page', async () => {
    const { status, location } = await webClient(market).get(PATH)
    expect([status, location]).toEqual([303, `/login?next=${encodeURIComponent(PATH)}`])
    const browser = await signedIn(market, await person())
    expect((await browser.submit(PATH, { lifetime: '900' })).status).toBe(403)
  })
})

describe('with a second factor', () => {
  test('a recent code is asked for, and counts for the token until it is ten minutes old', async () => {
    const user = await createUser(market.deps, {
      ...{ email: newAddress(), name: 'Olga Operator', partyIds: [], operator: true },
    })
    const { secret } = await enrol(market, user)
    const browser = webClient(market)
    await browser.login(user)
    const step = hiddenFields((await browser.get('/login/code')).text)
    await browser.post('/login/code', { ...step, code: nextCode(market, secret) })
    market.advance(601)
    const { _csrf = '' } = hiddenFields((await browser.get(PATH)).text)
    const asked = await browser.submit(PATH, { _csrf, lifetime: '3600' })
    expect(asked.location).toMatch(/^\/Account\/Confirm\?/)
    const confirm = hiddenFields((await browser.get(asked.location ?? '')).text)
    const code = nextCode(market, secret)
    const { location } = await browser.submit('/Account/Confirm', { ...confirm, code })
    const back = await browser.get(location ?? '')
    expect(back.text).toContain('You have confirmed that it is you. Nothing was saved yet')
    expect(back.text).toMatch(/value="3600" selected/)
    market.advance(300)
    const token = tokenOn(await make(browser, '3600'))
    const invite = () =>
      call(market, 'POST', '/v1/Operator/Invitations', {
        token,
        body: { email: newAddress(), name: 'New' },
      })
    expect((await invite()).status).toBe(201)
    market.advance(301)
    expectProblem(await invite(), 'second_factor_required')
    expect((await whoIs(token)).status).toBe(200)
  })
})
