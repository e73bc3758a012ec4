import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { demoInstallation } from '../../setup/client.ts'
import { developerConsole } from '../../setup/console.ts'
import { demoUser, hiddenFields, signedIn } from '../../setup/web-client.ts'

// When all connections are held by requests that wait for another one, nobody gets any. With one
// connection left, a single request would show it.

let market: TestMarketplace
let held: { release(): void }
beforeAll(async () => {
  market = await startMarketplace({ config: { databasePoolSize: 2 } })
  held = await market.deps.pool.connect()
})
afterAll(async () => {
  held?.release()
  await market?.close()
})

test('an account token is made with one connection to the database', async () => {
  const browser = await signedIn(market, demoUser(market, 'Seller'))
  const { _csrf = '' } = hiddenFields((await browser.get('/Account/Token')).text)
  const page = await browser.post('/Account/Token', { _csrf, lifetime: '900' })
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('export TOKEN=')])
})

test('a test token is made with one connection to the database', async () => {
  const developer = await developerConsole(market)
  const path = `/Installations/${demoInstallation(market, 'price-sync', 'Seller').id}/TestToken`
  const page = await developer.send(path, { 'permission.products:read': 'yes' })
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('TOKEN=')])
})
