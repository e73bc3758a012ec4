import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { type Author, author, flat } from '../../setup/apps.ts'
import {
  type Customer,
  fullDraft,
  listedApp,
  newCustomer,
  newMember,
} from '../../setup/customer.ts'
import { filledForm, RISK } from '../../setup/install-form.ts'
import { hiddenFields, signedIn, type WebClient, webClient } from '../../setup/web-client.ts'

const TIERED = { id: 'tiered', name: 'T', pricingModel: 'TieredBuckets', currency: 'USD' }
const OPTIONS = [
  flat('free', 0, { order: 1, name: 'Free' }),
  flat('full', 10, { order: 2 }),
  { ...TIERED, order: 3, bucketSize: 1000, ratePerBucket: 5, baseFee: 20 },
]

let market: TestMarketplace
let definition: ReturnType<typeof fullDraft>
let customer: Customer
let browser: WebClient
let developer: Author

beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
  definition = await listedApp(developer, fullDraft({ purchaseOptions: OPTIONS }))
  customer = await newCustomer(market)
  browser = await signedIn(market, customer.user)
})
afterAll(() => market.close())

describe('the choice before the install', () => {
  /** Value of each purchase option -> what its radio button says. */
  const choicesIn = (text: string) =>
    new Map(
      [...text.matchAll(/name="purchaseOptionId"\s+value="(\w+)"(.*?)<\/li>/gs)].map(
        ([, id = '', rest = '']) => [id, rest],
      ),
    )
  test('shows general rates until an account is chosen, then what it costs that one', async () => {
    const { party } = await newCustomer(market)
    const { user } = await newCustomer(market, 'Seller', [party.id])
    const visitor = await signedIn(market, user)
    const open = await visitor.get(`/Apps/${definition.id}/Install`)
    expect(choicesIn(open.text).get('free')).toContain('Free')
    expect(choicesIn(open.text).get('full')).toContain('USD 10.00 per month')
    const rate = 'USD 5.00 per 1,000 products per month, plus USD 20.00 per month'
    expect(choicesIn(open.text).get('tiered')).toContain(rate)
    const chosen = await visitor.get(`/Apps/${definition.id}/Install?partyId=${party.id}`)
    const price = '>USD 20.00 per month, plus USD 5.00 per 1,000 products per month<'
    expect(choicesIn(chosen.text).get('tiered')).toContain(price)
    expect(chosen.text).toContain(`Prices for <bdi>${party.name}</bdi>`)
    expect(open.text).not.toContain('Prices for')
  })

  test('names the account that is left when the others have the app', async () => {
    const { party, user, install } = await newCustomer(market, 'Seller', [customer.party.id])
    const visitor = await signedIn(market, user)
    const path = `/Apps/${definition.id}/Install`
    expect(hiddenFields((await visitor.get(path)).text).partyId).toBeUndefined()
    const { id: appId } = definition
    const made = await install({ appId, partyId: party.id, purchaseOptionId: 'free' })
    expect(made.status).toBe(201)
    const { text } = await visitor.get(path)
    expect(hiddenFields(text).partyId).toBe(String(customer.party.id))
    expect(text).toContain(`Choose a plan for <bdi>${customer.party.name}</bdi>`)
    expect((await browser.get(path)).text).not.toContain('Choose a plan for')
  })

  test('is kept by the way back from the second step', async () => {
    const path = `/Apps/${definition.id}/Install`
    const { text } = await browser.get(`${path}?purchaseOptionId=full`)
    const first = await browser.post(path, { ...hiddenFields(text), step: 'choose' })
    expect(first.text).toContain('Step 1 of 3: Choose a plan')
    expect(choicesIn(first.text).get('full')).toMatch(/^ checked/)
    expect(choicesIn(first.text).get('free')).not.toMatch(/^ checked/)
    expect(hiddenFields(first.text)).toMatchObject({ partyId: String(customer.party.id) })
  })
})

