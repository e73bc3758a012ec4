import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { demoUser, hiddenFields, webClient } from '../../setup/web-client.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

test('the sign-in of a second tab leads on to where it was to lead, when the first was faster', async () => {
  const browser = webClient(market)
  const user = demoUser(market, 'Seller')
  const next = '/Installed?status=active'
  const path = `/login?next=${encodeURIComponent(next)}`
  const fields = hiddenFields((await browser.get(path)).text)
  await browser.login(user)
  const refused = await browser.post('/login', { ...fields, email: user.email, password: 'x' })
  expect(refused.status).toBe(403)
  expect(refused.text).toContain(`href="${path}">Open the page again<`)
  expect((await browser.get(path)).location).toBe(next)
})
