import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { everything } from '../setup/apps.ts'
import { assembleVisitors, VISITORS, type VisitorRole } from './access-page-cast.ts'
import { expectedOf, pagePath, strayRows, USES_UP } from './access-page-table.ts'

let market: TestMarketplace
let visitors: Awaited<ReturnType<typeof assembleVisitors>>
beforeAll(async () => {
  market = await startMarketplace()
  visitors = await assembleVisitors(market)
})
afterAll(() => market.close())

const pagesOf = (method: string) =>
  market.app.routes
    .all()
    .filter((route) => route.audience === 'browser' && route.method === method)
    .map(({ url }) => url)

describe('who gets what from a page', () => {
  test('is written down for every page, and for no page that is gone', () => {
    const routes = ['GET', 'POST'].flatMap((method) => pagesOf(method).map((url) => [method, url]))
    expect(routes.length).toBeGreaterThan(150)
    expect(routes.filter(([method = '', url = '']) => !expectedOf(method, url))).toEqual([])
    expect(strayRows(routes.map((route) => route.join(' ')))).toEqual([])
  })

  test('holds for every page and everybody', async () => {
    const [seen, expected] = [new Map<string, unknown>(), new Map<string, unknown>()]
    for (const url of pagesOf('GET')) {
      const path = pagePath(url, visitors.first)
      const cells: Cells = {}
      for (const role of VISITORS) cells[role] = await visitors.knock(role, 'GET', path)
      seen.set(url, cells)
      expected.set(url, expectedOf('GET', url))
    }
    expect(seen).toEqual(expected)
  })

  test('holds for every form and whoever is refused, who changes nothing', async () => {
    const [seen, expected] = [new Map<string, unknown>(), new Map<string, unknown>()]
    const before = await everything(market)
    for (const url of forms()) {
      const row = expectedOf('POST', url)
      const path = pagePath(url, visitors.first)
      for (const role of VISITORS) {
        if (row?.[role] === 'in') continue
        seen.set(`${role}: ${url}`, await visitors.knock(role, 'POST', path))
        expected.set(`${role}: ${url}`, row?.[role])
      }
    }
    expect(seen).toEqual(expected)
    expect(changed(before, await everything(market))).toEqual([])
  })

  test('lets in everybody whom a form is for', async () => {
    const wrong: string[] = []
    let things = await visitors.newThings()
    for (const url of forms()) {
      const row = expectedOf('POST', url)
      await visitors.renewCode()
      for (const role of VISITORS) {
        if (row?.[role] !== 'in') continue
        const outcome = await visitors.knock(role, 'POST', pagePath(url, things))
        if (outcome !== 'in') wrong.push(`${role}: ${url} ${outcome}`)
        if (USES_UP.test(url)) things = await visitors.newThings()
      }
    }
    expect(wrong).toEqual([])
  })
})

const forms = () => pagesOf('POST').filter((url) => !ENDS_SESSIONS.test(url))

type Cells = Partial<Record<VisitorRole, string>>
type Tables = Record<string, string>

/** Tables that have changed; when a session was last seen is no change. */
function changed(before: Tables, after: Tables): string[] {
  const told = (text = '') => text.replaceAll(/"last_seen_at":"[^"]*"/g, '')
  return Object.keys(before).filter((table) => told(before[table]) !== told(after[table]))
}

/** Whoever sends them is signed out; tests of their own try them. */
const ENDS_SESSIONS = /logout$|SignOutEverywhere$|EndOthers$/i
