import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createUser } from '../../../src/identity/accounts/users-service.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { demoUser, hiddenFields, mainOf, signedIn, type WebClient } from '../../setup/web-client.ts'

let market: TestMarketplace
/** Of the two demo developers: Northwind has Price Sync, Contoso has Catalog Sync. */
let sandboxes: { northwind: number; contoso: number }
let seller: ReturnType<typeof demoUser>
/** A person of Contoso who acts for a Seller, too. */
let browser: WebClient

beforeAll(async () => {
  market = await startMarketplace()
  const find = async (name: string) =>
    (await market.deps.db.developer.findFirstOrThrow({ where: { name } })).sandboxPartyId
  sandboxes = { northwind: await find('Northwind Tools'), contoso: await find('Contoso Sync') }
  seller = demoUser(market, 'Seller', 1)
  const user = await createUser(market.deps, {
    email: 'sam@contoso.example',
    name: 'Sam Contoso',
    partyIds: [sandboxes.contoso, seller.partyId],
  })
  browser = await signedIn(market, user)
})
afterAll(() => market.close())

const CONTOSO = 'Contoso Sync (sandbox)'

describe('the sandbox of a developer', () => {
  test('is no account on the pages of other developers’ apps', async () => {
    for (const path of ['/Apps/price-sync', '/Apps/price-sync/Install']) {
      const main = mainOf(await browser.get(path))
      expect(main).toContain(seller.partyName)
      expect(main).not.toContain(CONTOSO)
    }
    const form = await browser.get('/Apps/price-sync/Install?purchaseOptionId=premium')
    expect(hiddenFields(form.text).partyId).toBe(String(seller.partyId))
  })

  test('is one on the pages of its own developer’s apps, after the accounts', async () => {
    const main = mainOf(await browser.get('/Apps/catalog-sync'))
    expect(main).toContain(CONTOSO)
    expect(main).toContain(`Installed for <bdi>${seller.partyName}</bdi>`)
  })

  test('has no price and no install of another developer’s app when it was chosen', async () => {
    const { text } = await browser.get('/Account/Choose')
    const partyId = String(sandboxes.contoso)
    await browser.post('/Account/Choose', { ...hiddenFields(text), partyId })
    for (const path of ['/Apps/price-sync', '/Apps/price-sync/Install']) {
      const main = mainOf(await browser.get(path))
      expect(main).toContain('Not offered to the sandboxes of other developers.')
      expect(main).toContain(`Install for <bdi>${seller.partyName}</bdi> instead?`)
      expect(main).not.toMatch(/per month|\/Install\?/)
    }
  })

  test('belongs to that developer’s own person, as in the demo', async () => {
    const nora = await signedIn(market, demoUser(market, 'None'))
    expect(mainOf(await nora.get('/Apps/price-sync'))).toContain('Manage')
    const foreign = mainOf(await nora.get('/Apps/catalog-sync'))
    expect(foreign).toContain('Not offered to the sandboxes of other developers.')
    expect(foreign).not.toMatch(/per month|\/Install\?/)
  })
})
