import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

test('the address that old browsers ask for an icon leads to the icon', async () => {
  const answer = await fetch(`${market.url}/favicon.ico`)
  expect(answer.url).toMatch(/\/assets\/icon\.svg\?v=[0-9a-f]+$/)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
})

test('crawlers may read the catalogue and the documentation, and nothing else', async () => {
  const answer = await fetch(`${market.url}/robots.txt`)
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  const rules = await answer.text()
  const open = ['/', '/Apps', '/Apps?cursor=a', '/Apps/price-sync', '/Apps/price-sync/Terms']
  const docs = ['/docs', '/docs/apps', '/docs/api', '/openapi.json', '/assets/style.css?v=0']
  const forms = ['/login', '/forgot', '/invitation', '/signin/oidc', '/Apps/price-sync/Install']
  const consoles = ['/Account', '/Installed', '/Developer', '/Operator/Users', '/v1/Apps']
  const others = ['/Apps/Authenticate/price-sync', '/docs/search?q=token', '/metrics']
  expect([...open, ...docs].filter((path) => !isAllowed(rules, path))).toEqual([])
  expect([...forms, ...consoles, ...others].filter((path) => isAllowed(rules, path))).toEqual([])
})

/** By the longest rule that fits (RFC 9309, 2.2.2). */
function isAllowed(rules: string, path: string): boolean {
  const fitting = [...rules.matchAll(/^(Allow|Disallow): (\S+)$/gm)]
    .map(([, kind, pattern = '']) => ({ kind, pattern }))
    .filter(({ pattern }) => {
      const text = pattern.replace(/[.?]/g, '\\$&').replaceAll('*', '.*')
      return new RegExp(`^${text}`).test(path)
    })
    .sort((one, other) => other.pattern.length - one.pattern.length)
  return fitting[0]?.kind === 'Allow'
}