/** The cells of a row of the table that compares the options of a listing. */
function rowOf(text: string, label: string): string[] {
  const row = text.split(`<th scope="row">${label}</th>`)[1]?.split('</tr>')[0] ?? ''
  return [...row.matchAll(/<td>(.*?)<\/td>/gs)].map(([, cell = '']) => cell)
}

describe('the listing', () => {
  test('has the options to choose from with their prices, and leads past the first step', async () => {
    const path = `/Apps/${definition.id}`
    const { text } = await browser.get(path)
    const form = /<form class="stack" method="get".*?<\/form>/s.exec(text)?.[0] ?? ''
    expect(form).toContain(`action="${path}/Install"`)
    expect(form).toContain('You can uninstall at any time.')
    expect(text.indexOf('name="purchaseOptionId"')).toBeLessThan(text.indexOf('>Description<'))
    expect(text.lastIndexOf('<dt>App ID</dt>')).toBeGreaterThan(text.indexOf('id="permissions"'))
    const chosen = { ...hiddenFields(form), purchaseOptionId: 'full' }
    const next = await browser.get(`${path}/Install?${new URLSearchParams(chosen)}`)
    expect(next.text).toContain('Step 2 of 3: Settings')
    expect(next.text).toMatch(/<li class="done">Plan.*<li aria-current="step">Settings<\/li>/s)
  })

  test('is described for search engines and for links to it, as the directory is', async () => {
    for (const path of ['/Apps', `/Apps/${definition.id}`]) {
      const { text } = await webClient(market).get(path)
      expect(text).toContain(`<link rel="canonical" href="${market.deps.config.publicUrl}${path}">`)
      expect(text).toMatch(/<meta name="description" content="[^"]+">/)
      expect(text).toContain('<meta property="og:title" content="')
    }
  })
})

describe('what costs nothing', () => {
  test('has no fee, on the listing, in the review, and once installed', async () => {
    const { party, user, install } = await newCustomer(market)
    const visitor = await signedIn(market, user)
    const path = `/Apps/${definition.id}`
    const listing = await visitor.get(path)
    expect(rowOf(listing.text, 'Price')).toEqual([
      '<strong>Free</strong>',
      '<strong>USD 10.00 per month</strong>',
      '<strong>USD 20.00 per month</strong>',
    ])
    const [free, full] = rowOf(listing.text, 'How it is calculated')
    expect(free).toBe('No fee')
    expect(full).toContain('Fixed fee, billed monthly.')
    expect(rowOf(listing.text, 'Billed')).toEqual(['Never', 'Monthly', 'Monthly'])
    expect(rowOf(listing.text, 'You enter')).toEqual([
      'Nothing',
      '<bdi>Text</bdi>, <bdi>Choice</bdi>, <bdi>Secret</bdi>',
      'Nothing',
    ])
    const review = await visitor.get(`${path}/Install?purchaseOptionId=free`)
    expect(review.text).toContain('<p class="price">Free</p>')
    expect(review.text).not.toContain('Fixed fee')
    const wish = { appId: definition.id, partyId: party.id, purchaseOptionId: 'free' }
    const { id } = (await install(wish)).body
    const page = await visitor.get(`/Installed/${id}`)
    expect(page.text).toContain('<p class="price">Free</p>')
    expect(page.text).not.toContain('Fixed fee')
    const options = await visitor.get(`/Installed/${id}/Option`)
    expect(options.text).toContain('<p>Now: <strong><bdi>Free</bdi></strong></p>')
  })
})

