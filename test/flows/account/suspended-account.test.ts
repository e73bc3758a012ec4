import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { author } from '../../setup/apps.ts'
import { type Customer, fullDraft, listedApp, newCustomer } from '../../setup/customer.ts'
import { operatorCalls } from '../../setup/operator.ts'
import { signedIn, type WebClient } from '../../setup/web-client.ts'

let market: TestMarketplace
let appId: string
let customer: Customer
let browser: WebClient
beforeAll(async () => {
  market = await startMarketplace()
  appId = (await listedApp(await author(market), fullDraft())).id
})
afterAll(() => market.close())
beforeEach(async () => {
  customer = await newCustomer(market)
  browser = await signedIn(market, customer.user)
})

const textOf = async (path: string) => (await browser.get(path)).text.replace(/\s+/g, ' ')
const suspend = async (partyId: number, reason: string) => {
  const operator = await operatorCalls(market)
  const { status } = await operator('POST', `Parties/${partyId}/Suspend`, { reason })
  expect(status).toBe(200)
}

test('the members of a suspended account without apps read why, wherever it is named', async () => {
  await suspend(customer.party.id, 'Bills <b>unpaid</b>.')
  const home = await textOf('/')
  expect(home).toContain('Your account is suspended</p>')
  expect(home).toContain('gave this reason: <bdi>Bills &lt;b&gt;unpaid&lt;/b&gt;.</bdi>')
  expect(home).toContain('operator of this marketplace')
  expect(home).not.toContain('Apps you install for this account appear here')
  expect(await textOf('/Account')).toContain(
    'Your account is suspended by the operator: <bdi>Bills &lt;b&gt;unpaid&lt;/b&gt;.</bdi>',
  )
  for (const path of [`/Apps/${appId}`, `/Apps/${appId}/Install`]) {
    expect(await textOf(path)).toContain(
      'This account is suspended. The operator’s reason: Bills &lt;b&gt;unpaid&lt;/b&gt;.',
    )
  }
})

test('an account that is not suspended is not said to be', async () => {
  const other = await newCustomer(market)
  await market.deps.db.membership.create({
    data: { userId: customer.user.id, partyId: other.party.id },
  })
  await suspend(other.party.id, 'Another matter.')
  for (const path of ['/', '/Account']) {
    expect((await textOf(path)).split('Another matter.')).toHaveLength(2)
  }
  await market.deps.db.membership.deleteMany({ where: { partyId: other.party.id } })
  for (const path of ['/', '/Account', `/Apps/${appId}`]) {
    expect(await textOf(path)).not.toMatch(/is suspended|Another matter/)
  }
})
