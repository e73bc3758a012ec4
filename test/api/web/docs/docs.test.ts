import { readdir, readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import exampleApp from '../../../../demo/apps/price-sync.json' with { type: 'json' }
import { LIMITS } from '../../../../src/base/values/definition-limits.ts'
import { ERROR_CODES } from '../../../../src/errors.ts'
import { AppDefinition } from '../../../../src/marketplace/apps/definition.ts'
import { PERMISSIONS } from '../../../../src/marketplace/apps/permissions.ts'
import { CHANGE_KINDS } from '../../../../src/marketplace/apps/versions/change-kinds.ts'
import type { FieldSchema } from '../../../../src/web/docs/field-list.ts'
import { DOCS_GROUPS, GUIDES } from '../../../../src/web/docs/guides.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { call } from '../../../setup/client.ts'

let market: TestMarketplace
/** Every page that can be reached from `/docs` by links, by its path. */
let pages: Map<string, string>

beforeAll(async () => {
  market = await startMarketplace()
  pages = await crawl('/docs')
})
afterAll(() => market.close())

async function crawl(start: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const waiting = [start]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue
    const { status, text } = await call(market, 'GET', path)
    expect(status, path).toBe(200)
    found.set(path, text)
    waiting.push(
      ...linksOf(text)
        .filter((link) => link.startsWith('/docs'))
        .map(withoutAnchor),
    )
  }
  return found
}

const withoutAnchor = (link: string) => link.split('#', 1)[0] ?? link
const linksOf = (document: string) => attributes(document, 'href')
const idsOf = (document: string) => attributes(document, 'id')

