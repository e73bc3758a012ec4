import { performance } from 'node:perf_hooks'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { render } from '../../../src/web/shared/page/html.ts'
import { publicMarkdown } from '../../../src/web/shared/page/public-markdown.ts'

const shown = (text: string) => render(publicMarkdown(text))
const countOf = (markup: string, part: RegExp) => [...markup.matchAll(part)].length

/** What a browser shows of markup, without white space. */
const wordsOf = (markup: string) =>
  markup
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s/g, '')

describe('Markdown of strangers', () => {
  it('leaves out no level of headings, with whichever the text begins', () => {
    const levels = (text: string) => [...shown(text).matchAll(/<(h\d)/g)].map(([, tag]) => tag)
    expect(levels('## A\n\n#### B\n\n### C\n\n# D')).toEqual(['h3', 'h4', 'h4', 'h3'])
    expect(levels('# A\n\n### B\n\n## C\n\n### D')).toEqual(['h3', 'h4', 'h4', 'h5'])
  })

  it('has headings from h3', () => {
    const text = [1, 2, 3, 4, 5, 6].map((level) => `${'#'.repeat(level)} H${level}`).join('\n\n')
    const tags = [...shown(text).matchAll(/<(h\d) dir="auto">H\d<\/\1>/g)].map(([, tag]) => tag)
    expect(tags).toEqual(['h3', 'h4', 'h5', 'h6', 'h6', 'h6'])
  })

  it('has paragraphs, lists, emphasis, code and quotes', () => {
    const markup = shown('A *b* **c** `d`\n\n- e\n- f\n\n1. g\n\n> h\n\n```sh\ni <j>\n```')
    expect(markup).toContain('<p dir="auto">A <em>b</em> <strong>c</strong> <code>d</code></p>')
    expect(markup).toContain('<ul>\n<li>e</li>\n<li>f</li>\n</ul>')
    expect(markup).toContain('<ol>\n<li>g</li>\n</ol>')
    expect(markup).toContain('<blockquote>\n<p dir="auto">h</p>\n</blockquote>')
    expect(markup).toContain('<pre><code>i &lt;j&gt;\n</code></pre>')
  })

  it('shows HTML as text', () => {
    const markup = shown('<script>alert(1)</script>\n\na <img src=x onerror=alert(1)> <!-- c -->')
    expect(markup).not.toMatch(/<(script|img|!--)/)
    expect(markup).toContain('&lt;!-- c --&gt;')
  })

  it('shows no images', () => {
    expect(shown('![a](https://evil.example/x.png)')).not.toContain('<img')
  })

  it('links to web and mail addresses only, and tells search engines and the page there', () => {
    const rel = 'rel="nofollow ugc noopener"'
    expect(shown('[a](https://a.example/?b=1&c "title")')).toContain(
      `<a href="https://a.example/?b=1&amp;c" ${rel}>a</a>`,
    )
    expect(shown('<mailto:a@b.example>')).toContain(`<a href="mailto:a@b.example" ${rel}>`)
    for (const url of [
      'javascript:alert(1)',
      'data:text/html,x',
      '/Operator',
      '//evil.example',
      '#a',
    ]) {
      expect(shown(`[a](${url}) <${url}>`), url).not.toContain('<a')
    }
  })

  it('makes no link of an address that is not marked as one', () => {
    expect(shown('see https://a.example and www.b.example')).not.toContain('<a')
  })

  it('shows definitions of links, which other renderers hide', () => {
    expect(shown('[a]: https://a.example "hidden words"\n\n[a]')).toContain('hidden words')
  })

  it('has at most 50 links, and the words of all', () => {
    const text = Array.from({ length: 500 }, (_, n) => `[word${n}](https://a.example/${n})`).join(
      ' ',
    )
    const markup = shown(text)
    expect(countOf(markup, /<a /g)).toBe(50)
    expect(countOf(markup, /<\/a>/g)).toBe(50)
    expect(countOf(markup, /word\d+/g)).toBe(500)
  })

  it.each([
    ['quotes', `${'>'.repeat(1000)} inner`],
    ['lists', Array.from({ length: 1000 }, (_, n) => `${'  '.repeat(n)}- item${n}`).join('\n')],
    ['lists in one line', `${'- '.repeat(1000)}inner`],
    ['emphasis', `${'*a **b '.repeat(500)}inner${' c** d*'.repeat(500)}`],
    ['stars', `${'*'.repeat(1000)}inner${'*'.repeat(1000)}`],
  ])('shows what is nested a thousand deep as it was typed: %s', (_, text) => {
    const markup = shown(text)
    expect(countOf(markup, /<(?!\/)(?!p |div )/g)).toBe(0)
    expect(wordsOf(markup)).toBe(text.replaceAll(/\s/g, ''))
  })

  it('nests as deep as people write', () => {
    const text = Array.from({ length: 7 }, (_, n) => `${'  '.repeat(n)}- item${n}`).join('\n')
    expect(countOf(shown(text), /<ul>/g)).toBe(7)
  })

  it('shows a text that is very long as it was typed', () => {
    const text = `# Title\n\n${'words '.repeat(30_000)}`
    expect(shown(text)).toContain('# Title')
  })

  it.each([
    ['words without a space', 'x'.repeat(100_000)],
    ['brackets', '['.repeat(100_000)],
    ['pairs of brackets', '[]('.repeat(40_000)],
    ['brackets in brackets', `${'[a'.repeat(30_000)}${']'.repeat(30_000)}`],
    ['unended links', '[a](https://a.example/'.repeat(5000)],
    ['addresses in brackets', '<https://a.example/'.repeat(5000)],
    ['stars', '*a_ '.repeat(30_000)],
    ['runs of stars', '**a*'.repeat(30_000)],
    ['code', '`a``b```'.repeat(15_000)],
    ['runs of code', Array.from({ length: 450 }, (_, n) => '`'.repeat(n + 1)).join(' ')],
    ['quotes', '>'.repeat(100_000)],
    ['lines of quotes', '> > > > > > > > a\n'.repeat(6000)],
    ['lists', '- - - - - - - - a\n'.repeat(6000)],
    ['entities', '&#x26;&amp;&'.repeat(10_000)],
    ['empty lines in lists', `- a\n${'\n'.repeat(100_000)}b`],
    ['backslashes', '\\'.repeat(120_000)],
    ['exclamation marks', '!['.repeat(60_000)],
    ['lines', 'a\n'.repeat(60_000)],
    ['indented lines', `- a\n${'     b\n'.repeat(15_000)}`],
  ])('is done with a hostile text in no time: %s', (_, text) => {
    const start = performance.now()
    shown(text)
    // Ten times what it takes on a slow machine; what is quadratic takes minutes.
    expect(performance.now() - start).toBeLessThan(3000)
  })

  it('opens no element but its own, whatever is written', () => {
    const parts = [
      '<',
      '>',
      '"',
      "'",
      '&',
      '[',
      ']',
      '(',
      ')',
      '`',
      '*',
      '_',
      '#',
      '- ',
      '\n',
      '> ',
    ]
    const piece = fc.constantFrom(...parts, 'a', '!', ':', '/', 'https://a', 'javascript:', '\0')
    const own =
      /^<\/?(div|p|h[3-6]|ul|ol|li|em|strong|code|pre|blockquote|hr|br|a)( (class="public-text"|class="prose"|dir="auto"|start="\d+"|href="[^"<>]*"|rel="nofollow ugc noopener"))* ?\/?>$/
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        for (const [tag] of shown(pieces.join('')).matchAll(/<[^>]*>?/g)) expect(tag).toMatch(own)
      }),
    )
  })
})
