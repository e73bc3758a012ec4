import { expect, test } from 'vitest'
import { accountGlyph, appFace, personAvatar } from '../../../src/web/kit/avatar.ts'
import { render } from '../../../src/web/shared/page/html.ts'

const ids = Array.from({ length: 300 }, (_, index) => `app-${index}`)
const hueOf = (id: string) => /hue-(\d+)/.exec(render(appFace(id)))?.[1]

test('an app has the same face everywhere, another app another one', () => {
  expect(render(appFace('price-sync'))).toBe(render(appFace('price-sync')))
  expect(new Set(ids.map((id) => render(appFace(id)))).size).toBeGreaterThan(290)
})

test('twelve hues are spread evenly, so that neighbours in a list seldom share one', () => {
  const hues = ids.map(hueOf)
  expect(new Set(hues).size).toBe(12)
  const same = hues.filter((hue, index) => index > 0 && hue === hues[index - 1])
  expect(same.length).toBeLessThan(ids.length / 6)
})

test('no face needs an inline style, which the policy of pages refuses', () => {
  const all = [appFace('a'), accountGlyph('Buyer'), accountGlyph('None'), personAvatar('A B')]
  for (const one of all) {
    expect(render(one)).not.toContain('style')
    expect(render(one)).toContain('aria-hidden="true"')
  }
})

test.each([
  ['Harper Homewell', 'HH'],
  ['anna maria von Berg', 'AB'],
  ['Cher', 'C'],
  ['  ', '?'],
  ['<b> &c', '&lt;&amp;'],
  ['👩‍🚀 Space', '👩‍🚀S'],
  [`a${'\u0301'.repeat(40)} b`, '?B'],
])('the initials of “%s” are %s', (name, initials) => {
  expect(render(personAvatar(name))).toContain(`aria-hidden="true">${initials}</span>`)
})
