import { expect, test } from 'vitest'
import { keptAssets } from '../../../src/web/requests/asset-routes.ts'

const SHEETS = ['docs', 'reference']

test('the width of a screen hides a few elements that `test/setup/accessible.ts` counts on', () => {
  const onScreen = SHEETS.flatMap(hidingRules).filter((rule) => !rule.startsWith('@media print'))
  expect(onScreen).toEqual([
    '[hidden] { display: none }',
    '.type-choice:has([value="all"]:checked) .type-list { display: none }',
    '@media (max-width: 40rem) .editor-bar .hint { display: none }',
    '.field:has([value="password"]:checked) ~ [data-when]:not([data-when~="password"], :has([aria-invalid])) { display: none }',
    '@media (max-width: 48rem) .search-link:has(~ .user-menu) { display: none }',
    '@media (max-width: 40rem) .switch-for { display: none }',
    '@media (max-width: 52rem) .listing thead:not(:has(.sort)), .listing thead th:not(:has(.sort)), .listing td.hidden, .listing td:empty { display: none }',
    '.menu > summary::-webkit-details-marker { display: none }',
    '@media (min-width: 62rem) .docs-nav summary { display: none }',
    '#reference:not(:empty) + .without-script { display: none }',
  ])
})

/** The rules of a style sheet that hide something, each after the media query that it is for. */
function hidingRules(name: string): string[] {
  let media = ''
  let selector = ''
  return sheet(name)
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('@media')) media = `${line.replace(/ \{$/, '')} `
      else if (line === '}' && selector === '') media = ''
      else if (line.includes('{')) selector = line.split('{', 1)[0]?.trim() ?? ''
      const hiding = /(?:display: *none|visibility: *(?:hidden|collapse))/.exec(line)
      const rule = `${media}${selector} { ${hiding?.[0]} }`
      if (line.includes('}')) selector = ''
      return hiding ? [rule] : []
    })
}

function sheet(name: string): string {
  return String(keptAssets().byName.get(`${name}.css`)?.content())
}
