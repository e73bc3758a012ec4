import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import exampleApp from '../../../demo/apps/price-sync.json' with { type: 'json' }
import { AppDefinition } from '../../../src/apps/definition.ts'
import { PERMISSIONS } from '../../../src/apps/permissions.ts'
import { CHANGE_KINDS } from '../../../src/apps/versions/breaking-changes.ts'
import type { JsonSchema, OpenApiDocument } from '../../../src/docs/openapi-types.ts'
import { renderDocs } from '../../../src/docs/site.ts'
import { ERROR_CODES } from '../../../src/errors.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { call } from '../../setup/client.ts'

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
    for (const path of ['/docs', '/docs/apps', '/docs/api', '/docs/schemas', '/docs/errors']) {
      expect([...pages.keys()]).toContain(path)
    }
  })

  it('holds no script, inline style, event handler or foreign resource', () => {
    for (const document of pages.values()) {
      expect(document).not.toMatch(/<(script|style|iframe|object|base)\b/i)
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
          expect(known, `${path} -> ${target}`).toBe(200)
        } else if (anchor !== undefined) {
          expect(idsOf(page), `${path} -> ${link}`).toContain(decodeURIComponent(anchor))
        }
      }
    }
  })

  it('is answered with a strict policy, and may be kept by caches', async () => {
    const { headers } = await call(market, 'GET', '/docs')
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('cache-control')).toBe('public, max-age=300')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'; style-src 'self'")
    const again = await call(market, 'GET', '/docs', {
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    })
    expect(again).toMatchObject({ status: 304, text: '' })
  })

  it('does not mind the case of a path, nor a trailing slash', async () => {
    expect((await call(market, 'GET', '/Docs/API/Tokens/')).status).toBe(200)
    expect(await call(market, 'GET', '/docs/api/nothing')).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
  })
})

describe('the reference', () => {
  it('has every operation of the OpenAPI document, once', async () => {
    const { body } = await call(market, 'GET', '/openapi.json')
    const document: OpenApiDocument = body
    const reference = [...pages].filter(([path]) => path.startsWith('/docs/api/'))
    for (const [path, operations] of Object.entries(document.paths ?? {})) {
      for (const [method, { operationId = '', summary = '' }] of Object.entries(operations)) {
        const named = reference.filter(([, page]) => idsOf(page).includes(operationId))
        expect(named, `${method} ${path}`).toHaveLength(1)
        const [address, page] = named[0] ?? ['', '']
        expect(page).toContain(`<code>${path}</code>`)
        expect(page).toContain(summary.replaceAll("'", '&#39;'))
        expect(pages.get('/docs')).toContain(`href="${address}#${operationId}"`)
      }
    }
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
  const schema = z.toJSONSchema(AppDefinition, { io: 'input' }) as JsonSchema

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

  it('shows a definition that is accepted', () => {
    expect(AppDefinition.safeParse(exampleApp).success).toBe(true)
  })
})

describe('texts of the OpenAPI document', () => {
  const HOSTILE = `"><img src=x onerror=alert(1)>'</title></script>[a](javascript:alert(1))`
  const named: JsonSchema = {
    type: 'object',
    description: HOSTILE,
    required: [HOSTILE],
    properties: {
      [HOSTILE]: { type: 'string', description: HOSTILE, pattern: HOSTILE, example: HOSTILE },
      choice: { type: 'string', enum: [HOSTILE], default: HOSTILE },
      map: {
        type: 'object',
        propertyNames: { pattern: HOSTILE },
        additionalProperties: { type: HOSTILE },
      },
      itself: { $ref: '#/components/schemas/Named' },
    },
  }
  const document: OpenApiDocument = {
    info: { title: HOSTILE, version: HOSTILE, description: HOSTILE },
    tags: [{ name: HOSTILE, description: HOSTILE }],
    components: {
      schemas: { Named: named },
      securitySchemes: { someToken: { description: HOSTILE } },
    },
    paths: {
      [`/${HOSTILE}/{id}`]: {
        post: {
          operationId: 'hostile',
          tags: [HOSTILE],
          summary: HOSTILE,
          description: `- ${HOSTILE}\n- ${HOSTILE}`,
          security: [{ someToken: [] }],
          parameters: [{ in: 'path', name: 'id', schema: { type: 'string', example: HOSTILE } }],
          requestBody: { content: { [HOSTILE]: { schema: named } } },
          responses: {
            200: {
              description: HOSTILE,
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Named' } } },
            },
            400: { description: HOSTILE },
          },
        },
      },
    },
  }

  it('are shown as text, wherever they stand', () => {
    const hostile = renderDocs({
      document,
      baseUrl: HOSTILE,
      appDefinition: { properties: { name: named } },
      exampleApp: { ...exampleApp, name: HOSTILE },
      assetVersion: undefined,
    })
    expect(hostile.size).toBeGreaterThan(5)
    for (const [path, page] of hostile) {
      expect(page, path).not.toContain('<img src=x')
      expect(page, path).not.toContain('"javascript:')
      expect(page.match(/<\/title>/g), path).toHaveLength(1)
      expect(page, path).not.toContain('</script>')
    }
  })
})

it('keeps an asset for ever under the address of its version, and under no other', async () => {
  const text = await (await fetch(`${market.url}/docs`)).text()
  const [address = ''] = /\/assets\/style\.css\?v=[0-9a-f]+/.exec(text) ?? []
  const cachingOf = async (path: string) =>
    (await fetch(market.url + path)).headers.get('cache-control')
  expect(await cachingOf(address)).toContain('immutable')
  for (const other of ['/assets/style.css', '/assets/style.css?v=0', '/assets/style.css?v=0&v=1']) {
    expect(await cachingOf(other)).toBe('public, max-age=0')
  }
})
