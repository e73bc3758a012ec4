import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { call } from '../../setup/client.ts'
import { expectProblem } from '../../setup/expect-problem.ts'

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

const get = (path: string, headers: Record<string, string> = {}) =>
  call(market, 'GET', path, { headers })

describe('errors of pages', () => {
  test.each([
    ['/nothing', 404],
    ['/Apps/no-such-app', 404],
    ['/Apps/Authenticate/%00', 404],
    ['/%zz', 400],
  ])('%s is a page for browsers and a problem document for others', async (path, status) => {
    const page = await get(path, HTML)
    expect(page.status).toBe(status)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    // Only a fault of ours is for an operator to look at.
    expect(page.text).not.toContain(String(page.headers.get('x-request-id')))
    expect(page.headers.get('content-security-policy')).toContain("style-src 'self'")
    expect(page.headers.get('cache-control')).toContain('no-store')
    const plain = await get(path, { accept: 'application/json' })
    expectProblem(plain, status === 404 ? 'not_found' : 'invalid_request')
  })

  test.each([
    ['application/json, text/html;q=0.5', 'problem'],
    ['application/problem+json, text/html;q=0.5', 'problem'],
    ['application/problem+json;q=0.4, text/html;q=0.5', 'page'],
    ['text/html;q=0, */*', 'problem'],
    ['*/*', 'problem'],
    ['text/html;q=0.5, */*;q=0.6', 'problem'],
    ['TEXT/HTML', 'page'],
    ['application/json;q=0.4, text/html;q=0.5', 'page'],
    ['text/html, application/xml;q=0.9, */*;q=0.8', 'page'],
  ])('who accepts %s gets a %s', async (accept, kind) => {
    const { headers } = await get('/nothing', { accept })
    expect(headers.get('content-type')).toBe(
      kind === 'page' ? 'text/html; charset=utf-8' : 'application/problem+json; charset=utf-8',
    )
  })

  const METADATA = '/.well-known/oauth-authorization-server?a=%ff'
  test.each(['/v1/Nothing', '/v1/Products', '/V1/auth', '/api/v1/Products', '/v1/%zz', METADATA])(
    '%s answers even browsers with a problem document',
    async (path) => {
      const { headers } = await get(path, HTML)
      expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
    },
  )
})
