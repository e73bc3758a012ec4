import { describe, expect, it } from 'vitest'
import { type FieldSchema, withoutReferences } from '../../../../src/web/docs/field-list.ts'
import { guidePage } from '../../../../src/web/docs/guide-page.ts'
import { forThisServer } from '../../../../src/web/docs/guides.ts'
import { headingsOf, markdown } from '../../../../src/web/docs/markdown.ts'
import { documentationLinks } from '../../../../src/web/docs/openapi-document-service.ts'
import { render } from '../../../../src/web/shared/page/html.ts'

const linkOf = documentationLinks({
  paths: { '/v1/Things/{id}': { get: { tags: ['Some things'] } }, '/v1/Other': { put: {} } },
})
const shown = (text: string) => render(markdown(text, linkOf))

describe('Markdown of the documentation', () => {
  it('links operations to their place in the reference, whatever their parameters are called', () => {
    const link = 'href="/docs/api#tag/some-things/GET/v1/Things/%7Bid%7D"'
    expect(shown('`GET /v1/Things/{thingId}?limit=1`')).toContain(link)
    expect(shown('`PUT /v1/Other`')).toContain('href="/docs/api#tag/default/PUT/v1/Other"')
  })

  it('links error codes to the catalogue, and nothing else', () => {
    expect(shown('`not_found`')).toContain('href="/docs/errors#not_found"')
    expect(shown('`nothing`')).toBe('<p><code>nothing</code></p>\n')
  })

  it('shows HTML as text, and links to web addresses and paths only', () => {
    const hostile = shown('<img src=x onerror=alert(1)> `"><script>` [a](javascript:alert(1))')
    expect(hostile).not.toMatch(/<(img|script)|href/)
    expect(shown('```sh\n</code><script>\n```')).not.toContain('<script')
    expect(shown('## "><script>x')).not.toContain('<script')
  })

  it('gives headings the anchors that GitHub gives them', () => {
    const text = '# Title\n\n## Change `SECRET_KEY`, twice\n\n### Below'
    expect(headingsOf(text)).toMatchObject([{ id: 'change-secret_key-twice' }])
    expect(shown(text)).toContain('<h2 id="change-secret_key-twice">')
  })

  it('names each box that scrolls differently', () => {
    const boxes = shown('```\na\n```\n\n```\nb\n```\n\n| a |\n|---|\n| b |')
    const names = [...boxes.matchAll(/aria-label="([^"]+)"/g)].map(([, name]) => name)
    expect(names).toEqual(['Code 1', 'Code 2', 'Table 3'])
  })
})

describe('a guide', () => {
  const context = { baseUrl: 'https://market.example', linkOf, assetVersion: '1' }
  const page = (text: string, name = 'x') => {
    const shown = forThisServer(name, `# Title\n\nLead.\n\n${text}`, context.baseUrl)
    return guidePage(`/docs/${name}`, shown, context)
  }

  it('calls this server in its examples', () => {
    expect(page('`curl http://127.0.0.1:3000/v1`')).toContain('curl https://market.example/v1')
  })

  it('links to other guides, and names files of the repository without a link', () => {
    expect(page('[Keys](deploy.md#keys)')).toContain('<a href="/docs/deploy#keys">Keys</a>')
    expect(page('See [the apps](../demo/apps).')).toContain('See the apps.')
    expect(page('[One](adr/001-one.md)')).toContain('<a href="/docs/adr/001-one">One</a>')
    expect(page('[Words](../words.md#a)', 'adr/001-one')).toContain('<a href="/docs/words#a">')
    expect(page('See [the rest](../../README.md).', 'adr/001-one')).toContain('See the rest.')
  })
})

describe('the schema of a definition', () => {
  it('is shown with its references resolved', () => {
    const option: FieldSchema = { type: 'object', properties: { id: { type: 'string' } } }
    const schema: FieldSchema = {
      type: 'object',
      properties: { options: { type: 'array', items: { $ref: '#/$defs/Option' } } },
      $defs: { Option: option },
    }
    expect(withoutReferences(schema)).toEqual({
      type: 'object',
      properties: { options: { type: 'array', items: option } },
    })
  })
})
