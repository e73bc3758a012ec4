import { expect, test } from 'vitest'
import { startMarketplace } from '../../setup/app.ts'
import { startPriceChecker, visitor } from '../../setup/price-checker.ts'
import { signedIn } from '../../setup/web-client.ts'

test('while the marketplace is away, users of the app are told so, and the app can be stopped', async () => {
  const market = await startMarketplace()
  const example = await startPriceChecker(market)
  try {
    const sandbox = market.demo.users.find(({ partyType }) => partyType === 'None')
    if (sandbox === undefined) throw new Error('the demo has no user of the sandbox')
    const visit = visitor(market, await signedIn(market, sandbox))
    expect((await visit(example.origin)).status).toBe(200)
    await market.close()
    const page = await visit(example.origin)
    expect({ status: page.status, text: await page.text() }).toEqual({
      status: 503,
      text: 'The marketplace is away. Try again in a moment.\n',
    })
  } finally {
    await example.stop()
  }
})
