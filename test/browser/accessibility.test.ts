import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../src/base/values/actor.ts'
import { createCredential } from '../../src/identity/accounts/credentials-service.ts'
import { createUser } from '../../src/identity/accounts/users-service.ts'
import { moveConsumer } from '../../src/marketplace/events/event-consumers-service.ts'
import { openAccessible } from '../setup/accessible.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { author } from '../setup/apps.ts'
import { violations } from '../setup/axe.ts'
import { openBrowser } from '../setup/browser.ts'
import { signInOn } from '../setup/browser-pages.ts'
import { demoInstallation } from '../setup/client.ts'
import { pictureFile } from '../setup/hostile-pictures.ts'
import { fillOperatorConsole } from '../setup/operator-pages.ts'
import { PEOPLE_PAGES, STEPS } from '../setup/people-pages.ts'
import { demoDeveloper, demoUser } from '../setup/web-client.ts'
import { fillWebhookPages } from '../setup/webhook-pages.ts'

let market: TestMarketplace
let browser: Browser
type Visitor = 'visitor' | 'Seller' | 'Buyer' | 'several' | 'nobody' | 'developer' | 'operator'
const pages: Partial<Record<Visitor, Page>> = {}
const paths: Record<string, string> = {}
type SignIn = { email: string; password: string }

