import { expect, test } from 'vitest'
import { lookAlikeWarning } from '../../../../src/base/values/look-alikes.ts'

test.each([
  ['Pr\u0456ce Sync', 'mixes letters of Latin and Cyrillic'],
  ['A\u03bdocado', 'mixes letters of Latin and Greek'],
  ['\u0570ome', 'mixes letters of Latin and Armenian'],
  ['\u0441\u043e\u0440\u0435', 'looks like Latin letters, but is written in Cyrillic'],
  ['\u039f\u03a1\u0391', 'looks like Latin letters, but is written in Greek'],
  ['\u1d00cme', 'has the letter \u1d00, which looks like another one'],
])('%j: %s', (name, warning) => {
  expect(lookAlikeWarning(name)).toBe(warning)
})

test.each([
  'Price Sync',
  'Acmé №1 – 5 % 🚀',
  'Привет мир',
  '東京 Price シンク',
  '서울 Sync',
  'Ελλάδα',
  '',
])('%j passes', (name) => {
  expect(lookAlikeWarning(name)).toBeUndefined()
})
