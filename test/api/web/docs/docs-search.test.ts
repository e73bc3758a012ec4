import { beforeAll, describe, expect, it } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../../setup/app.ts'
import { call } from '../../../setup/client.ts'

let market: SharedMarketplace
beforeAll(async () => {
  market = await sharedMarketplace()
})

describe('the search of the documentation', () => {
  const search = (q: string) => call(market, 'GET', `/docs/search?${new URLSearchParams({ q })}`)

  it('finds guides, errors and fields, and says where', async () => {
    const { status, text } = await search('Cursor_EXPIRED')
    expect(status).toBe(200)
    expect(text).toMatch(
      /<a href="\/docs\/errors#cursor_expired"><mark>cursor_expired<\/mark><\/a>/,
    )
    expect(text).toContain('href="/docs/receive-events#if-you-fall-behind"')
    expect((await search('purchaseOptions.currency')).text).toContain(
      'href="/docs/apps#field-purchaseOptions"',
    )
    expect((await search('products:write')).text).toContain('#permission-products:write')
  })

  it('leads to places that exist', async () => {
    for (const q of ['token', 'version', 'app', 'backup', 'price', 'webhook']) {
      const { text } = await search(q)
      const results = text.split('<ol class="docs-results">')[1]?.split('</ol>')[0] ?? ''
      const links = [...results.matchAll(/ href="([^"]*)"/g)].map(([, link = '']) => link)
      expect(links.length, q).toBeGreaterThan(2)
      for (const link of links) {
        const [path = '', anchor] = link.split('#')
        const page = await call(market, 'GET', path)
        expect(page.status, link).toBe(200)
        if (anchor !== undefined) expect(page.text, link).toContain(` id="${decodeURI(anchor)}"`)
      }
    }
  })

  it('says when there is nothing', async () => {
    const { status, text } = await search('zyxwvut')
    expect(status).toBe(200)
    expect(text).toContain('<p>No results.</p>')
    expect((await call(market, 'GET', '/docs/search')).text).toContain('Enter what you look for.')
  })

  it('shows what was sent as text', async () => {
    const { text } = await search(`"><script>alert(1)</script><img src=x onerror='1'>`)
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(text).not.toMatch(/<script>|<img src=x/)
  })

  it('takes at most 200 characters, and refuses no other text', async () => {
    const { status, text } = await search('x'.repeat(201))
    expect(status).toBe(422)
    expect(text).toContain('Search must be at most 200 characters.')
    for (const q of ['x'.repeat(200), '(((', '\\', '%', '\u0301'.repeat(200), 'a '.repeat(100)]) {
      expect((await search(q)).status, q).toBe(200)
    }
    const twice = await call(market, 'GET', '/docs/search?q=token&q=app')
    expect(twice.status).toBeLessThan(500)
  })
})
