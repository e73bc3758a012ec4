import { describe, expect, it } from 'vitest'
import {
  choiceText,
  profileOf,
  SettingDefinition,
  SettingsConfiguration,
  settingsInOrder,
} from '../../../../src/marketplace/apps/settings/definitions.ts'

const VALUES: Record<string, unknown> = {
  name: 'A setting',
  description: 'What it is for.',
  placeholder: 'jane',
  options: [
    { name: 'Europe', value: 'eu' },
    { name: 'Zone 5', value: 5 },
  ],
  min: 0,
  max: 1,
  step: 0.05,
  mandatory: true,
  order: 1,
  scope: 'admin',
}

/** The table of the spec, "Setting definition attributes, by type", plus `scope`. */
const ATTRIBUTES: Record<string, string[]> = {
  text: ['name', 'description', 'placeholder', 'mandatory', 'order', 'scope'],
  select: ['name', 'options', 'mandatory', 'order', 'scope'],
  number: ['name', 'min', 'max', 'step', 'mandatory', 'order', 'scope'],
  boolean: ['name', 'mandatory', 'order', 'scope'],
  password: ['name', 'description', 'mandatory', 'order', 'scope'],
}

function full(type: string): Record<string, unknown> {
  const attributes = ATTRIBUTES[type] ?? []
  return { type, ...Object.fromEntries(attributes.map((name) => [name, VALUES[name]])) }
}

/** Paths of the problems of one definition. */
function problems(input: unknown): string[] {
  const issues = SettingDefinition.safeParse(input).error?.issues ?? []
  return issues.map(({ path }) => path.join('/'))
}

describe.each(Object.keys(ATTRIBUTES))('a %s setting', (type) => {
  it('has exactly its attributes', () => {
    expect(SettingDefinition.parse(full(type))).toEqual(full(type))
    for (const name of Object.keys(VALUES)) {
      if (ATTRIBUTES[type]?.includes(name)) continue
      const result = SettingDefinition.safeParse({ ...full(type), [name]: VALUES[name] })
      expect(result.error?.issues).toEqual([
        expect.objectContaining({ code: 'unrecognized_keys', keys: [name], path: [] }),
      ])
    }
  })

  it('needs a name', () => {
    expect(problems({ ...full(type), name: undefined })).toEqual(['name'])
    expect(problems({ ...full(type), name: '' })).not.toEqual([])
  })

  it('is optional, unordered and set by the user unless it says otherwise', () => {
    const { mandatory, order, scope, ...rest } = full(type)
    expect(SettingDefinition.parse(rest)).toMatchObject({
      mandatory: false,
      order: 0,
      scope: 'user',
    })
    expect([mandatory, order, scope]).toEqual([true, 1, 'admin'])
  })

  it('takes no other type for its attributes', () => {
    expect(
      problems({ ...full(type), mandatory: 'true', order: '1', scope: 'both' }).sort(),
    ).toEqual(['mandatory', 'order', 'scope'])
  })
})

describe('select options', () => {
  const select = (options: unknown) => problems({ type: 'select', name: 'S', options })

  it.each([
    ['none', [], ['options']],
    ['no array', { a: 1 }, ['options']],
    ['strings and numbers', VALUES.options, []],
    [
      'a repeated value',
      [
        { name: 'a', value: 1 },
        { name: 'b', value: 1 },
      ],
      ['options/1/value'],
    ],
    [
      '1 and "1"',
      [
        { name: 'a', value: 1 },
        { name: 'b', value: '1' },
      ],
      ['options/1/value'],
    ],
    [
      '1e-7 in two forms',
      [
        { name: 'a', value: 1e-7 },
        { name: 'b', value: '0.0000001' },
      ],
      ['options/1/value'],
    ],
    [
      'a repeated name',
      [
        { name: 'a', value: 1 },
        { name: 'a', value: 2 },
      ],
      ['options/1/name'],
    ],
    ['a boolean', [{ name: 'a', value: true }], ['options/0/value']],
    ['an empty value', [{ name: 'a', value: '' }], ['options/0/value']],
    ['infinity', [{ name: 'a', value: Number.POSITIVE_INFINITY }], ['options/0/value']],
    ['no value', [{ name: 'a' }], ['options/0/value']],
    ['no name', [{ value: 1 }], ['options/0/name']],
  ])('%s', (_, options, paths) => {
    expect(select(options)).toEqual(paths)
  })
})

describe('number bounds', () => {
  const number = (more: object) => problems({ type: 'number', name: 'N', ...more })

  it.each([
    [{}, []],
    [{ min: 0, max: 0 }, []],
    [{ min: 1, max: 0 }, ['max']],
    [{ step: 0 }, ['step']],
    [{ step: -1 }, ['step']],
    [{ step: 0.000000001 }, []],
    [{ step: 0.0000000001 }, ['step']],
    [{ min: Number.NEGATIVE_INFINITY }, ['min']],
    [{ min: Number.NaN }, ['min']],
    [{ max: 1e16 }, ['max']],
    [{ min: null }, ['min']],
    [{ min: '1' }, ['min']],
  ])('%j', (more, paths) => {
    expect(number(more)).toEqual(paths)
  })
})

describe('the settings configuration', () => {
  const boolean = { type: 'boolean', name: 'B' }

  it.each(['a', 'apiKey', 'a.b_c-d', 'A'.repeat(64)])('takes the key %s', (key) => {
    expect(SettingsConfiguration.safeParse({ free: { [key]: boolean } }).success).toBe(true)
  })

  it.each([
    '',
    '1a',
    '_a',
    'a b',
    'a/b',
    'ä',
    'A'.repeat(65),
    'constructor',
    'toString',
    'valueOf',
    'prototype',
  ])('refuses the key %j', (key) => {
    expect(SettingsConfiguration.safeParse({ free: { [key]: boolean } }).success).toBe(false)
  })

  it('finds a profile by the id of its own option only', () => {
    const settings = SettingsConfiguration.parse({ free: { a: boolean } })
    expect(Object.keys(profileOf(settings, 'free'))).toEqual(['a'])
    expect(profileOf(settings, 'basic')).toEqual({})
    expect(profileOf(settings, 'constructor')).toEqual({})
  })

  it('is displayed by order, those without one last, and else as it is written', () => {
    const settings = SettingsConfiguration.parse({
      free: {
        c: { ...boolean, order: 2 },
        b: { ...boolean, order: 10 },
        z: boolean,
        a: { ...boolean, order: 2 },
        y: boolean,
      },
    })
    const keys = settingsInOrder(profileOf(settings, 'free')).map(([key]) => key)
    expect(keys).toEqual(['c', 'a', 'b', 'z', 'y'])
  })

  it('tells select values apart by their plain text', () => {
    expect([choiceText(5), choiceText('5'), choiceText(1e-7)]).toEqual(['5', '5', '0.0000001'])
  })
})
