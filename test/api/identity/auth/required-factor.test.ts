import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../../src/base/values/actor.ts'
import type { Config } from '../../../../src/config.ts'
import type { Route } from '../../../../src/http/route-table.ts'
import { addDeveloperMember } from '../../../../src/identity/accounts/members/developer-members-service.ts'
import { createUser } from '../../../../src/identity/accounts/users-service.ts'
import { removeLostFactor } from '../../../../src/identity/people/lost-factors/remove-lost-factor-service.ts'
import { createSignInLink } from '../../../../src/identity/single-sign-on/sign-in-link-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { accountToken, call } from '../../../setup/client.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import {
  codeOf,
  enrol,
  nextCode,
  type Person,
  signIn,
  tokenByCode,
} from '../../../setup/second-factor.ts'
import { hiddenFields, signedIn, type WebClient, webClient } from '../../../setup/web-client.ts'

let market: TestMarketplace
beforeAll(async () => {
  const requireSecondFactor: Config['requireSecondFactor'] = ['operators', 'developers', 'admins']
  market = await startMarketplace({ config: { requireSecondFactor } })
})
afterAll(() => market.close())

const ENROLMENT = '/Account/SecondFactor'
const PATHS_OF_ENROLMENT = [ENROLMENT, `${ENROLMENT}/Confirm`, `${ENROLMENT}/Done`]

const newUser = (more = {}) =>
  createUser(market.deps, {
    ...{ email: `${randomUUID()}@example.com`, name: 'Una Unenrolled', partyIds: [] },
    ...more,
  })
const makeOperator = (id: string) =>
  market.deps.db.user.update({ where: { id }, data: { operator: true } })

/** An operator who signed in before a second factor was a duty. */
async function overtaken() {
  const user = await newUser()
  const token = await accountToken(market, user)
  const browser = await signedIn(market, user)
  await makeOperator(user.id)
  return { user, token, browser }
}

/** Signs in with password and code, on the way to the operator console. */
async function signedInByCode(user: Person, secret: string) {
  const browser = webClient(market)
  const half = await browser.login(user, '/Operator')
  expect(half.location).toBe('/login/code?next=%2FOperator')
  const fields = hiddenFields((await browser.get(half.location ?? '')).text)
  const code = nextCode(market, secret)
  return { browser, sent: await browser.submit('/login/code', { ...fields, code }) }
}

/** With ids that nothing has: who is not let in does not get that far. */
const pathOf = ({ url }: Route) =>
  url.replaceAll(/:(\w+)/g, (_, name) => (/party|other|next/i.test(name) ? '1' : randomUUID()))
const routesOf = (audiences: readonly string[]) =>
  market.app.routes.all().filter(({ audience = '', method, url }) => {
    return audiences.includes(audience) && method !== 'HEAD' && !url.includes('*')
  })

