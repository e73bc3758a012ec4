import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../../src/base/values/actor.ts'
import { createMembership } from '../../../../src/identity/accounts/members/memberships-service.ts'
import { createUser } from '../../../../src/identity/accounts/users-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Author, author } from '../../../setup/apps.ts'
import { accountToken, call } from '../../../setup/client.ts'
import { accountCalls, fullDraft, newCustomer } from '../../../setup/customer.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'
import { operatorCalls } from '../../../setup/operator.ts'
import { newAddress } from '../../../setup/people.ts'
import { hiddenFields, mainOf, signedIn, type WebClient } from '../../../setup/web-client.ts'

let market: TestMarketplace
/** Of the two demo developers: whose sandbox it is, and the other one. */
let owner: Author
let other: Author
let sandbox: { id: number; name: string }
/** An app that is not listed, and one that is; both are of the owner. */
let hidden: string
let listed: string
beforeAll(async () => {
  market = await startMarketplace()
  owner = await author(market)
  other = await author(market, 1)
  const where = { name: 'Northwind Tools' }
  const found = await market.deps.db.developer.findFirstOrThrow({
    where,
    include: { sandboxParty: true },
  })
  sandbox = found.sandboxParty
  const app = fullDraft()
  await owner.create(app)
  hidden = app.id
  listed = 'price-sync'
  const path = `/v1/Developer/Apps/${hidden}/Sandbox`
  expect((await call(market, 'POST', path, { token: owner.token })).status).toBe(201)
})
afterAll(() => market.close())

const get = (path: string, token?: string) =>
  call(market, 'GET', path, token === undefined ? {} : { token })
/** Somebody of the other developer's sandbox, who acts for no other account. */
async function neighbour(role: 'admin' | 'member' = 'admin') {
  const user = await createUser(market.deps, { email: newAddress(), name: 'Nils Neighbour' })
  const { sandboxPartyId: partyId } = await market.deps.db.developer.findFirstOrThrow({
    where: { name: 'Contoso Sync' },
  })
  await createMembership(market.deps, { userId: user.id, partyId, role }, SYSTEM)
  return { user, partyId, ...accountCalls(market, await accountToken(market, user)) }
}

describe('by API, a sandbox and what is in it', () => {
  test('are seen by no other developer', async () => {
    const { token } = other
    for (const path of ['Installations', `Installations?partyId=${sandbox.id}`, 'Events']) {
      const { status, text } = await get(`/v1/Developer/${path}`, token)
      expect(status).toBe(200)
      expect(text).not.toMatch(new RegExp(`${hidden}|Northwind`))
    }
    const into = await call(market, 'POST', `/v1/Developer/Apps/${hidden}/Sandbox`, { token })
    expectProblem(into, 'not_found')
  })

  test('are seen by no ordinary user, in no list and by no search', async () => {
    const { token } = await newCustomer(market)
    const paths = [
      ...['/v1/Account', '/v1/Account/Installations', '/v1/Account/Audit'],
      ...['/v1/Apps', '/v1/Apps?q=northwind', `/v1/Apps?q=${hidden}`],
    ]
    for (const path of paths) {
      const { status, text } = await get(path, token)
      expect(status, path).toBe(200)
      expect(text, path).not.toMatch(new RegExp(`${hidden}|\\(sandbox\\)|"None"`))
    }
    for (const path of [
      `/v1/Account/Installations?partyId=${sandbox.id}`,
      `/v1/Account/Audit?partyId=${sandbox.id}`,
    ]) {
      const { body } = await get(path, token)
      expect([[], undefined], path).toContainEqual(Array.isArray(body) ? body : undefined)
    }
    expectProblem(await get(`/v1/Account/Parties/${sandbox.id}/Members`, token), 'not_found')
    expectProblem(await get(`/v1/Apps/${hidden}`), 'not_found')
  })

  test('take no app of another developer: neither at once nor as a request', async () => {
    const body = { appId: listed, purchaseOptionId: 'free', userSettings: {} }
    const admin = await neighbour()
    const refused = await admin.install({ ...body, partyId: admin.partyId })
    expectProblem(refused, 'unprocessable')
    expect(pointersOf(refused)).toContain('/partyId')
    const member = await neighbour('member')
    const path = `/v1/Account/Parties/${member.partyId}/InstallRequests`
    const asked = await call(market, 'POST', path, { token: member.token, body })
    expectProblem(asked, 'unprocessable')
    expect(pointersOf(asked)).toContain('/partyId')
  })

  test('are connected with nobody', async () => {
    const operator = await operatorCalls(market)
    const { party } = await newCustomer(market, 'Buyer')
    for (const pair of [
      { buyerId: party.id, sellerId: sandbox.id },
      { buyerId: sandbox.id, sellerId: party.id },
    ]) {
      expectProblem(await operator('POST', 'Connections', pair), 'unprocessable')
    }
  })

  test('are read by support, who can give nobody a place in them', async () => {
    const user = await createUser(market.deps, {
      ...{ email: newAddress(), name: 'Sasha Support', support: true },
    })
    const token = await accountToken(market, user)
    const list = await get('/v1/Operator/Parties?type=None', token)
    expect(list.text).toContain(sandbox.name)
    const body = { userId: user.id, partyId: sandbox.id }
    const made = await call(market, 'POST', '/v1/Operator/Memberships', { token, body })
    expectProblem(made, 'operator_required')
  })
})

describe('on the pages, the sandbox of another developer', () => {
  let browser: WebClient
  let ordinary: { id: number; name: string }
  beforeAll(async () => {
    const { user, party } = await newCustomer(market, 'Seller')
    const { id: userId } = user
    const { partyId } = await neighbour()
    await createMembership(market.deps, { userId, partyId, role: 'admin' }, SYSTEM)
    ordinary = party
    browser = await signedIn(market, user)
  })

  test('cannot be chosen', async () => {
    const page = await browser.get('/Account/Choose')
    expect(mainOf(page)).not.toContain(sandbox.name)
    const fields = { ...hiddenFields(page.text), partyId: String(sandbox.id) }
    expect((await browser.post('/Account/Choose', fields)).status).toBe(422)
  })

  test('is no account of the start page, of an install or of its members', async () => {
    for (const path of [
      `/?partyId=${sandbox.id}`,
      `/Account/Members?partyId=${sandbox.id}`,
      `/Account/Requests?partyId=${sandbox.id}`,
    ]) {
      const page = await browser.get(path)
      expect(mainOf(page), path).not.toContain(sandbox.name)
    }
    for (const path of [`/Apps/${hidden}`, `/Apps/${hidden}/Install`]) {
      expect((await browser.get(path)).status, path).toBe(404)
    }
  })

  test('is led to by no redirect, and its apps are as unknown as those that are not', async () => {
    const unknown = await browser.get('/Apps/Authenticate/no-such-app')
    const foreign = await browser.get(`/Apps/Authenticate/${hidden}?partyId=${sandbox.id}`)
    expect([foreign.status, foreign.location]).toEqual([unknown.status, null])
    const told = (page: typeof foreign) => mainOf(page).replace(/<code>[0-9a-f-]+<\/code>/, '')
    expect(told(foreign)).toBe(told(unknown))
  })

  test('is not named where an app is not installed: the own accounts are', async () => {
    const page = await browser.get(`/Apps/Authenticate/${listed}`)
    expect(page.status).toBe(404)
    expect(mainOf(page)).not.toContain('(sandbox)')
    const listing = mainOf(await browser.get(`/Apps/${listed}`))
    expect(listing).toContain(ordinary.name)
    expect(listing).not.toContain('(sandbox)')
  })
})
