import { describe, expect, test } from 'vitest'
import { AppDefinition } from '../../../src/apps/definition.ts'

const entries = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]))
const list = (length: number, value: unknown = 1) => Array.from({ length }, () => value)
/** The problems of a definition: their number is what its check costs. */
const problemsOf = (part: Record<string, unknown>) =>
  AppDefinition.safeParse({ id: 'my-app', name: 'My app', version: '1', ...part }).error?.issues ??
  []

describe('a definition with too many entries is refused before they are looked at:', () => {
  test.each<[string, Record<string, unknown>, string, string]>([
    ['purchase options', { purchaseOptions: list(50_000) }, '/purchaseOptions', '20 entries'],
    ['permissions', { permissions: list(50_000, 'x') }, '/permissions', 'entries'],
    ['acknowledgements', { acknowledgements: list(50_000) }, '/acknowledgements', '20 entries'],
    ['profiles', { settings: entries(50, entries(900, 1)) }, '/settings', '20 purchase options'],
    ['settings of a profile', { settings: { o: entries(900, 1) } }, '/settings/o', '100 settings'],
    [
      'choices of a setting',
      { settings: { o: { k: { type: 'select', name: 'K', options: list(4000) } } } },
      '/settings/o/k/options',
      '50 entries',
    ],
    [
      'choices in all',
      { settings: entries(20, entries(100, { type: 'select', name: 'K', options: list(50) })) },
      '/settings',
      '5000 choices',
    ],
  ])('%s', (_, part, pointer, words) => {
    const problems = problemsOf(part)
    expect(problems.length).toBeLessThan(10)
    const found = problems.find(({ path }) => `/${path.join('/')}` === pointer)
    expect(found?.message).toContain(words)
  })
})