describe('who must have a second factor and has none', () => {
  test('reaches no route of the API but those of turning it on', async () => {
    const { token } = await overtaken()
    const open: string[] = []
    for (const route of routesOf(['account', 'operator'])) {
      const { method } = route
      const answer = await call(market, method, pathOf(route), { token })
      if (answer.body?.code === 'second_factor_required') expect(answer.status).toBe(401)
      else open.push(`${method} ${route.url}`)
    }
    expect(open.sort()).toEqual([
      'GET /v1/Account/SecondFactor',
      'POST /v1/Account/SecondFactor',
      'POST /v1/Account/SecondFactor/Confirm',
    ])
  })

  test('reaches no more with a secret that waits for its first code', async () => {
    const { user, token } = await overtaken()
    const begun = await call(market, 'POST', '/v1/Account/SecondFactor', {
      token,
      body: { password: user.password },
    })
    expect(begun.status).toBe(200)
    expectProblem(await call(market, 'GET', '/v1/Account', { token }), 'second_factor_required')
  })

  test('gets from every page what a stranger gets, but for those of turning it on', async () => {
    const { user, browser } = await overtaken()
    const stranger = webClient(market)
    const tokenOn = async (client: WebClient, page: string) =>
      hiddenFields((await client.get(page)).text)._csrf ?? ''
    const tokens = [await tokenOn(browser, ENROLMENT), await tokenOn(stranger, '/login')]
    const different: string[] = []
    for (const route of routesOf(['browser', 'public'])) {
      const { method, url } = route
      if (url.startsWith('/v1/') || url.startsWith('/oauth') || url === '/logout') continue
      const path = pathOf(route)
      const ask = (client: WebClient, _csrf = '') =>
        method === 'GET' ? client.get(path) : client.submit(path, { _csrf })
      const [own, strange] = [await ask(browser, tokens[0]), await ask(stranger, tokens[1])]
      if (!PATHS_OF_ENROLMENT.includes(url)) expect(own.text, path).not.toContain(user.email)
      // What was sent waits for its sender at an address that is nobody else's.
      const of = ({ status, location }: typeof own) =>
        `${status} ${location?.replace(/%3Fform%3D[0-9a-f-]{36}$/, '')}`
      if (of(own) !== of(strange)) different.push(`${method} ${url}`)
    }
    expect(different.sort()).toEqual([
      'GET /Account/SecondFactor',
      'GET /Account/SecondFactor/Confirm',
      'GET /Account/SecondFactor/Done',
      'GET /login',
      'GET /signed-out',
      'POST /Account/SecondFactor',
      'POST /Account/SecondFactor/Confirm',
    ])
  })

  test('signs out', async () => {
    const { browser } = await overtaken()
    const fields = hiddenFields((await browser.get(ENROLMENT)).text)
    expect((await browser.submit('/logout', fields)).location).toMatch(/^\/(signed-out|login)/)
    expect((await browser.get(ENROLMENT)).location).toMatch(/^\/login/)
  })

  test('is led from the sign-in to turning it on, and from there to where it was to go', async () => {
    const user = await newUser()
    await makeOperator(user.id)
    const browser = webClient(market)
    const follow = async (path: string) => (await browser.get(path)).location ?? ''
    const begin = `${ENROLMENT}?next=%2FOperator`
    expect((await browser.login(user, '/Operator')).location).toBe(begin)
    expect(await follow('/Operator')).toBe('/login?next=%2FOperator')
    expect(await follow('/login?next=%2FOperator')).toBe(begin)
    const page = await browser.get(begin)
    expect(page.text).toContain('This marketplace asks for a second factor')
    const currentPassword = user.password
    const fields = { ...hiddenFields(page.text), currentPassword }
    const confirm = hiddenFields((await browser.post(ENROLMENT, fields)).text)
    const code = codeOf(market, confirm.secret ?? '')
    const done = await browser.post(`${ENROLMENT}/Confirm`, { ...confirm, code })
    expect(done.text).toContain('href="/Operator"')
    expect((await browser.get('/Operator')).status).toBe(200)
  })

  test('is led there from the developer console, who works for a developer', async () => {
    const { user, browser } = await overtaken()
    const login = '/login?next=%2FDeveloper%2FMembers'
    expect((await browser.get('/Developer/Members')).location).toBe(login)
    const { id: developerId } = await market.deps.db.developer.findFirstOrThrow()
    const role = 'member' as const
    await addDeveloperMember(market.deps, developerId, { userId: user.id, role }, SYSTEM)
    expect((await browser.get('/Developer/Members')).location).toBe(login)
    expect((await browser.get(login)).location).toBe(`${ENROLMENT}?next=%2FDeveloper%2FMembers`)
  })

  test('is led there by a sign-in that was to lead nowhere else, and by a link to sign in', async () => {
    const user = await newUser()
    await makeOperator(user.id)
    const { location } = await webClient(market).login(user)
    expect(location).toBe(`${ENROLMENT}?next=%2FOperator`)
    const { link } = await createSignInLink(market.deps, user.email)
    const browser = webClient(market)
    const page = await browser.get(link.slice(market.url.length))
    const followed = await browser.submit('/signin/link', hiddenFields(page.text))
    expect(followed.location).toBe(`${ENROLMENT}?next=%2FOperator`)
    expect((await browser.get(followed.location ?? '')).text).toContain('asks for a second factor')
  })

  test('is led there by no sign-in with a code, nor is anybody else', async () => {
    const user = await newUser()
    const { secret } = await enrol(market, user)
    await makeOperator(user.id)
    expect((await signedInByCode(user, secret)).sent.location).toBe('/Operator')
    expect((await webClient(market).login(await newUser())).location).toBe('/')
  })

  test('is also who had one that was taken off, at the next request of the open session', async () => {
    const user = await newUser()
    const { secret } = await enrol(market, user)
    await makeOperator(user.id)
    const { browser } = await signedInByCode(user, secret)
    expect((await browser.get('/Operator')).status).toBe(200)
    await removeLostFactor(market.deps, user.id, {}, SYSTEM)
    expect((await browser.get('/Operator')).location).toBe('/login?next=%2FOperator')
    expect((await browser.get('/login?next=%2FOperator')).location).toMatch(ENROLMENT)
  })

  test('is told so at the sign-in by API, and signs in with a code once it is on', async () => {
    const { user, token } = await overtaken()
    const refused = await signIn(market, user)
    expectProblem(refused, 'second_factor_required')
    expect(refused.body.detail).toContain('in a browser')
    const send = (path: string, body: object) =>
      call(market, 'POST', `/v1/Account/SecondFactor${path}`, { token, body })
    const { secret } = (await send('', { password: user.password })).body
    expect((await send('/Confirm', { otp: codeOf(market, secret) })).status).toBe(200)
    const read = (made: string) => call(market, 'GET', '/v1/Operator/Users', { token: made })
    expectProblem(await read(token), 'invalid_token')
    expect((await read(await tokenByCode(market, user, secret))).status).toBe(200)
  })
})

describe('whom it is asked of', () => {
  const isAsked = async (person: Person) => (await signIn(market, person)).status === 401
  const { demo, db } = {
    demo: () => market.demo,
    db: () => market.deps.db,
  }

  test('operators, support staff, people of developers and admins of accounts; nobody else', async () => {
    expect(await isAsked(demo().operator)).toBe(true)
    const support = await newUser()
    await db().user.update({ where: { id: support.id }, data: { support: true } })
    expect(await isAsked(support)).toBe(true)
    const developer = await newUser()
    const { id: developerId } = await db().developer.findFirstOrThrow()
    await db().developerMember.create({
      data: { developerId, userId: developer.id, role: 'member' },
    })
    expect(await isAsked(developer)).toBe(true)
    const partyIds = [demo().users[0]?.partyId ?? 0]
    const member = await newUser({ partyIds })
    expect(await isAsked(member)).toBe(true)
    await db().membership.updateMany({ where: { userId: member.id }, data: { role: 'member' } })
    expect(await isAsked(member)).toBe(false)
    expect(await isAsked(await newUser())).toBe(false)
  })
})
