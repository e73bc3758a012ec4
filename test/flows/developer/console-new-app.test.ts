import { beforeAll, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../setup/app.ts'
import { draft, newId } from '../../setup/apps.ts'
import { type DeveloperConsole, newDeveloper, textareaOf } from '../../setup/console.ts'
import { hiddenFields, mainOf, type Page } from '../../setup/web-client.ts'

const GUIDE = '/Developer/Apps/New/Guide'

let market: SharedMarketplace
let browser: DeveloperConsole
beforeAll(async () => {
  market = await sharedMarketplace()
  ;({ browser } = await newDeveloper(market))
})

const open = () => browser.client.get(GUIDE)
const next = (page: Page, fields: Record<string, string>) =>
  browser.client.post(GUIDE, { ...hiddenFields(page.text), do: 'next', ...fields })
const created = (id: string) => market.deps.db.app.findUnique({ where: { id } })

test('four short forms make an app', async () => {
  const id = newId()
  const permissions = await next(await open(), {
    ...{ name: `Guided ${id}`, id, description: 'Counts.', partyTypes: 'Seller Buyer' },
  })
  expect(mainOf(permissions)).toContain('New app: Permissions')
  const prices = await next(permissions, { 'why.products:read': 'Counts your products.' })
  const settings = await next(prices, {
    ...{ 'p.name': 'Monthly', 'p.pricingModel': 'FlatMonthly', 'p.currency': 'eur' },
    'p.monthlyRate': '2,5',
  })
  const more = await next(settings, {
    ...{ do: 'add', 'p.key': 'region', 'p.type': 'text', 'p.name': 'Region', 'p.scope': 'user' },
  })
  expect(mainOf(more)).toContain('<bdi>Region</bdi> <code>region</code>')
  expect(await created(id)).toBeNull()
  const done = await browser.client.submit(GUIDE, {
    ...{ ...hiddenFields(more.text), do: 'next', 'p.key': '', 'p.type': 'text', 'p.scope': 'user' },
  })
  expect(done.location).toBe(`/Developer/Apps/${id}`)
  const text = textareaOf(await browser.get(`/Apps/${id}/Definition`), 'definition')
  expect(JSON.parse(text)).toMatchObject({
    ...{ id, description: 'Counts.', partyTypes: ['Seller', 'Buyer'] },
    permissions: [{ id: 'products:read', purpose: 'Counts your products.' }],
    purchaseOptions: [
      { name: 'Monthly', pricingModel: 'FlatMonthly', currency: 'EUR', monthlyRate: 2.5 },
    ],
    settings: { standard: { region: { type: 'text', name: 'Region' } } },
  })
})

test('a form tells what is wrong at its controls, and keeps what was typed', async () => {
  const unnamed = await next(await open(), { name: '', description: 'Kept.' })
  expect(unnamed.status).toBe(422)
  expect(unnamed.text).toContain('<a href="#name"><bdi>Enter a name.</bdi></a>')
  expect(textareaOf(unnamed, 'description')).toBe('Kept.')
  const taken = await next(await open(), {
    name: 'Something',
    id: 'price-sync',
    partyTypes: 'Buyer',
  })
  expect(taken.status).toBe(422)
  expect(taken.text).toContain('id="id-error"')
})

test('the form of prices refuses what the price model has not, at the field', async () => {
  const id = newId()
  const permissions = await next(await open(), { name: `Guided ${id}`, partyTypes: 'Seller' })
  const prices = await next(permissions, {})
  const refused = await next(prices, {
    ...{ 'p.name': 'A', 'p.pricingModel': 'FlatMonthly', 'p.currency': 'USD' },
    ...{ 'p.monthlyRate': 'two', 'p.bucketSize': '10' },
  })
  expect(refused.status).toBe(422)
  expect(refused.text).toContain(
    '<a href="#p.monthlyRate"><bdi>Price: enter a number, such as 2.5.',
  )
  expect(refused.text).toContain('<a href="#p.bucketSize"><bdi>Block size does not go with')
})

test('the draft can be edited as JSON, and going back loses nothing', async () => {
  const id = newId()
  const permissions = await next(await open(), { name: `Guided ${id}`, partyTypes: 'Buyer' })
  const back = await next(permissions, { do: 'back', 'why.profile:read': 'Greets you.' })
  expect(back.text).toContain(`value="Guided ${id}"`)
  const json = await next(back, { name: `Guided ${id}`, partyTypes: 'Buyer', do: 'json' })
  expect(JSON.parse(textareaOf(json, 'definition'))).toMatchObject({
    ...{ id: `guided-${id}`, partyTypes: ['Buyer'] },
    permissions: [{ id: 'profile:read', purpose: 'Greets you.' }],
  })
})

test('hostile entries make no app', async () => {
  const answer = await next(await open(), {
    ...{ name: 'a\u202eb', id: '__proto__', partyTypes: 'constructor', step: 'toString' },
  })
  expect(answer.status).toBe(422)
  expect(answer.text).toContain('id="partyTypes-error"')
  expect((await next(await open(), { name: 'a\u0000b' })).status).toBe(400)
})

test('the start page shows the first steps until all are done', async () => {
  const { developer, browser: other } = await newDeveloper(market)
  const before = await other.get('')
  expect(mainOf(before)).toContain('0 of 4 done')
  expect(mainOf(before)).toContain(`<a href="${GUIDE}">Create an app</a>`)
  const id = newId()
  await developer.create(draft(id))
  const after = mainOf(await other.get(''))
  expect(after).toContain('1 of 4 done')
  expect(after).toContain(`href="/Developer/Apps/${id}/Sandbox">Try it in your sandbox</a>`)
  await developer.list(id)
  expect(mainOf(await other.get(''))).toContain('2 of 4 done')
})

test('the page of an app has its parts as tabs, and says what is missing for its listing', async () => {
  const { developer, browser: other } = await newDeveloper(market)
  const id = newId()
  await developer.create(draft(id, { description: '' }))
  const { text } = await other.get(`/Apps/${id}`)
  for (const href of [
    ...['', '/Definition', '/Versions', '/Webhooks'].map((part) => `/Developer/Apps/${id}${part}`),
    ...['Installations', 'Events'].map((list) => `/Developer/${list}?appId=${id}`),
  ]) {
    expect(text).toContain(`<a class="tab" href="${href}"`)
  }
  expect(text).toContain('<code>description</code> A listed app must say what it does.')
  expect(text).toContain('No installs in the last 30 days.')
})