function attributes(document: string, name: string): string[] {
  return [...document.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(
    ([, value = '']) => value,
  )
}

describe('the documentation', () => {
  it('has a page for everything', () => {
    const guides = GUIDES.map(({ name }) => `/docs/${name}`)
    const own = ['/docs', '/docs/apps', '/docs/api', '/docs/errors']
    expect([...pages.keys()].sort()).toEqual([...own, ...guides].sort())
  })

  it('shows every guide of the repository', async () => {
    const files = await readdir(new URL('../../../../docs/', import.meta.url), { recursive: true })
    const guides = files.filter((file) => file.endsWith('.md'))
    expect(guides.sort()).toEqual(GUIDES.map(({ name }) => `${name}.md`).sort())
  })

  it('names its pages by the part that they belong to, and leads to the next one', () => {
    expect(DOCS_GROUPS.map(({ title }) => title)).toEqual([
      'Start',
      'Build',
      'Sell',
      'Operate',
      'Reference',
    ])
    const all = DOCS_GROUPS.flatMap(({ pages: group }) => group)
    all.forEach(({ name }, at) => {
      if (name === 'api') return
      const page = pages.get(`/docs/${name}`) ?? ''
      const [, nav = '', main = ''] = page.split(/<nav class="docs-nav"|<main/)
      for (const { title } of DOCS_GROUPS) expect(nav).toContain(`>${title}</h2>`)
      const [before, after] = [all[at - 1], all[at + 1]]
      const ways = [
        before && `<a href="/docs/${before.name}" rel="prev">Previous: ${before.title}</a>`,
        after && `<a href="/docs/${after.name}" rel="next">Next: ${after.title}</a>`,
      ].filter(Boolean)
      expect(main.match(/<a href="[^"]*" rel="(prev|next)">[^<]*<\/a>/g)).toEqual(ways)
    })
  })

  it('lists all operations in the reference before its script is there', async () => {
    const document = (await (await fetch(`${market.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { summary: string }>>
    }
    const main = pages.get('/docs/api')?.split('<main')[1] ?? ''
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const method of Object.keys(operations)) {
        expect(main).toContain(`<code>${method.toUpperCase()} ${path}</code>`)
      }
    }
  })

  it('calls each guide what its title says', () => {
    for (const { name, title } of GUIDES) {
      expect(pages.get(`/docs/${name}`), name).toContain(`<h1>${title}</h1>`)
    }
  })

  it('begins with a way for each kind of reader', () => {
    for (const reader of ['I build apps', 'I buy or sell', 'I operate a marketplace']) {
      expect(pages.get('/docs')).toContain(`<h2>${reader}</h2>`)
    }
  })

  it('shows each diagram with words for it, from this server', async () => {
    const diagrams = [...pages].flatMap(([path, page]) =>
      [...page.matchAll(/<img src="([^"]*)" alt="([^"]*)">/g)].map(([, src, alt]) => ({
        path,
        src,
        alt,
      })),
    )
    expect(diagrams.map(({ path }) => path).sort()).toEqual([
      '/docs/code-mode',
      '/docs/receive-events',
      '/docs/scaling',
    ])
    for (const { src = '', alt = '' } of diagrams) {
      expect(alt.length, src).toBeGreaterThan(100)
      const { status, headers, text } = await call(market, 'GET', src)
      expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(text).toContain('prefers-color-scheme: dark')
      expect(text).not.toMatch(/<script|href=|\son\w+=/)
    }
  })

  it('holds no script of its own, inline style, event handler or foreign resource', () => {
    for (const document of pages.values()) {
      expect(document).not.toMatch(/<(style|iframe|object|base)\b/i)
      const scripts = document.match(/<script\b[^>]*>[^<]*/gi) ?? []
      for (const script of scripts)
        expect(script).toMatch(/^<script src="\/assets\/[^"]*"[^>]*>\s*$/)
      for (const [tag] of document.matchAll(/<[a-z][^>]*>/g)) {
        expect(tag.replaceAll(/="[^"]*"/g, '=')).not.toMatch(/\s(style|on\w+)=/i)
      }
      for (const address of attributes(document, 'src')) expect(address).toMatch(/^\/assets\//)
    }
  })

  it('has no link that leads nowhere, and no id twice on a page', async () => {
    const statuses = new Map<string, number>()
    for (const [path, document] of pages) {
      const ids = idsOf(document)
      expect(ids, path).toEqual([...new Set(ids)])
      for (const link of linksOf(document)) {
        const [target = '', anchor] = link.replaceAll('&amp;', '&').split('#')
        const page = target === '' ? document : pages.get(target)
        if (page === undefined) {
          expect(target, path).toMatch(/^\/(?!\/)/)
          const known = statuses.get(target) ?? (await call(market, 'GET', target)).status
          statuses.set(target, known)
          // The console asks who is there.
          expect(known, `${path} -> ${target}`).toBe(target === '/Developer' ? 303 : 200)
        } else if (anchor !== undefined && target !== '/docs/api') {
          expect(idsOf(page), `${path} -> ${link}`).toContain(decodeURIComponent(anchor))
        }
      }
    }
  })

  it('is answered with a strict policy, and may be kept by caches', async () => {
    const { headers } = await call(market, 'GET', '/docs')
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('cache-control')).toBe('public, max-age=300')
    expect(headers.get('content-security-policy')).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; ",
    )
    const again = await call(market, 'GET', '/docs', {
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    })
    expect(again).toMatchObject({ status: 304, text: '' })
  })

  it('does not mind the case of a path, nor a trailing slash', async () => {
    expect((await call(market, 'GET', '/Docs/Errors/')).status).toBe(200)
    expect(await call(market, 'GET', '/docs/nothing')).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
  })
})

describe('the reference', () => {
  it('runs scripts of this server alone, and may call this server alone', async () => {
    const { headers } = await call(market, 'GET', '/docs/api')
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; font-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
    )
  })

  it.each(['br', 'gzip'])('gets its script compressed with %s, kept for ever', async (coding) => {
    const page = pages.get('/docs/api') ?? ''
    const [address = ''] = /\/assets\/scalar\.js\?v=[0-9a-f]+/.exec(page) ?? []
    const { status, headers, text } = await call(market, 'GET', address, {
      headers: { 'accept-encoding': coding },
    })
    expect(status).toBe(200)
    expect(headers.get('content-encoding')).toBe(coding)
    expect(headers.get('content-type')).toMatch(/javascript/)
    expect(headers.get('cache-control')).toContain('immutable')
    expect(text.length).toBeGreaterThan(1_000_000)
  })
})

describe('the errors', () => {
  it.each(Object.keys(ERROR_CODES))('explain %s', (code) => {
    expect(idsOf(pages.get('/docs/errors') ?? '')).toContain(code)
  })

  it('are where problem documents say they are', async () => {
    const { body } = await call(market, 'GET', '/v1/Products')
    const [page, anchor = ''] = body.type.slice(market.url.length).split('#')
    expect(idsOf(pages.get(page) ?? '')).toContain(anchor)
  })
})

describe('the guide to publishing an app', () => {
  const schema = z.toJSONSchema(AppDefinition, { io: 'input' }) as FieldSchema

  it.each(Object.entries(schema.properties ?? {}))('explains the field %s', (name, field) => {
    const guide = pages.get('/docs/apps') ?? ''
    expect(idsOf(guide)).toContain(`field-${name}`)
    expect(field.description, 'has a meaning').toBeTruthy()
  })

  it('names every permission and every kind of change', () => {
    const guide = pages.get('/docs/apps') ?? ''
    const kinds = Object.keys(CHANGE_KINDS).filter((kind) => kind !== 'version_changed')
    const names = [...PERMISSIONS.map(({ id }) => id), ...kinds]
    for (const name of names) expect(guide).toContain(`<code>${name}</code>`)
  })

  it('says how lengths are counted', () => {
    const name = '🦊'.repeat(LIMITS.appNameMaxLength)
    expect(AppDefinition.safeParse({ ...exampleApp, name }).success).toBe(true)
    expect(pages.get('/docs/apps')).toContain('Lengths count Unicode code points')
  })

  it('shows a definition that is accepted', () => {
    expect(AppDefinition.safeParse(exampleApp).success).toBe(true)
  })
})

it('keeps an asset for ever under the address of its version, and under no other', async () => {
  const text = await (await fetch(`${market.url}/docs`)).text()
  const [address = ''] = /\/assets\/docs\.css\?v=[0-9a-f]+/.exec(text) ?? []
  const cachingOf = async (path: string) =>
    (await fetch(market.url + path)).headers.get('cache-control')
  expect(await cachingOf(address)).toContain('immutable')
  for (const other of ['/assets/style.css', '/assets/style.css?v=0', '/assets/style.css?v=0&v=1']) {
    expect(await cachingOf(other)).toBe('public, max-age=0')
  }
})

it('answers the script of the API reference whole, to many at once and in any coding', async () => {
  const file = await readFile(new URL('../../../../src/web/assets/scalar.js', import.meta.url))
  const codings = ['identity', 'gzip', 'br', 'identity', 'identity']
  for (const round of [1, 2]) {
    const answers = await Promise.all(
      codings.map(async (coding) => {
        const headers = { 'accept-encoding': coding }
        return (await fetch(`${market.url}/assets/scalar.js`, { headers })).bytes()
      }),
    )
    for (const bytes of answers) expect(file.equals(bytes), `round ${round}`).toBe(true)
  }
})
