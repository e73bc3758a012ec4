import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

describe('the listing of all routes with their hooks', () => {
  it('names every hook', () => {
    const listing = market.app.printRoutes({ includeHooks: true })
    expect(listing).toContain('(preHandler)')
    const hooks = listing.matchAll(/\((\w+)\) (\[.*?\])/g)
    const unnamed = [...hooks].filter(([, , names]) => names?.includes('anonymous()'))
    expect(new Set(unnamed.map(([hook]) => hook))).toEqual(new Set())
  })
})
