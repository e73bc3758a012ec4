import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { html, raw, render } from '../../../src/web/shared/page/html.ts'

/** Strings rich in what breaks out of markup, beside any other unit, lone surrogates included. */
const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc
    .array(
      fc.constantFrom(
        ...['<', '>', '"', "'", '&', '`', '=', '/', '\0', '\r', '\n', '\u2028', '\u2029', '\ud800'],
        ...[
          '<script>',
          '<!--',
          ']]>',
          '&lt;',
          '&#60',
          '" onfocus="',
          '${',
          'javascript:',
          '\ufeff',
        ],
      ),
    )
    .map((parts) => parts.join('')),
)

/** What a browser makes of the references that escaping writes. */
function parse(markup: string): string {
  const names: Record<string, string> = {
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    '#39': "'",
    '#13': '\r',
  }
  return markup.replace(/&(amp|lt|gt|quot|#39|#13);/g, (_, name: string) => names[name] ?? '')
}

describe('html', () => {
  it('lets no text add a tag, a quote, a NUL, a bare CR or an unescaped ampersand', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const markup = render(html`${text}`)
        expect(markup).not.toMatch(/[<>"'\r\0]/)
        expect(markup).not.toMatch(/&(?!(amp|lt|gt|quot|#39|#13);)/)
        expect(markup.isWellFormed()).toBe(true)
      }),
    )
  })

  it('shows text as it was typed, with U+FFFD for what HTML cannot carry', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const shown = parse(render(html`${text}`))
        expect(shown).toBe(text.toWellFormed().replaceAll('\0', '\ufffd'))
      }),
    )
  })

  it('escapes a long text as a short one', () => {
    const long = 'x'.repeat(10_000)
    fc.assert(
      fc.property(hostile, (text) => {
        expect(render(html`${long + text}`)).toBe(long + render(html`${text}`))
      }),
    )
  })

  it('keeps U+2028, U+2029, emoji and right-to-left text', () => {
    expect(render(html`<p>${'a\u2028b\u2029c 👩‍👩‍👧 مرحبا'}</p>`)).toBe(
      '<p>a\u2028b\u2029c 👩‍👩‍👧 مرحبا</p>',
    )
  })

  it('keeps an attribute one attribute', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const markup = render(html`<input value="${text}">`)
        expect(markup).toMatch(/^<input value="[^"<>]*">$/)
      }),
    )
  })

  it('escapes the members of arrays, and joins them with nothing', () => {
    expect(render(html`${['<', ['&', html`<br>`], 1]}`)).toBe('&lt;&amp;<br>1')
  })

  it('escapes nested Html once', () => {
    expect(render(html`<p>${html`<b>${'<'}</b>`}</p>`)).toBe('<p><b>&lt;</b></p>')
  })

  it('shows nothing for null, undefined and false, and shows 0 and the empty string', () => {
    expect(render(html`[${null}${undefined}${false}]`)).toBe('[]')
    expect(render(html`[${0}|${''}|${-1.5}|${10n}]`)).toBe('[0||-1.5|10]')
  })

  it('inserts raw() as it is', () => {
    expect(render(html`${raw('<hr>')}`)).toBe('<hr>')
  })

  it('does not take an object of a request for markup', () => {
    for (const forged of ['{"markup":"<b>"}', '{"html":"<b>"}', '{"Symbol(html)":"<b>"}', 'true']) {
      expect(() => html`${JSON.parse(forged)}`).toThrow(TypeError)
    }
    const inherited = Object.create(raw('<b>'))
    expect(() => html`${inherited}`).toThrow(TypeError)
  })
})
