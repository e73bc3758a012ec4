import { picturePath } from '../../marketplace/apps/media/picture.ts'
import { type Html, html } from '../shared/page/html.ts'
import type { PageParty } from '../shared/page/page-party.ts'

/** Number of `hue-*` classes in the style sheet. */
const HUES = 12

/** What a quarter of a face shows, drawn from its upper left corner on a square of 8 by 8. */
const SHAPES = [
  'h8a8 8 0 0 1-8 8z',
  'm8 0v8a8 8 0 0 1-8-8z',
  'm8 8h-8a8 8 0 0 1 8-8z',
  'm0 8v-8a8 8 0 0 1 8 8z',
  'm0 4a4 4 0 1 0 8 0a4 4 0 1 0-8 0z',
  'h8v8h-8z',
  'a8 8 0 0 1 8 8a8 8 0 0 1-8-8z',
  'm0 8l8-8v8z',
] as const
const CORNERS = ['M0 0', 'M8 0', 'M0 8', 'M8 8'] as const

/**
 * The face of an app: its icon, or a pattern in two tones, drawn from its id. Decoration, hidden from
 * screen readers.
 *
 * @param iconId of the picture
 */
export function appFace(appId: string, iconId?: string | null): Html {
  if (iconId) {
    const [once, twice] = [picturePath(iconId, 64), picturePath(iconId, 128)]
    return html`<img class="tile icon" src="${once}" srcset="${twice} 2x" alt="" width="64" height="64" loading="lazy">`
  }
  const sum = mixed(appId)
  const path = CORNERS.map((corner, index) => corner + SHAPES[(sum >>> (8 + 3 * index)) % 8])
  return html`<svg class="tile face ${hueOf(sum)}" viewBox="-5 -5 26 26" aria-hidden="true"><path d="${path.join('')}"/></svg>`
}

/** Types of accounts -> a shop, a factory, and a flask for a sandbox, on a square of 24 by 24. */
const GLYPHS = {
  Buyer: 'M3 10l2-6h14l2 6zM5 10v10h14V10M10 20v-6h4v6',
  Seller: 'M3 20V9l6 4V9l6 4V4h6v16zM8 17h1M14 17h1',
  None: 'M9 3h6M10 3v6L4.5 19q-.8 2 1.5 2h12q2.3 0 1.5-2L14 9V3M7.5 14.5h9',
} as const satisfies Record<PageParty['partyType'], string>

/** What stands for a developer. Decoration, hidden from screen readers. */
export const DEVELOPER_GLYPH = glyph('M8 6l-5 6 5 6M16 6l5 6-5 6')

/** What stands for an account: a glyph of its type. Decoration, hidden from screen readers. */
export function accountGlyph(type: PageParty['partyType']): Html {
  return glyph(GLYPHS[type])
}

function glyph(path: string): Html {
  return html`<svg class="tile glyph" viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`
}

/** What stands for a person: two initials in a circle. Decoration, hidden from screen readers. */
export function personAvatar(name: string): Html {
  const words = name.split(/\s+/).filter((word) => word !== '')
  const [first, last] = [words.at(0), words.length > 1 ? words.at(-1) : undefined]
  const initials = `${initial(first ?? '?')}${last === undefined ? '' : initial(last)}`
  return html`<span class="tile person ${hueOf(mixed(name))}" aria-hidden="true">${initials}</span>`
}

function hueOf(sum: number): string {
  return `hue-${sum % HUES}`
}

/** A hash of a text, all of whose bits depend on all its characters (FNV-1a, then the end of MurmurHash3). */
function mixed(text: string): number {
  let sum = 2_166_136_261
  for (const character of text) sum = Math.imul(sum ^ (character.codePointAt(0) ?? 0), 16_777_619)
  sum = Math.imul(sum ^ (sum >>> 16), 0x85eb_ca6b)
  sum = Math.imul(sum ^ (sum >>> 13), 0xc2b2_ae35)
  return (sum ^ (sum >>> 16)) >>> 0
}

function initial(word: string): string {
  const letters = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(word)
  const first = letters[Symbol.iterator]().next().value?.segment ?? '?'
  // A grapheme may be a long run of combining marks.
  return first.length > 16 ? '?' : first.toUpperCase()
}
