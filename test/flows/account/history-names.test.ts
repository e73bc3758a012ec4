import { beforeAll, expect, test } from 'vitest'
import { COMMAND_LINE } from '../../../src/base/values/actor.ts'
import { suspendAsOperator } from '../../../src/marketplace/installations/operator/operator-installations-service.ts'
import { type SharedMarketplace, sharedMarketplace } from '../../setup/app.ts'
import { type Author, author, flat } from '../../setup/apps.ts'
import { call } from '../../setup/client.ts'
import { fullDraft, GOOD_SETTINGS, listedApp, newCustomer } from '../../setup/customer.ts'
import { signedIn, signedInDeveloper } from '../../setup/web-client.ts'

let market: SharedMarketplace
let developer: Author
beforeAll(async () => {
  market = await sharedMarketplace()
  developer = await author(market)
})

const OPTIONS = [
  flat('free-1', 0, { order: 1, name: 'Starter' }),
  flat('full', 10, { order: 2, name: 'All of it' }),
]

/** The entries of the history on a page, as text. */
const historyOf = (text: string) =>
  [...text.matchAll(/history-what">(.*?)<\/span>/g)].map(([, what = '']) =>
    what.replaceAll(/<[^>]*>/g, ''),
  )

/** The same, with who did it. */
const entriesOf = (text: string) =>
  [...text.matchAll(/<li><span class="history-what">(.*?), <time/gs)].map(([, entry = '']) =>
    entry
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .replace(' :', ':'),
  )

test('the history names options and settings as their definition does, also those that are gone', async () => {
  const definition = await listedApp(developer, fullDraft({ purchaseOptions: OPTIONS }))
  const { user, party, install, changeOption, patch, upgrade } = await newCustomer(market)
  const wish = {
    appId: definition.id,
    partyId: party.id,
    purchaseOptionId: 'full',
    userSettings: GOOD_SETTINGS,
  }
  const { id } = (await install(wish)).body
  expect((await patch(id, { amount: 0.3 })).status).toBe(200)
  expect((await changeOption(id, 'free-1')).status).toBe(200)
  const [starter] = OPTIONS
  const rest = { version: '2.0.0', purchaseOptions: [starter], settings: {} }
  expect((await developer.put({ ...definition, ...rest })).status).toBe(200)
  expect((await upgrade(id, { version: '2.0.0' })).status).toBe(200)

  // What the trail counts by the hour is no change.
  const person = { kind: 'user', id: user.id, address: null } as const
  const counted = { actor: person, subject: { kind: 'installation', id }, partyId: party.id }
  market.deps.auditCounts.add({ ...counted, action: 'installation.opened' })
  const body = { installationId: id }
  const made = await call(market, 'POST', '/v1/Developer/Token', { token: developer.token, body })
  expect(made.status).toBe(200)
  await market.deps.auditCounts.write()
  const account = await signedIn(market, user)
  const console = await signedInDeveloper(market)
  for (const page of [
    await account.get(`/Installed/${id}`),
    await console.get(`/Developer/Installations/${id}`),
  ]) {
    expect(historyOf(page.text)).toEqual([
      'Upgraded: 1.0.0 → 2.0.0',
      'Purchase option changed: All of it → Starter',
      'Settings changed: Amount',
      'Installed version 1.0.0 (All of it)',
    ])
  }
})

test('an upgrade to another purchase option tells both, in the history and in the trail', async () => {
  const definition = await listedApp(developer, fullDraft({ purchaseOptions: OPTIONS }))
  const { user, party, install, upgrade } = await newCustomer(market)
  const wish = { appId: definition.id, partyId: party.id, purchaseOptionId: 'full' }
  const { id } = (await install({ ...wish, userSettings: GOOD_SETTINGS })).body
  const purchaseOptions = [flat('ultra', 990, { name: 'Even more' })]
  const next = { ...definition, version: '2.0.0', purchaseOptions, settings: {} }
  expect((await developer.put(next)).status).toBe(200)
  expect((await upgrade(id, { version: '2.0.0', purchaseOptionId: 'ultra' })).status).toBe(200)
  const page = await (await signedIn(market, user)).get(`/Installed/${id}`)
  expect(historyOf(page.text)).toContain('Upgraded: 1.0.0 → 2.0.0, All of it → Even more')
  const operator = await signedIn(market, market.demo.operator)
  const path = `/Operator/Audit?subjectKind=installation&subjectId=${id}`
  // The trail knows the names of the version that is installed.
  expect((await operator.get(path)).text).toContain('1.0.0 → 2.0.0, full → Even more')
})

test('so does the trail of the operator, for the version that is installed', async () => {
  const definition = await listedApp(developer, fullDraft({ purchaseOptions: OPTIONS }))
  const { party, install, changeOption, patch } = await newCustomer(market)
  const wish = { appId: definition.id, partyId: party.id, purchaseOptionId: 'full' }
  const { id } = (await install({ ...wish, userSettings: GOOD_SETTINGS })).body
  expect((await patch(id, { amount: 0.3 })).status).toBe(200)
  expect((await changeOption(id, 'free-1')).status).toBe(200)
  const operator = await signedIn(market, market.demo.operator)
  const { text } = await operator.get(`/Operator/Audit?subjectKind=installation&subjectId=${id}`)
  for (const told of [
    'All of it → Starter',
    '<bdi>Amount</bdi>',
    '<bdi>version 1.0.0 (All of it)</bdi>',
  ]) {
    expect(text).toContain(told)
  }
})

test('the changes of an upgrade name options and settings, and no keys', async () => {
  const definition = await listedApp(developer, fullDraft({ purchaseOptions: OPTIONS }))
  const { user, party, install } = await newCustomer(market)
  const wish = { appId: definition.id, partyId: party.id, purchaseOptionId: 'full' }
  const { id } = (await install({ ...wish, userSettings: GOOD_SETTINGS })).body
  const [starter, full] = OPTIONS
  const { amount: _gone, ...settings } = definition.settings.full as Record<string, unknown>
  const next = {
    version: '2.0.0',
    purchaseOptions: [starter, { ...full, monthlyRate: 12 }],
    settings: { full: settings },
  }
  expect((await developer.put({ ...definition, ...next })).status).toBe(200)
  const { text } = await (await signedIn(market, user)).get(`/Installed/${id}/Upgrade`)
  const changes = text.split('<ul class="changes">')[1]?.split('</ul>')[0] ?? ''
  expect(changes).toContain('Price changed <span class="fine">All of it:')
  expect(changes).toContain('All of it › Amount')
  expect(changes).not.toMatch(/›\s*amount|settings|hash/)
})

test('what the server does by itself is by the marketplace, what the command line does by the operator', async () => {
  const definition = await listedApp(developer, fullDraft())
  const { user, install } = await newCustomer(market)
  const { id } = (await install({ appId: definition.id, purchaseOptionId: 'free' })).body
  const body = { installationId: id }
  const made = await call(market, 'POST', '/v1/Developer/Token', { token: developer.token, body })
  await call(market, 'POST', '/v1/Secrets/Report', { body: { secret: made.body.token } })
  await suspendAsOperator(market.deps, id, { reason: 'Unpaid' }, COMMAND_LINE)
  const told = [
    'Suspended: Unpaid by the marketplace’s operator',
    'Token revoked by the marketplace',
  ]
  const account = await signedIn(market, user)
  const console = await signedInDeveloper(market)
  for (const page of [
    await account.get(`/Installed/${id}`),
    await console.get(`/Developer/Installations/${id}`),
  ]) {
    expect(entriesOf(page.text)).toEqual(expect.arrayContaining(told))
  }
  const operator = await signedIn(market, market.demo.operator)
  const { text } = await operator.get(`/Operator/Audit?actorKind=system&subjectId=${id}`)
  expect(text).toContain('The marketplace</strong> revoked a token of')
  expect(text).toContain('The command line</strong> suspended the installation')
})
