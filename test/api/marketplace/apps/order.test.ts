import { beforeAll, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../../setup/app.ts'
import { type Author, author, draft, flat, newId } from '../../../setup/apps.ts'
import { call } from '../../../setup/client.ts'
import { listedApp, newCustomer } from '../../../setup/customer.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'
import { signedIn } from '../../../setup/web-client.ts'

let market: SharedMarketplace
let developer: Author
beforeAll(async () => {
  market = await sharedMarketplace()
  developer = await author(market)
})

const text = (more = {}) => ({ type: 'text', name: 'T', ...more })
const WRITTEN = { zebra: text(), a: text(), middle: text({ order: 9 }), b: text() }
const settingsOf = (body: { settings: { free: object } }) => Object.keys(body.settings.free)

describe('the settings of an app', () => {
  test('are answered in the order in which they were written', async () => {
    const app = draft(newId(), { settings: { free: WRITTEN } })
    const created = await developer.create(app)
    expect(settingsOf(created.body)).toEqual(Object.keys(WRITTEN))
    expect(settingsOf((await developer.read(app.id)).body)).toEqual(Object.keys(WRITTEN))
    expect(settingsOf((await developer.versions(app.id)).body[0])).toEqual(Object.keys(WRITTEN))
    await developer.list(app.id)
    const listed = await call(market, 'GET', `/v1/Apps/${app.id}`)
    expect(settingsOf(listed.body)).toEqual(Object.keys(WRITTEN))
  })

  test('written in another order are kept so, and the same again changes nothing', async () => {
    const app = draft(newId(), { settings: { free: WRITTEN } })
    const created = await developer.create(app)
    const turned = Object.fromEntries(Object.entries(WRITTEN).toReversed())
    const first = await developer.put({ ...app, settings: { free: turned } })
    expect(settingsOf(first.body)).toEqual(Object.keys(turned))
    expect(first.headers.get('etag')).not.toBe(created.headers.get('etag'))
    const second = await developer.put({ ...app, settings: { free: turned } })
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'))
  })
})

test('purchase options are shown by order, those without one last and as written, once installed too', async () => {
  const app = draft(newId(), {
    purchaseOptions: [
      flat('zebra', 0),
      flat('b', 1, { order: 2 }),
      flat('a', 2, { order: 1 }),
      flat('cat', 3),
    ],
  })
  await listedApp(developer, app)
  const customer = await newCustomer(market)
  const { body } = await customer.install({ appId: app.id, purchaseOptionId: 'zebra' })
  const refused = await customer.previewOption(body.id, 'none')
  expect(refused.body.errors[0].detail).toBe('The app has the options a, b, zebra, cat.')
  const { get } = await signedIn(market, customer.user)
  const { text: page } = await get(`/Installed/${body.id}/Option`)
  const places = ['a', 'b', 'cat'].map((id) => page.indexOf(`value="${id}"`))
  expect(places).toEqual(places.toSorted((one, other) => one - other))
  expect(places).not.toContain(-1)
})

test('permissions and types of accounts in another order are kept so', async () => {
  const permissions = ['products:read', 'profile:read'].map((id) => ({ id, purpose: id }))
  const app = draft(newId(), { permissions, partyTypes: ['Seller', 'Buyer'] })
  const created = await developer.create(app)
  const turned = { permissions: permissions.toReversed(), partyTypes: ['Buyer', 'Seller'] }
  const put = await developer.put({ ...app, ...turned })
  expect(put.headers.get('etag')).not.toBe(created.headers.get('etag'))
  expect((await developer.read(app.id)).body).toMatchObject(turned)
  const again = await developer.put({ ...app, ...turned })
  expect(again.headers.get('etag')).toBe(put.headers.get('etag'))
})

test('acknowledgements are asked for by order, those without one last', async () => {
  const words = (id: string, order?: number) => ({ id, title: id, text: id, ...{ order } })
  const acknowledgements = [words('z'), words('second', 2), words('first', 1), words('y')]
  const { body } = await developer.create(draft(newId(), { acknowledgements }))
  const ids = body.acknowledgements.map(({ id }: { id: string }) => id)
  expect(ids).toEqual(['first', 'second', 'z', 'y'])
})

test.each([0, -1, 0.5, 1.5, 1_000_001])('an order of %d is refused everywhere', async (order) => {
  const answer = await developer.create(
    draft(newId(), {
      purchaseOptions: [flat('free', 0, { order })],
      settings: { free: { s: text({ order }) } },
      acknowledgements: [{ id: 'a', title: 'A', text: 'A', order }],
    }),
  )
  expectProblem(answer, 'unprocessable')
  expect(pointersOf(answer)).toEqual([
    '/acknowledgements/0/order',
    '/purchaseOptions/0/order',
    '/settings/free/s/order',
  ])
})
