import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { codeMarkup, languageLabel } from '../../../src/web/shared/page/code-colours.ts'
import { html, render } from '../../../src/web/shared/page/html.ts'

const DOCS = new URL('../../../docs/', import.meta.url)
const texts = await Promise.all(
  (await readdir(DOCS))
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFile(new URL(name, DOCS), 'utf8')),
)
const blocks = texts.flatMap((text) =>
  [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)].map(
    ([, language = '', code = '']) => [language, code] as const,
  ),
)

const shown = (language: string, code: string) => render(codeMarkup(language, code))
const withoutColours = (markup: string) => markup.replaceAll(/<span class="tok-\w+">|<\/span>/g, '')

describe('the colours of code', () => {
  it('leave every block of the guides as it is written', () => {
    expect(blocks.length).toBeGreaterThan(100)
    for (const [language, code] of blocks) {
      expect(withoutColours(shown(language, code))).toBe(render(html`${code}`))
    }
  })

  it('are there for every language of the guides', () => {
    for (const [language] of blocks) expect(languageLabel(language), language).not.toBe('Text')
  })

  it.each([
    ['sh', 'A="b" # why', ['key A', 'string "b"', 'comment  # why']],
    ['sh', 'echo $A#b', []],
    ['sh', `curl -d '{"a": 1}'`, ['key "a"', 'literal 1']],
    [
      'sh',
      "cat > x <<'PY'\nif x: # no\nPY\nB=1",
      ["string 'PY'", 'key if', 'comment # no', 'key B'],
    ],
    ['json', '{"a": [1, "b", null]}', ['key "a"', 'literal 1', 'string "b"', 'literal null']],
    ['js', "const a = 'b//c' // d", ['key const', "string 'b//c'", 'comment // d']],
    ['ts', 'let a: T = `x\ny`', ['key let', 'string `x\ny`']],
    [
      'python',
      'def f(a): # b\n    return None',
      ['key def', 'comment # b', 'key return', 'literal None'],
    ],
    ['yaml', 'a-b: "c" # d', ['key a-b', 'string "c"', 'comment  # d']],
    ['http', 'GET /a HTTP/1.1\nHost: b', ['literal GET', 'key Host']],
    ['ini', '[Unit]\nUser=a\n# b', ['literal [Unit]', 'key User', 'comment # b']],
    ['sql', "SELECT 'a' -- b", ['key SELECT', "string 'a'", 'comment -- b']],
    ['nothing', 'if "a"', []],
    ['', 'if "a"', []],
    ['constructor', 'if "a"', []],
  ])('of %s: %j', (language, code, expected) => {
    const kinds = [...shown(language, code).matchAll(/<span class="tok-(\w+)">([^<]*)<\/span>/g)]
    const plain = (text: string) => text.replaceAll('&quot;', '"').replaceAll('&#39;', "'")
    expect(kinds.map(([, kind, text = '']) => `${kind} ${plain(text)}`)).toEqual(expected)
  })

  it('let no markup through', () => {
    for (const language of ['sh', 'js', 'json', 'python', 'sql', 'nothing']) {
      expect(shown(language, '"</code><script>" <b>')).not.toMatch(/<(?!\/?span)/)
    }
  })
})
