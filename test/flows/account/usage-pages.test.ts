import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { newMember } from '../../setup/customer.ts'
import { operatorBrowser } from '../../setup/operator.ts'
import { newProductParty, type ProductParty } from '../../setup/product-client.ts'
import { signedIn, signedInDeveloper } from '../../setup/web-client.ts'

const DAY_SECONDS = 86_400

let market: TestMarketplace
let app: ProductParty
beforeAll(async () => {
  market = await startMarketplace({
    isClockStopped: true,
    config: { rateLimitPerMinute: 600 },
  })
  app = await newProductParty(market)
  await app.upsert({ brand: 'Wahl', partNumber: '1', inStock: 1 })
  await app.list()
  await market.deps.usageCounts.write()
})
afterAll(() => market.close())

const text = (markup: string) => markup.replaceAll(/(?:\s*<[^>]+>\s*)+/g, '|')

/** The page of the installation as each side sees it. */
async function pages(): Promise<[side: string, page: string][]> {
  const member = await newMember(market, app.partyId)
  const browsers = [
    ['account', await signedIn(market, member), `/Installed/${app.installationId}`],
    [
      'developer',
      await signedInDeveloper(market),
      `/Developer/Installations/${app.installationId}`,
    ],
    ['operator', await operatorBrowser(market), `/Operator/Installations/${app.installationId}`],
  ] as const
  return Promise.all(
    browsers.map(async ([side, browser, path]): Promise<[string, string]> => {
      const { status, text: page } = await browser.get(path)
      expect([side, status]).toEqual([side, 200])
      return [side, page]
    }),
  )
}

test('each side sees the limit, its use and what was used last', async () => {
  for (const [side, page] of await pages()) {
    const shown = text(page)
    expect(shown, side).toContain('Limit|600 requests per minute|')
    expect(shown, side).toContain('Today|2 requests, 0% of the daily budget of 864,000|')
    expect(shown, side).toContain('Refused|None|')
    expect(shown, side).toContain('Requests per day, last 30 days|2|')
    expect(shown, side).toMatch(/Read products\|1\|1\|0\|\d{4}-\d\d-\d\d \d\d:\d\d UTC\|/)
    expect(shown, side).not.toContain('in 90 days')
  }
})

test('each side sees what was never used in 90 days', async () => {
  market.advance(91 * DAY_SECONDS)
  for (const [side, page] of await pages()) {
    expect(text(page), side).toContain('Never used in 90 days|')
    expect(text(page), side).toContain('Not used in 90 days|')
    expect(text(page), side).toContain('No requests in the last 30 days.')
  }
})
