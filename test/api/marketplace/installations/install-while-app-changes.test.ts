import { beforeAll, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../../setup/app.ts'
import { type Author, author, draft, newId } from '../../../setup/apps.ts'
import {
  acceptAll,
  type Customer,
  listedApp,
  newCustomer,
  newCustomers,
} from '../../../setup/customer.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'
import { operatorCalls } from '../../../setup/operator.ts'
import { holdRows, inTurnOnApp, untilWaiting } from '../../../setup/turns.ts'

let market: SharedMarketplace
let developer: Author
let customerAt: (index: number) => Customer
beforeAll(async () => {
  market = await sharedMarketplace()
  developer = await author(market)
  customerAt = await newCustomers(market, 4)
})

describe('an install while the app is being deleted', () => {
  test('leaves either a live installation or a deleted app, 20 rounds', async () => {
    for (let round = 0; round < 20; round += 1) {
      const app = await listedApp(developer, draft(newId()))
      const [removed, installed] = await Promise.all([
        developer.remove(app.id),
        customerAt(round).install({ appId: app.id, purchaseOptionId: 'free' }),
      ])
      expect([
        [204, 422],
        [409, 201],
      ]).toContainEqual([removed.status, installed.status])
    }
  })
})

describe('an install while the app is being unlisted', () => {
  test('is made when it was first, and refused when it was second', async () => {
    const { id: appId } = await listedApp(developer, draft(newId()))
    const install = (customer: Customer) => customer.install({ appId, purchaseOptionId: 'free' })
    const unlist = () => developer.unlist(appId)

    const [early, unlisted] = await inTurnOnApp(market, appId, () => install(customerAt(1)), unlist)
    expect([early.status, unlisted.status]).toEqual([201, 200])
    expect((await customerAt(1).read(early.body.id)).body.status).toBe('active')

    expect((await developer.list(appId)).status).toBe(200)
    const [again, late] = await inTurnOnApp(market, appId, unlist, () => install(customerAt(2)))
    expect(again.status).toBe(200)
    expectProblem(late, 'unprocessable')
    expect(pointersOf(late)).toEqual(['/appId'])
  })
})

describe('an install while the words of the app change', () => {
  const words = (text: string) => [{ id: 'ack', title: 'Title', text, order: 1 }]
  const wordedApp = () => listedApp(developer, draft(newId(), { acknowledgements: words('0') }))
  const change = (app: Awaited<ReturnType<typeof wordedApp>>, text: string) =>
    developer.put({ ...app, version: `w${text}`, acknowledgements: words(text) })

  test('is refused or has the evidence of the words of its version', async () => {
    const app = await wordedApp()
    for (let round = 1; round <= 15; round += 1) {
      const consent = await acceptAll(market, app.id)
      const [, installed] = await Promise.all([
        change(app, `${round}`),
        customerAt(round).install({ appId: app.id, purchaseOptionId: 'free', ...consent }),
      ])
      expect([201, 409]).toContain(installed.status)
      if (installed.status === 409) expectProblem(installed, 'acknowledgement_changed')
      else {
        expect(installed.body.installedVersion).not.toBe(`w${round}`)
        await customerAt(round).uninstall(installed.body.id)
      }
    }
  })

  test('has that evidence when it was first, and is refused when it was second', async () => {
    const app = await wordedApp()
    const consent = await acceptAll(market, app.id)
    const install = (customer: Customer) =>
      customer.install({ appId: app.id, purchaseOptionId: 'free', ...consent })

    const [early, changed] = await inTurnOnApp(
      market,
      app.id,
      () => install(customerAt(1)),
      () => change(app, '1'),
    )
    expect([early.status, early.body.installedVersion]).toEqual([201, app.version])
    expect(changed.status).toBe(200)
    const where = { installationId: early.body.id }
    const accepted = await market.deps.db.acceptance.findMany({ where })
    const evidence = accepted.map(({ subjectId: id, sha256 }) => ({ id, sha256 }))
    expect(evidence).toEqual(consent.acknowledgements)

    // The words that `consent` names are the latest ones again.
    expect((await change(app, '0')).status).toBe(200)
    expect(await acceptAll(market, app.id)).toEqual(consent)
    const [again, late] = await inTurnOnApp(
      market,
      app.id,
      () => change(app, '2'),
      () => install(customerAt(2)),
    )
    expect(again.status).toBe(200)
    expectProblem(late, 'acknowledgement_changed')
  })
})

describe('an install while the account is being suspended', () => {
  test('is refused when it was second', async () => {
    const { id: appId } = await listedApp(developer, draft(newId()))
    const customer = await newCustomer(market)
    const operator = await operatorCalls(market)
    const held = await holdRows(market, 'SELECT 1 FROM apps WHERE id = $1 FOR UPDATE', [appId])
    try {
      const late = customer.install({ appId, purchaseOptionId: 'free' })
      await untilWaiting(market, 1)
      const path = `Parties/${customer.party.id}/Suspend`
      expect((await operator('POST', path, { reason: 'Unpaid.' })).status).toBe(200)
      await held.release()
      const refused = await late
      expectProblem(refused, 'unprocessable')
      expect(pointersOf(refused)).toEqual(['/partyId'])
    } finally {
      await held.release()
    }
  })
})
