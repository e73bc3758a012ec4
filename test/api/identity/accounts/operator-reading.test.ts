import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type OperatorCalls, operatorCalls } from '../../../setup/operator.ts'
import { demoUser } from '../../../setup/web-client.ts'

let market: TestMarketplace
let operator: OperatorCalls
beforeAll(async () => {
  market = await startMarketplace()
  operator = await operatorCalls(market)
})
afterAll(() => market.close())

describe('an operator', () => {
  test('reads one app as the list has it, suspended or not', async () => {
    onTestFinished(async () => {
      await operator('POST', 'Apps/price-sync/Resume')
    })
    await operator('POST', 'Apps/price-sync/Suspend', { reason: 'Unpaid.' })
    const { status, body } = await operator('GET', 'Apps/price-sync')
    expect([status, body.suspendedReason]).toEqual([200, 'Unpaid.'])
    expect((await operator('GET', 'Apps?q=price-sync')).body).toEqual([body])
    expect((await operator('GET', 'Apps/PRICE-SYNC')).body).toEqual(body)
  })

  test('reads one installation as the list has it, uninstalled or not', async () => {
    const id = market.demo.installations[0]?.id ?? ''
    const { status, body } = await operator('GET', `Installations/${id}`)
    expect([status, body.id]).toEqual([200, id])
    expect((await operator('GET', 'Installations')).body).toContainEqual(body)
    expect(body).not.toHaveProperty('userSettings')
    await market.deps.db.installation.update({
      where: { id },
      data: { status: 'uninstalled', live: null, uninstalledAt: new Date() },
    })
    expect((await operator('GET', `Installations/${id}`)).body.status).toBe('uninstalled')
  })

  test('finds nothing at ids that there are not', async () => {
    for (const path of ['Apps/nothing', `Installations/${randomUUID()}`, 'Installations/x']) {
      expect([path, (await operator('GET', path)).status]).toEqual([path, 404])
    }
  })

  test('finds a text anywhere, but one or two characters where words begin', async () => {
    for (const [path, found] of [
      ['Parties?q=eyl', 1],
      ['Parties?q=ELEC', 1],
      ['Parties?q=el', 1],
      ['Parties?q=ey', 0],
      ['Parties?q=%25', 0],
      ['Parties?q=e_l', 0],
      ['Users?q=kim%40', 1],
      ['Users?q=ke', 1],
      ['Apps?q=syn', 2],
      ['Apps?q=sy', 2],
      ['Apps?q=yn', 0],
    ] as const) {
      const { body } = await operator('GET', path)
      expect([path, body.length]).toEqual([path, found])
    }
  })

  test('lists what is suspended, and the others', async () => {
    const party = demoUser(market, 'Seller').partyId
    const [user, developer] = await Promise.all([
      market.deps.db.user.findFirstOrThrow({ where: { operator: false } }),
      market.deps.db.developer.findFirstOrThrow(),
    ])
    for (const [collection, id] of [
      ['Parties', party],
      ['Users', user.id],
      ['Developers', developer.id],
    ] as const) {
      const all = (await operator('GET', collection)).body.map((one: { id: unknown }) => one.id)
      await operator('POST', `${collection}/${id}/Suspend`, { reason: 'Unpaid.' })
      const idsOf = async (suspended: boolean) =>
        (await operator('GET', `${collection}?suspended=${suspended}`)).body.map(
          (one: { id: unknown }) => one.id,
        )
      expect(await idsOf(true)).toEqual([id])
      expect(await idsOf(false)).toEqual(all.filter((one: unknown) => one !== id))
      expect((await operator('GET', `${collection}?suspended=maybe`)).status).toBe(400)
    }
  })
})
