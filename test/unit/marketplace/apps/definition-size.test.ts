import { describe, expect, test } from 'vitest'
import {
  describeIssue,
  fieldErrors,
  isMalformed,
} from '../../../../src/base/values/field-errors.ts'
import {
  checkDefinitionInTicks,
  parseAppDefinition,
  parseDefinitionInTicks,
} from '../../../../src/marketplace/apps/check-definition.ts'
import { AppDefinition } from '../../../../src/marketplace/apps/definition.ts'
import { demoApp } from '../../../setup/apps-arbitraries.ts'

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

/** A definition with as many settings as there may be. */
function withSettings(setting: (number: number) => unknown) {
  const { purchaseOptions, ...app } = demoApp('stock-watch')
  const [option] = purchaseOptions as object[]
  const ids = Array.from({ length: 20 }, (_, index) => `o${index}`)
  const profileOf = (place: number) =>
    Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`s${index}`, setting(place * 100 + index)]),
    )
  return {
    ...app,
    purchaseOptions: ids.map((id) => ({ ...option, id })),
    settings: Object.fromEntries(ids.map((id, place) => [id, profileOf(place)])),
  }
}

describe('the check of many settings', () => {
  test('gives other requests turns and takes every setting over', async () => {
    let turns = 0
    let isDone = false
    const count = () => {
      turns += 1
      if (!isDone) setImmediate(count)
    }
    const choices = list(50).map((_, index) => ({ name: `c${index}`, value: index }))
    const definition = withSettings((number) =>
      number % 20 === 0
        ? { type: 'select', name: 'S', options: choices }
        : { type: 'text', name: `T${number}` },
    )
    setImmediate(count)
    const result = await parseDefinitionInTicks(definition)
    isDone = true
    expect(turns).toBeGreaterThanOrEqual(5)
    expect(result.ok && result.definition).toEqual(AppDefinition.parse(definition))
  })

  test('ends with the problems that an answer names', () => {
    const untouched = {
      get type(): string {
        throw new Error('was looked at')
      },
    }
    const wrong = { type: 'number', name: '', min: '', x: 1 }
    const definition = withSettings((number) => (number < 100 ? wrong : untouched))
    return expect(parseDefinitionInTicks({ id: 'No', ...definition })).resolves.toMatchObject({
      ok: false,
      errors: expect.arrayContaining([{ pointer: '', detail: 'and more problems' }]),
    })
  })

  test('finds a malformed setting behind more broken rules than an answer names', async () => {
    const broken = withSettings(() => ({ type: 'text', name: '' }))
    const isRefusedAsMalformed = async (definition: unknown) => {
      const result = await checkDefinitionInTicks(definition)
      return result.success ? undefined : result.error.issues.some(isMalformed)
    }
    expect(await isRefusedAsMalformed(broken)).toBe(false)
    Object.assign(broken.settings.o19 as object, { s99: { type: 'text' } })
    expect(await isRefusedAsMalformed(broken)).toBe(true)
  })

  test.each<[string, (number: number) => unknown]>([
    ['few', (number) => ({ type: 'text', name: number % 60 === 0 ? '' : 'T' })],
    ['many', (number) => ({ type: 'number', name: number, min: '', step: -1, extra: 1 })],
    ['a repeated choice', () => ({ type: 'select', name: 'S', options: list(2, { name: 'a' }) })],
  ])('tells of %s as the schema does', (_, setting) => {
    const definition = {
      ...withSettings(setting),
      ...{ id: 'No', acknowledgements: [1], authReturnUrl: 'x', unknown: 1 },
    }
    Object.assign(definition.settings, { o3: 5, o4: { 'a b': { type: 'text', name: 'A' } } })
    const { error } = AppDefinition.safeParse(definition, { error: describeIssue })
    const result = parseAppDefinition(definition)
    const told = fieldErrors(error?.issues ?? [])
    expect(result.ok ? [] : result.errors.slice(0, 99)).toEqual(told.slice(0, 99))
  })
})