describe('a price per product, for an account without products', () => {
  const grow = (ratePerBucket: number, more = {}) => ({
    ...TIERED,
    id: 'grow',
    name: 'Grow',
    order: 2,
    bucketSize: 1,
    ratePerBucket,
    ...more,
  })
  const perProduct = (rate: string) => `USD ${rate} per product per month`
  const factOf = (text: string) => /<dt>Price<\/dt>\s*<dd>(.*?)<\/dd>/s.exec(text)?.[1]

  test('is shown with its rate wherever the account reads the price', async () => {
    const based = grow(5, { id: 'based', name: 'Based', order: 3, bucketSize: 1000, baseFee: 20 })
    const options = [flat('starter', 0, { order: 1 }), grow(99.99), based]
    const { id: appId } = await listedApp(
      developer,
      fullDraft({ settings: {}, purchaseOptions: options }),
    )
    const { party, user, install } = await newCustomer(market)
    const visitor = await signedIn(market, user)
    const rate = perProduct('99.99')
    for (const [path, amount] of [
      [`/Apps/${appId}`, '<td><strong>Free today</strong></td>'],
      [`/Apps/${appId}/Install?purchaseOptionId=grow`, '<p class="price">Free today</p>'],
    ] as const) {
      const { text } = await visitor.get(path)
      expect(text).toContain(amount)
      expect(text).toContain(
        `Based on your number of products: ${rate}. This account has none now.`,
      )
    }
    const short = `Free today, then ${rate}`
    const choice = await visitor.get(`/Apps/${appId}/Install`)
    const shortOfBased = 'USD 20.00 per month, plus USD 5.00 per 1,000 products per month'
    for (const price of [short, shortOfBased]) {
      expect(choice.text).toContain(`<span class="choice-price">${price}</span>`)
    }
    const member = await signedIn(market, await newMember(market, party.id))
    const request = await member.get(`/Apps/${appId}/Install?purchaseOptionId=grow`)
    await member.post(`/Apps/${appId}/Install`, hiddenFields(request.text))
    expect((await visitor.get('/Account/Requests')).text).toContain(short)
    const { id } = (await install({ appId, partyId: party.id, purchaseOptionId: 'grow' })).body
    expect((await visitor.get('/Installed')).text).toContain(short)
    const page = await visitor.get(`/Installed/${id}/Option`)
    expect(page.text).toContain(`<strong><bdi>Grow</bdi></strong>, ${short}`)
  })

  test('is no same price as nothing, nor as another rate: not in a change, and not in an upgrade', async () => {
    const starter = flat('starter', 0, { order: 1 })
    const first = fullDraft({ settings: {}, purchaseOptions: [starter, grow(9.99)] })
    const { id: appId } = await listedApp(developer, first)
    const { party, user, install, changeOption } = await newCustomer(market)
    const visitor = await signedIn(market, user)
    const { id } = (await install({ appId, partyId: party.id, purchaseOptionId: 'starter' })).body
    const change = factOf((await visitor.get(`/Installed/${id}/Option?purchaseOptionId=grow`)).text)
    expect(change).toMatch(/^Free →\s<strong>Free today<\/strong>/)
    expect(change).toContain('Same price today')
    expect(change).toContain(`Rate: Free → <strong>${perProduct('9.99')}`)
    expect((await changeOption(id, 'grow')).status).toBe(200)
    const next = { ...first, version: '2.0.0', purchaseOptions: [starter, grow(999.99)] }
    expect((await developer.put(next)).status).toBe(200)
    const upgrade = factOf((await visitor.get(`/Installed/${id}/Upgrade`)).text)
    expect(upgrade).toContain('Same price today')
    expect(upgrade).toContain(`Rate: ${perProduct('9.99')} → <strong>${perProduct('999.99')}`)
  })
})

