import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../../src/base/values/actor.ts'
import { resumeAsOperator } from '../../../../src/marketplace/installations/operator/operator-installations-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Author, author } from '../../../setup/apps.ts'
import { developerCalls, fullDraft, listedApp, newCustomer } from '../../../setup/customer.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { type OperatorCalls, operatorBrowser, operatorCalls } from '../../../setup/operator.ts'
import { noteStatements } from '../../../setup/statements.ts'

let market: TestMarketplace
let operator: OperatorCalls
let developer: Author
beforeAll(async () => {
  market = await startMarketplace()
  operator = await operatorCalls(market)
  developer = await author(market)
})
afterAll(() => market.close())

const REASON = 'It sent prices of others around.'

/** An installation that an operator has suspended. */
async function suspended() {
  const app = await listedApp(developer, fullDraft())
  const customer = await newCustomer(market)
  const install = () => customer.install({ appId: app.id, purchaseOptionId: 'free' })
  const { id } = (await install()).body
  const path = `Installations/${id}`
  expect((await operator('POST', `${path}/Suspend`, { reason: REASON })).status).toBe(200)
  return { customer, install, id, path }
}

describe('what an operator has suspended', () => {
  test.each(['the account', 'the developer'])(
    'cannot be installed again after %s uninstalled it, until the operator lifts that',
    async (who) => {
      const { customer, install, id, path } = await suspended()
      const calls = who === 'the account' ? customer : developerCalls(market, developer.token)
      expect((await calls.uninstall(id)).status).toBe(204)
      const refused = await install()
      expectProblem(refused, 'conflict')
      expect(refused.body.detail).toContain(REASON)
      expect(refused.body.installationId).toBe(id)
      const record = await operator('GET', path)
      expect(record.body).toMatchObject({ status: 'uninstalled', reinstallBarred: true })

      const lifted = await operator('POST', `${path}/Resume`)
      expect([lifted.status, lifted.body.suspended]).toEqual([200, false])
      expect((await operator('POST', `${path}/Resume`)).body).toEqual(lifted.body)
      const after = await operator('GET', path)
      expect(after.body).toEqual({ ...record.body, reinstallBarred: false })
      expect((await install()).status).toBe(201)
      const trail = await operator('GET', `Audit?subjectId=${id}&action=installation.resumed`)
      expect(trail.body).toHaveLength(1)
    },
  )

  test('is read and listed without its settings', async () => {
    const { id, path } = await suspended()
    const statements = noteStatements(market.deps.pool)
    expect((await operator('GET', path)).body).toMatchObject({ id, status: 'suspended' })
    const list = await operator('GET', 'Installations?status=suspended')
    expect(list.body.map((one: { id: string }) => one.id)).toContain(id)
    const sent = statements.take().filter(({ text }) => text.includes('"installations"'))
    expect(sent.length).toBeGreaterThan(1)
    for (const { text } of sent) expect(text).not.toContain('"body"')
  })

  test('can be lifted by the command line as well', async () => {
    const { customer, install, id } = await suspended()
    await customer.uninstall(id)
    const { suspended: is } = await resumeAsOperator(market.deps, id, SYSTEM)
    expect([is, (await install()).status]).toEqual([false, 201])
  })

  test('can be lifted on its page', async () => {
    const { customer, install, id, path } = await suspended()
    await customer.uninstall(id)
    const browser = await operatorBrowser(market)
    const page = await browser.get(`/Operator/${path}`)
    expect(page.text).toContain('Uninstalled while suspended')
    expect(page.text).toContain(REASON)
    expect((await browser.send(`/Operator/${path}/Resume`)).status).toBe(303)
    const after = await browser.get(`/Operator/${path}`)
    expect(after.text).not.toContain('Uninstalled while suspended')
    expect((await install()).status).toBe(201)
  })

  test('keeps no other account and no other app from being installed', async () => {
    const { customer, id } = await suspended()
    await customer.uninstall(id)
    const { body: record } = await operator('GET', `Installations/${id}`)
    const other = await newCustomer(market)
    const again = { appId: record.appId, purchaseOptionId: 'free' }
    expect((await other.install(again)).status).toBe(201)
    const app = await listedApp(developer, fullDraft())
    const elsewhere = await customer.install({ appId: app.id, purchaseOptionId: 'free' })
    expect(elsewhere.status).toBe(201)
  })

  test('stays so when an install comes at the same time as the uninstall', async () => {
    for (let round = 0; round < 10; round++) {
      const { customer, install, id } = await suspended()
      const answers = await Promise.all([customer.uninstall(id), install(), install()])
      expect(answers.map(({ status }) => status)).toEqual([204, 409, 409])
      expectProblem(await install(), 'conflict')
    }
  })
})

test('what only the developer has suspended may be installed again', async () => {
  const { customer, install, id, path } = await suspended()
  await operator('POST', `${path}/Resume`)
  const calls = developerCalls(market, developer.token)
  await calls.suspend(id)
  await customer.uninstall(id)
  expectProblem(await operator('POST', `${path}/Resume`), 'conflict')
  expect((await install()).status).toBe(201)
})
