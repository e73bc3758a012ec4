import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { author } from '../../setup/apps.ts'
import { developerConsole } from '../../setup/console.ts'
import { fullDraft, listedApp, newCustomer } from '../../setup/customer.ts'
import { operatorCalls } from '../../setup/operator.ts'
import { hiddenFields, signedIn } from '../../setup/web-client.ts'

const REASON = 'It sent <b>prices</b> around.'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

test('an app that the operator suspended tells its developer why', async () => {
  const { id } = await listedApp(await author(market), fullDraft())
  const operate = await operatorCalls(market)
  expect((await operate('POST', `Apps/${id}/Suspend`, { reason: REASON })).status).toBe(200)
  const { text } = await (await developerConsole(market)).get(`/Apps/${id}`)
  expect(text).toContain('Reason: <bdi>It sent &lt;b&gt;prices&lt;/b&gt; around.</bdi>')
  expect(text).not.toContain('Open in the sandbox')
})

test('a listing says that the installation is suspended, and not that it runs', async () => {
  const { id: appId } = await listedApp(await author(market), fullDraft({ authReturnUrl: null }))
  const customer = await newCustomer(market)
  const { id } = (await customer.install({ appId, purchaseOptionId: 'free' })).body
  const browser = await signedIn(market, customer.user)
  expect((await browser.get(`/Apps/${appId}`)).text).toContain('Runs in the background')
  const operate = await operatorCalls(market)
  await operate('POST', `Installations/${id}/Suspend`, { reason: REASON })
  const { text } = await browser.get(`/Apps/${appId}`)
  expect(text).toContain('Suspended')
  expect(text).not.toContain('Runs in the background')
})

test('a name that is saved as it was is told to be unchanged', async () => {
  const customer = await newCustomer(market)
  const browser = await signedIn(market, customer.user)
  for (const [name, told] of [
    [` ${customer.user.name} `, 'Your name is unchanged.'],
    ['Another Name', 'Your name was changed.'],
  ] as const) {
    const form = hiddenFields((await browser.get('/Account')).text)
    const sent = await browser.post('/Account/Name', { ...form, name })
    expect((await browser.get(sent.location ?? '')).text).toContain(told)
  }
})

test('the account page sends no operator to the operator, who needs no account', async () => {
  const browser = await signedIn(market, market.demo.operator)
  const { text } = await browser.get('/Account')
  expect(text).not.toContain('Ask the operator of this marketplace to add you')
})

test('the audit trail finds who was added to an account by a part of the name', async () => {
  const customer = await newCustomer(market)
  await market.deps.db.auditEvent.create({
    data: {
      actorKind: 'system',
      action: 'membership.created',
      subjectKind: 'membership',
      subjectId: `${customer.user.id}/${customer.party.id}`,
      partyId: customer.party.id,
    },
  })
  const browser = await signedIn(market, market.demo.operator)
  const q = encodeURIComponent(customer.user.email)
  const { text } = await browser.get(`/Operator/Audit?q=${q}`)
  expect(text).toMatch(new RegExp(`added\\s.*${customer.user.name}.*to\\s`, 's'))
})