test.each([
  ['Free', [flat('a', 0), flat('b', 0)]],
  ['Free', [flat('a', 0), { ...TIERED, bucketSize: 1, ratePerBucket: 0 }]],
  ['Free plan available', [flat('a', 0), flat('b', 500, { currency: 'EUR' })]],
  ['Free plan available', [flat('a', 500), flat('b', 0, { currency: 'EUR' })]],
  ['Free plan available', [flat('a', 0), { ...TIERED, bucketSize: 1, ratePerBucket: 9 }]],
  ['From USD 9.00 per month', [{ ...TIERED, bucketSize: 1, ratePerBucket: 9 }]],
  ['From USD 5.00 per month', [flat('a', 7), flat('b', 5), flat('c', 1, { currency: 'EUR' })]],
  ['USD 5.00 per month', [flat('a', 5)]],
])('the directory says “%s” of an app by all its options', async (hint, purchaseOptions) => {
  const { name } = await listedApp(developer, fullDraft({ settings: {}, purchaseOptions }))
  const { text } = await browser.get(`/Apps?q=${encodeURIComponent(name)}`)
  expect([...text.matchAll(/<span class="from">(.*?)<\/span>/gs)].map(([, said]) => said)).toEqual([
    hint,
  ])
})

test('an install asks again when another version was published since the app was looked at', async () => {
  const other = await listedApp(developer, fullDraft())
  const path = `/Apps/${other.id}/Install`
  const page = await browser.get(`${path}?purchaseOptionId=full`)
  const filled = { 's.text': 'jane', 's.choice': '5', 's.secret': 's3cret-one', 's.amount': '0.3' }
  const form = { ...hiddenFields(page.text), ...filled }
  const [first, ...rest] = other.purchaseOptions
  const purchaseOptions = [{ ...first, monthlyRate: 900 }, ...rest]
  expect((await developer.put({ ...other, version: '9.0.0', purchaseOptions })).status).toBe(200)
  const refused = await browser.post(path, form)
  expect(refused.status).toBe(409)
  expect(refused.text).toContain('The app has changed: version 9.0.0 is now the latest.')
  expect(refused.text).toContain('\njane</textarea>')
  expect(await market.deps.db.installation.findMany({ where: { appId: other.id } })).toEqual([])
  const review = await browser.post(path, { ...hiddenFields(refused.text), ...filled })
  expect(review.text).toContain('version <bdi>9.0.0</bdi>')
  expect((await browser.post(path, hiddenFields(review.text))).status).toBe(303)
})

test('an install says that there is another version, with another price, also where words changed with it', async () => {
  const other = await listedApp(developer, fullDraft({ acknowledgements: [RISK] }))
  const path = `/Apps/${other.id}/Install`
  const form = await filledForm(browser, other.id)
  const [first, ...rest] = other.purchaseOptions
  const purchaseOptions = [{ ...first, monthlyRate: 900 }, ...rest]
  const acknowledgements = [{ ...RISK, text: 'Other words.' }]
  const next = { ...other, version: '9.0.0', purchaseOptions, acknowledgements }
  expect((await developer.put(next)).status).toBe(200)
  const refused = await browser.post(path, form)
  expect(refused.text).toContain('There are 2 problems')
  expect(refused.text).toContain('The app has changed: version 9.0.0 is now the latest.')
  expect(refused.text).toContain('has changed. Read it again, then accept it.')
})

test('an install says that its purchase option is offered no more, on the way and at its end', async () => {
  const other = await listedApp(developer, fullDraft())
  const path = `/Apps/${other.id}/Install`
  const { location } = await browser.submit(path, await filledForm(browser, other.id))
  const review = await browser.get(location ?? '')
  expect(review.text).toContain('Step 3 of 3: Review')
  const purchaseOptions = [flat('pro', 20), flat('max', 90)]
  const next = { ...other, version: '9.0.0', settings: {}, purchaseOptions }
  expect((await developer.put(next)).status).toBe(200)
  const gone = 'The purchase option that you chose is no longer offered. Choose another one.'
  const refused = await browser.post(path, hiddenFields(review.text))
  expect(refused.status).toBe(422)
  expect(refused.text).toContain(gone)
  for (const address of [`${path}?purchaseOptionId=full`, location ?? '']) {
    expect((await browser.get(address)).text).toContain(gone)
  }
  for (const address of [path, `${path}?purchaseOptionId=max`]) {
    expect((await browser.get(address)).text).not.toContain(gone)
  }
  expect(await market.deps.db.installation.findMany({ where: { appId: other.id } })).toEqual([])
})
