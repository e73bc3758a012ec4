import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Author, author, flat } from '../../../setup/apps.ts'
import {
  type Customer,
  developerCalls,
  fullDraft,
  GOOD_SETTINGS,
  listedApp,
  newCustomer,
} from '../../../setup/customer.ts'
import { noteStatements } from '../../../setup/statements.ts'

let market: TestMarketplace
let developer: Author
let seller: Customer
let statements: ReturnType<typeof noteStatements>
let id: string
let appId: string
beforeAll(async () => {
  market = await startMarketplace()
  statements = noteStatements(market.deps.pool)
  developer = await author(market)
  seller = await newCustomer(market)
  const definition = fullDraft()
  appId = definition.id
  await listedApp(developer, {
    ...definition,
    purchaseOptions: [...definition.purchaseOptions, flat('none', 1, { order: 5 })],
  })
  const userSettings = GOOD_SETTINGS
  id = (await seller.install({ appId, purchaseOptionId: 'full', userSettings })).body.id
})
afterAll(() => market.close())

/** All settings of all options of a version have up to 1 MiB. */
const ALL_SETTINGS = '"app_versions"."settings"'

test('an installation that is made reads the settings of its option alone', async () => {
  const other = await newCustomer(market)
  statements.take()
  const userSettings = GOOD_SETTINGS
  expect((await other.install({ appId, purchaseOptionId: 'full', userSettings })).status).toBe(201)
  const texts = statements.take().map(({ text }) => text)
  expect(texts.filter((text) => text.includes(ALL_SETTINGS))).toEqual([])
})

test.each<[string, () => Promise<{ status: number }>]>([
  ['is listed for its account', () => seller.list()],
  ['is read by its account', () => seller.read(id)],
  ['gets user settings', () => seller.patch(id, { text: 'joe' })],
  [
    'gets admin settings',
    () => developerCalls(market, developer.token).patch(id, { adminFlag: true }),
  ],
  ['is shown another option', () => seller.previewOption(id, 'none')],
  ['gets another option', () => seller.changeOption(id, 'none')],
])('an installation that %s reads the settings of its option alone', async (_what, request) => {
  statements.take()
  expect((await request()).status).toBe(200)
  const texts = statements.take().map(({ text }) => text)
  expect(texts.filter((text) => text.includes('app_versions'))).not.toEqual([])
  expect(texts.filter((text) => text.includes(ALL_SETTINGS))).toEqual([])
})