beforeAll(async () => {
  ;[market, browser] = await Promise.all([startMarketplace(), openBrowser()])
  const owned = `/Installed/${demoInstallation(market, 'price-sync', 'Seller').id}`
  for (const action of ['', '/Settings', '/Option', '/Upgrade', '/Uninstall', '/Acceptances']) {
    paths[`{installation}${action}`] = owned + action
  }
  paths['{installation}/Option?purchaseOptionId=free'] = `${owned}/Option?purchaseOptionId=free`
  const suspended = demoInstallation(market, 'catalog-sync', 'Seller').id
  paths['{suspended}'] = `/Installed/${suspended}`
  await market.deps.db.installation.update({
    where: { id: suspended },
    data: { status: 'suspended', suspendedAt: new Date(), suspendedReason: 'Unpaid invoices.' },
  })
  const nowMs = market.deps.now().getTime()
  for (const { id } of market.demo.installations) {
    market.deps.usageCounts.add(id, 'products:read', 100, null, nowMs)
    market.deps.usageCounts.add(id, null, 0, 'wrong_token_kind', nowMs)
  }
  await market.deps.usageCounts.write()
  await publishNextVersion()
  Object.assign(paths, await fillOperatorConsole(market), await fillWebhookPages(market))
  paths['{own}'] = `/Developer/Installations/${demoInstallation(market, 'price-sync', 'Seller').id}`
  const ownActions = [
    '/Settings',
    '/Suspend',
    '/Tokens',
    '/TestToken',
    '/Uninstall',
    '/Acceptances',
  ]
  for (const action of ownActions) {
    paths[`{own}${action}`] = paths['{own}'] + action
  }
  const chosen = (list: string, one = '') => {
    const ending = one.slice(one.lastIndexOf('/') + 1)
    return `${list}/Suspend?id=${ending}`
  }
  paths['{own installations}/Suspend'] = chosen('/Developer/Installations', paths['{own}'])
  paths['{users}/Suspend'] = chosen('/Operator/Users', paths['{user}'])
  paths['{developers}/Suspend'] = chosen('/Operator/Developers', paths['{developer}'])
  paths['{installations}/Suspend'] = chosen(
    '/Operator/Installations',
    paths['{operator installation}'],
  )
  const first = market.demo.developers[0] as (typeof market.demo.developers)[number]
  const { developerId } = await market.deps.db.developerCredential.findUniqueOrThrow({
    where: { clientId: first.clientId },
  })
  await moveConsumer(market.deps, { developerId, name: 'erp', actor: SYSTEM }, 0)
  const { id } = await createCredential(market.deps, developerId, {}, SYSTEM)
  const shot = await pictureFile(800, 600)
  const own = await author(market)
  await own.send('PUT', '/price-sync/Icon', await pictureFile(256, 256))
  const added = await own.send('POST', '/price-sync/Screenshots?alt=Prices&caption=Today', shot)
  await own.send('PUT', '/price-sync/Listing', {
    ...{ tagline: 'Prices in step', longDescription: '# What it does\n\n* Reads prices' },
    disclosure: { dataStored: 'Prices.', dataLeavesTo: ['Germany'], retentionDays: 30 },
    contacts: { technical: 'tech@northwind.example' },
  })
  paths['{screenshot}'] = `/Developer/Apps/price-sync/Listing/Screenshots/${added.body.id}`
  paths['{credential}/Remove'] = `/Developer/Credentials/${id}/Remove`
  const { body: link } = await (await author(market)).send('POST', '/price-sync/InstallLinks', {})
  paths['{install link}'] = new URL(link.url).pathname + new URL(link.url).search
  paths['{install link}/Delete'] = `/Developer/Apps/price-sync/InstallLinks/${link.id}/Delete`
  const memberOf = (email: string, partyIds: number[]) =>
    createUser(market.deps, { email, name: 'Sam Several', partyIds })
  const users: Record<Exclude<Visitor, 'visitor' | 'developer'>, SignIn> = {
    Seller: demoUser(market, 'Seller'),
    Buyer: demoUser(market, 'Buyer'),
    several: await memberOf('several@x.example', [
      ...new Set(market.demo.users.map((user) => user.partyId)),
    ]),
    nobody: await memberOf('nobody@x.example', []),
    operator: market.demo.operator,
  }
  const newPage = async () => (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  pages.visitor = await newPage()
  pages.developer = await newPage()
  await signInOn(pages.developer, market, demoDeveloper(market).person)
  for (const [who, user] of Object.entries(users)) {
    const page = await newPage()
    await signInOn(page, market, user)
    pages[who as Visitor] = page
  }
})
afterAll(async () => {
  await browser?.close()
  await market?.close()
})

/** A version that changes a price, adds a permission and asks for another acknowledgement. */
async function publishNextVersion() {
  const { deps } = market
  const developer = await author(market)
  const { body } = await developer.read('price-sync')
  const { id, name, description, partyTypes, settings, authReturnUrl, websiteUrl } = body
  const answer = await developer.put({
    id,
    name,
    description,
    partyTypes,
    settings,
    authReturnUrl,
    websiteUrl,
    version: '2.0.0',
    permissions: [...body.permissions, { id: 'products:write', purpose: 'Writes prices back.' }],
    purchaseOptions: body.purchaseOptions,
    acknowledgements: [{ id: 'more', title: 'More', text: 'It does more now.', order: 1 }],
  })
  expect(answer.status).toBe(200)
  expect(await deps.db.appVersion.count({ where: { appId: id } })).toBe(2)
}

const PAGES: [Visitor, string][] = [
  ['visitor', '/'],
  ['visitor', '/login'],
  ['visitor', '/signed-out'],
  ['visitor', '/Apps'],
  ['visitor', '/Apps?q=nothing-has-this'],
  ['visitor', '/Apps/price-sync'],
  ['visitor', '/Apps/no-such-app'],
  ['Seller', '/'],
  ['Seller', '/Installed'],
  ['Seller', '/Account/Upgrades'],
  ['Seller', '{installation}'],
  ['Seller', '{suspended}'],
  ['Seller', '{installation}/Settings'],
  ['Seller', '{installation}/Option'],
  ['Seller', '{installation}/Option?purchaseOptionId=free'],
  ['Seller', '{installation}/Upgrade'],
  ['Seller', '{installation}/Uninstall'],
  ['Seller', '{installation}/Acceptances'],
  ['Seller', '/Account'],
  ['Seller', '/Account/Accounts'],
  ['Seller', '/Account/Data'],
  ['Seller', '/Account/Choose?next=/Apps'],
  ['Seller', '/Installed?status=uninstalled'],
  ['Buyer', '/Apps'],
  ['Buyer', '/Apps/price-sync'],
  ['Buyer', '/Apps/price-sync/Install'],
  ['Buyer', '/Apps/price-sync/Install?purchaseOptionId=premium'],
  ['several', '/'],
  ['several', '/Apps/price-sync'],
  ['several', '/Apps/price-sync/Install'],
  ['several', '/Apps/Authenticate/price-sync'],
  ['several', '/Apps/catalog-sync/Install'],
  ['several', '/Account/Choose?next=/Apps'],
  ['nobody', '/'],
  ['nobody', '/Account'],
  ['nobody', '/Apps/price-sync'],
  ['visitor', '/login?next=/Developer'],
  ['nobody', '/Developer'],
  ['developer', '/signed-out'],
  ['developer', '/Developer'],
  ['developer', '/Developer/Apps/New'],
  ['developer', '/Developer/Apps/New/Guide'],
  ['developer', '/Developer/Apps/price-sync'],
  ['developer', '/Developer/Apps/price-sync/Definition'],
  ['developer', '/Developer/Apps/price-sync/Versions?from=1.4.0&to=2.0.0'],
  ['developer', '/Developer/Apps/price-sync/Terms'],
  ['developer', '/Developer/Apps/price-sync/Listing'],
  ['developer', '/Developer/Apps/price-sync/Listing/Icon'],
  ['developer', '/Developer/Apps/price-sync/Listing/Screenshots'],
  ['developer', '{screenshot}'],
  ['developer', '/Developer/Apps/price-sync/Terms/Remove'],
  ['developer', '/Developer/Apps/price-sync/Sandbox'],
  ['developer', '/Developer/Apps/price-sync/Sandbox/Open'],
  ['developer', '/Developer/Apps/price-sync/Sandbox?purchaseOptionId=premium'],
  ['developer', '/Developer/Apps/price-sync/Unlist'],
  ['developer', '/Developer/Apps/price-sync/Visibility'],
  ['developer', '/Developer/Apps/price-sync/InstallLinks'],
  ['developer', '{install link}/Delete'],
  ['Seller', '{install link}'],
  ['developer', '/Developer/Apps/price-sync/Delete'],
  ['developer', '/Developer/Installations'],
  ['developer', '/Developer/Installations?status=uninstalled'],
  ['developer', '{own installations}/Suspend'],
  ['developer', '{own}'],
  ['developer', '{own}/Settings'],
  ['developer', '{own}/Suspend'],
  ['developer', '{own}/Tokens'],
  ['developer', '{own}/TestToken'],
  ['developer', '{own}/Uninstall'],
  ['developer', '{own}/Acceptances'],
  ['developer', '/Developer/Apps/price-sync/Webhooks'],
  ...[
    ...['', '/Change', '/Secret', '/Disable', '/Delete', '/Recover', '/Deliveries'],
    '/Deliveries?since',
  ].map((page): [Visitor, string] => ['developer', `{webhook}${page}`]),
  ['developer', '{disabled webhook}'],
  ['developer', '{delivery}'],
  ['developer', '/Developer/Events'],
  ['developer', '/Developer/Events/Consumers/erp/Remove'],
  ['developer', '/Developer/Events?type=webhook.test'],
  ['developer', '/Developer/Credentials'],
  ['developer', '{credential}/Remove'],
  ['Buyer', '/Apps/stock-watch'],
  ...[
    '/Operator',
    ...['/Operator/Parties', '/Operator/Users', '/Operator/Developers', '/Operator/Apps'],
    ...['/Operator/Installations', '/Operator/Audit', '/Operator/Apps?q=nothing-has-this'],
    ...['/Operator/Parties/New', '/Operator/Users/New', '/Operator/Developers/New'],
    ...['{party}', '{party}/Suspend', '{party}/Disconnect', '{user}', '{user}/Remove'],
    ...['{user}/Add', '{user}/Add?', '{party}/Add', '{party}/Connect'],
    ...['{user}/Suspend', '{developer}', '{developer}/Suspend', '{developer}/Remove'],
    ...['{operator installation}', '{operator installation}/Suspend'],
    '{operator installation}/Acceptances',
    '/Operator/Apps/price-sync/Suspend',
    ...[
      '/Operator/Apps/Suspend?id=price-sync',
      '/Operator/Parties/Suspend?id=3',
      '{users}/Suspend',
    ],
    ...['{developers}/Suspend', '{installations}/Suspend', '/Operator/Parties/3/Members/Remove'],
    ...['/Operator/Apps/price-sync', '/Operator/Apps/stock-watch', '/Operator/Audit?partyId=3'],
  ].map((path): [Visitor, string] => ['operator', path]),
]

/** Of pages that say no, by who opens them. */
const STATUSES: Record<string, number> = {
  'visitor /Apps/no-such-app': 404,
  'nobody /Developer': 403,
}

describe.each(PAGES)('for a %s the page %s', (who, name) => {
  test('has nothing that axe finds, in light and in dark, and fits a phone', async () => {
    const status = STATUSES[`${who} ${name}`] ?? 200
    await openAccessible(pages[who] as Page, market.url + (paths[name] ?? name), status)
  })
})

/** Addresses that answer a file, or lead on after a sign-in that interrupted a form. */
const NO_PAGE =
  /^\/(signin\/oidc|\.well-known|Developer\/Login)|\/(Export|Account\/(Name|Invitations)|SecondFactor\/(RecoveryCodes|Remove)|End|EndOthers|Notifications\/(Read|:id\/Open)|Views\/:viewId\/Remove|Revoke|PasswordReset|VerifyEmail|Developers\/:id\/Members|:id\/Roles|Terms\/Document|media\/:pictureId\/:file|Icon\/Remove|:screenshotId\/(Earlier|Later|Remove)|Definition\/File|Edit|Test|Enable|Replay|Resume|List|Account\/Password|SignOutEverywhere|:id\/Credentials|TermsDocument|Pdf|Apps\/:appId\/Terms|Installed\/:installationId\/Terms|Developer\/Apps)$/

test('every page that there is is among those above, or among those of people', () => {
  const { routes } = market.app
  const visited = new Set([
    ...PAGES.flatMap(([, name]) => routes.at((paths[name] ?? name).split('?')[0] ?? '')).map(
      ({ url }) => url,
    ),
    ...PEOPLE_PAGES.map(([, route]) => route),
    ...STEPS,
  ])
  const missed = routes
    .all()
    .filter(({ method, audience }) => method === 'GET' && audience === 'browser')
    .filter(({ url }) => !visited.has(url) && !NO_PAGE.test(url))
  expect(missed.map(({ url }) => url)).toEqual([])
})

test('axe finds what is wrong, under the policy of the pages, too', async () => {
  const page = pages.visitor as Page
  await page.goto(`${market.url}/Apps`)
  await page.evaluate("document.querySelector('main').append(document.createElement('img'))")
  expect(await violations(page)).toContainEqual(expect.stringMatching(/^image-alt/))
})

test('a form that comes back with problems has nothing that axe finds', async () => {
  const page = pages.Buyer as Page
  await page.goto(`${market.url}/Apps/price-sync/Install?purchaseOptionId=premium`)
  await page.getByRole('button', { name: 'Review' }).click()
  await page.getByRole('alert').waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByLabel(/^ERP user/).fill('jane')
  await page.getByLabel(/^ERP password/).fill('s3cret')
  for (const box of await page.locator('.consent [type=checkbox]').all()) await box.check()
  await page.getByRole('button', { name: 'Review' }).click()
  await page.getByRole('heading', { name: 'Review' }).waitFor()
  expect(await violations(page)).toEqual([])
})

test('an editor that comes back with problems, or with changes, has nothing that axe finds', async () => {
  const page = pages.developer as Page
  await page.goto(`${market.url}/Developer/Apps/price-sync/Definition`)
  const field = page.getByLabel('Definition', { exact: true })
  const text = await field.inputValue()
  await field.fill('{')
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByRole('alert').waitFor()
  expect(await violations(page)).toEqual([])
  await field.fill(text.replace(/"ratePerBucket": \d+/, '"ratePerBucket": 77'))
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByRole('heading', { name: 'Changes' }).waitFor()
  expect(await violations(page)).toEqual([])
})

test('a form is filled in and sent with the keyboard alone', async () => {
  const page = pages.Buyer as Page
  await page.goto(`${market.url}/Apps/price-sync/Install?purchaseOptionId=premium`)
  const order: string[] = []
  for (let step = 0; step < 30 && order.at(-1) !== 'Review'; step++) {
    await page.keyboard.press('Tab')
    order.push(
      (await page.evaluate(
        'document.activeElement.id || document.activeElement.textContent.trim()',
      )) as string,
    )
  }
  const controls = order.filter((one) => /^(setting|accept|terms|Review$)/.test(one))
  expect(order[0]).toBe('Skip to content')
  expect(controls).toEqual([
    'setting-erpUser',
    'setting-erpPassword',
    'setting-margin',
    'setting-dryRun',
    'accept-more',
    'terms',
    'Review',
  ])
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
})
