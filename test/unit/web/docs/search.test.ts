import { describe, expect, it } from 'vitest'
import { ERROR_CODES } from '../../../../src/errors.ts'
import { searchIndex, searchSections } from '../../../../src/web/docs/search-index.ts'
import { excerptOf, folded, termsOf } from '../../../../src/web/docs/search-text.ts'

const GUIDE = `# Receive events

How it works.

## Read the log

A *café* opens at \`GET /v1/Events\`.

- the oldest
- the newest

| member | meaning |
|---|---|
| \`id\` | identifies it |

\`\`\`sh
curl -s unusual-command
\`\`\`

### Straße

Nothing.
`

const index = await searchIndex({
  guides: [{ path: '/docs/receive-events', title: 'Receive events', text: GUIDE }],
  appDefinition: {
    properties: {
      options: {
        description: 'How it is bought.',
        items: {
          oneOf: [
            { properties: { rate: { description: 'The `price`.' } } },
            { properties: { rate: { description: 'The fee.' } } },
          ],
        },
      },
    },
  },
})
const found = (query: string) =>
  searchSections(index, termsOf(query)).map(({ href, paragraph }) => [href, paragraph])

describe('a search of the documentation', () => {
  it.each([
    ['CAFE', '/docs/receive-events#read-the-log', 'A café opens at GET /v1/Events.'],
    ['cafe\u0301', '/docs/receive-events#read-the-log', 'A café opens at GET /v1/Events.'],
    ['/v1/events', '/docs/receive-events#read-the-log', 'A café opens at GET /v1/Events.'],
    ['identifies', '/docs/receive-events#read-the-log', 'id · identifies it'],
    ['unusual-command', '/docs/receive-events#read-the-log', 'curl -s unusual-command\n'],
    ['newest', '/docs/receive-events#read-the-log', 'the newest'],
    ['strasse', '/docs/receive-events#straße', 'Nothing.'],
    ['works', '/docs/receive-events', 'How it works.'],
    ['options.rate', '/docs/apps#field-options', 'The price.'],
    ['options fee', '/docs/apps#field-options', 'The fee.'],
  ])('finds %j in its section', (query, href, paragraph) => {
    expect(found(query)).toContainEqual([href, paragraph])
  })

  it.each(Object.keys(ERROR_CODES))('finds the error %s first', (code) => {
    expect(found(code)[0]?.[0]).toBe(`/docs/errors#${code}`)
  })

  it('wants all of the words, and finds nothing of none', () => {
    expect(found('café nonsense')).toEqual([])
    expect(found('')).toEqual([])
    expect(found('\u0301 \u200b')).toEqual([])
  })

  it('counts a heading more than a text', () => {
    expect(found('log')[0]?.[0]).toBe('/docs/receive-events#read-the-log')
  })
})

describe('the words of a search', () => {
  it('are compared without case, accents and forms of compatibility', () => {
    for (const text of ['Größe', 'GRÖSSE', 'gro\u0308ße']) expect(folded(text)).toBe('GROSSE')
    expect(folded('ﬁle')).toBe('FILE')
    expect(folded('İstanbul')).toBe(folded('ıSTANBUL'))
    expect(folded('ΣΊΣΥΦΟΣ')).toBe(folded('σίσυφος'))
  })

  it('count once, and only the first ten', () => {
    expect(termsOf(' token Token  TOKEN api ')).toEqual(['TOKEN', 'API'])
    expect(termsOf([...'abcdefghijklmno'].join(' '))).toHaveLength(10)
  })
})

describe('an excerpt', () => {
  const shown = (text: string, query: string) =>
    excerptOf(text, termsOf(query))
      .map(({ text: part, isFound }) => (isFound ? `[${part}]` : part))
      .join('')

  it('sets apart what was searched for, as it is written', () => {
    expect(shown('Der Größenwahn, die Größe', 'grosse')).toBe('Der [Größe]nwahn, die [Größe]')
    expect(shown('abcab bc', 'bc ab')).toBe('[ab]c[ab] [bc]')
    expect(shown('nothing here', 'x')).toBe('nothing here')
    expect(shown('<b>&', '<b>')).toBe('[<b>]&')
  })

  it('of a long text begins and ends between words, near the first word that was found', () => {
    const text = `${'lorem ipsum '.repeat(100)}needle ${'dolor sit '.repeat(100)}`
    const excerpt = shown(text, 'needle')
    expect(excerpt).toMatch(/^… (lorem |ipsum )+\[needle\] (dolor |sit )+…$/)
    expect(excerpt.length).toBeLessThan(240)
    expect(shown('x'.repeat(5000), 'xx').length).toBeLessThan(800)
  })
})
