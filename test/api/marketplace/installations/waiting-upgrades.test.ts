import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../../setup/app.ts'
import { type Author, author, draft, newId } from '../../../setup/apps.ts'
import { call } from '../../../setup/client.ts'
import { type Customer, listedApp, newCustomer, newMember } from '../../../setup/customer.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { mainOf, signedIn } from '../../../setup/web-client.ts'

let market: SharedMarketplace
let developer: Author
let customer: Customer
beforeAll(async () => {
  market = await sharedMarketplace()
  developer = await author(market)
})
beforeEach(async () => {
  customer = await newCustomer(market)
})

const waiting = async ({ token }: { token: string } = customer, query = '') => {
  const answer = await call(market, 'GET', `/v1/Account/Upgrades${query}`, { token })
  expect(answer.status).toBe(200)
  return answer.body
}
const installed = async ({ install, party }: Customer = customer) => {
  const app = await listedApp(developer, draft(newId()))
  const { body } = await install({ appId: app.id, partyId: party.id, purchaseOptionId: 'free' })
  return { app, installationId: body.id as string }
}
const publish = (app: { id: string }, changes: object = {}) =>
  developer.put({ ...app, version: '2', ...changes })

test('what has the latest version waits for nothing; a later version waits, and then not', async () => {
  const { app, installationId } = await installed()
  expect(await waiting()).toEqual([])
  await publish(app)
  const [one, ...more] = await waiting()
  expect(more).toEqual([])
  expect(one).toMatchObject({
    ...{ installationId, appId: app.id, appName: app.name, from: '1.0.0', to: '2' },
    ...{ partyId: customer.party.id, partyName: customer.party.name },
    ...{ breaking: false, permissionsAdded: [] },
  })
  await customer.upgrade(installationId, { version: '2' })
  expect(await waiting()).toEqual([])
})

test('says whether it is breaking, what permissions it adds and what it comes to cost', async () => {
  const { app } = await installed()
  await publish(app, {
    permissions: [...app.permissions, { id: 'products:write', purpose: 'Writes stock.' }],
    purchaseOptions: [{ ...app.purchaseOptions[0], monthlyRate: 7 }],
  })
  const [one] = await waiting()
  expect(one).toMatchObject({ breaking: true, permissionsAdded: ['products:write'] })
  expect([one.price.before.monthlyCost, one.price.after.monthlyCost]).toEqual([0, 7])
})

test('has no price after where the purchase option is gone', async () => {
  const { app } = await installed()
  await publish(app, { purchaseOptions: [{ ...app.purchaseOptions[0], id: 'other' }] })
  const [one] = await waiting()
  expect([one.breaking, one.price.after]).toEqual([true, null])
})

test('is for members too, of their accounts only, and of one that is named', async () => {
  const both = await newCustomer(market, 'Seller', [customer.party.id])
  const { app } = await installed()
  await publish(app)
  expect(await waiting(both)).toHaveLength(1)
  expect(await waiting(both, `?partyId=${customer.party.id}`)).toHaveLength(1)
  expect(await waiting(both, `?partyId=${both.party.id}`)).toEqual([])
  expect(await waiting(await newCustomer(market))).toEqual([])
  const { token } = both
  expectProblem(
    await call(market, 'GET', '/v1/Account/Upgrades?partyId=x', { token }),
    'invalid_request',
  )
})

test('passes over uninstalled ones, and apps that are not for the account any more', async () => {
  const [first, second] = [await installed(), await installed()]
  await publish(first.app)
  await publish(second.app, { partyTypes: ['Buyer'] })
  expect(await waiting()).toHaveLength(1)
  await customer.uninstall(first.installationId)
  expect(await waiting()).toEqual([])
})

test('goes on with the next page, each once', async () => {
  const made = [await installed(), await installed(), await installed()]
  for (const { app } of made) await publish(app)
  const seen: string[] = []
  let path = '/v1/Account/Upgrades?limit=2'
  while (path !== '') {
    const { body, headers } = await call(market, 'GET', path, { token: customer.token })
    for (const { installationId } of body) seen.push(installationId)
    const next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? ''
    path = next.replace(/^https?:\/\/[^/]+/, '')
  }
  expect(seen.sort()).toEqual(made.map(({ installationId }) => installationId).sort())
})

test('the page lists them; the header counts them for who can upgrade', async () => {
  const { app, installationId } = await installed()
  await publish(app, { purchaseOptions: [{ ...app.purchaseOptions[0], monthlyRate: 7 }] })
  const admin = await signedIn(market, customer.user)
  const page = await admin.get('/Account/Upgrades')
  for (const shown of [app.name, 'Changes what you agreed to', 'USD 7.00 per month']) {
    expect(mainOf(page)).toContain(shown)
  }
  expect(mainOf(page)).toContain(`href="/Installed/${installationId}/Upgrade"`)
  expect(page.text).toContain('upgrade waits')
  expect(mainOf(await admin.get('/Installed'))).toContain('1 upgrade to review')
  const member = await signedIn(market, await newMember(market, customer.party.id))
  const theirs = await member.get('/Account/Upgrades')
  expect([mainOf(theirs).includes(app.name), theirs.text.includes('upgrade waits')]).toEqual([
    true,
    false,
  ])
})
