import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Author, author, draft, newId } from '../../../setup/apps.ts'
import { acceptAll, listedApp, newCustomer } from '../../../setup/customer.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'

let market: TestMarketplace
let developer: Author
beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
})
afterAll(() => market.close())

const acknowledgements = [{ id: 'ack', title: 'Title', text: 'Words', order: 1 }]
const wordedApp = () => listedApp(developer, draft(newId(), { acknowledgements }))
const REMOVED = { kind: 'acknowledgement_removed', pointer: '/acknowledgements/ack' }

test('an acknowledgement is removed from a version that nobody has installed', async () => {
  const app = await wordedApp()
  const answer = await developer.put({ ...app, acknowledgements: [] })
  expect([answer.status, answer.body.acknowledgements]).toEqual([200, []])
})

test('an acknowledgement stays in its version while an account has it installed', async () => {
  const app = await wordedApp()
  const customer = await newCustomer(market)
  const consent = await acceptAll(market, app.id)
  const install = { appId: app.id, purchaseOptionId: 'free', ...consent }
  const { body: installed } = await customer.install(install)

  const without = { ...app, acknowledgements: [] }
  const refused = await developer.put(without)
  expectProblem(refused, 'version_required')
  expect(refused.body.changes).toMatchObject([{ ...REMOVED, breaking: true }])
  const preview = await developer.send('PUT', `/${app.id}?dryRun=true`, without)
  expect(preview.body).toMatchObject({ breaking: true, changes: [{ ...REMOVED, breaking: true }] })

  expect((await developer.put({ ...without, version: '2' })).status).toBe(200)
  // The first version comes back with its words only.
  expectProblem(await developer.put({ ...without, version: app.version }), 'version_used')
  expect((await developer.put(app)).status).toBe(200)

  await customer.uninstall(installed.id)
  expect((await developer.put(without)).status).toBe(200)
})
