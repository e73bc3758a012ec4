import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type PartPlace,
  partAt,
  partsOf,
  placeName,
  placeNamed,
  putPart,
  removePart,
} from '../../../src/web/developer/definition/definition-parts.ts'
import {
  fieldText,
  PART_FIELDS,
  type Part,
  writtenPart,
} from '../../../src/web/developer/definition/part-fields.ts'

const definitionOf = (name: string): Part =>
  JSON.parse(readFileSync(new URL(`../../../demo/apps/${name}.json`, import.meta.url), 'utf8'))

/** What a form of a part says that nobody has touched. */
function untouched(place: PartPlace, part: Part) {
  const texts = new Map(PART_FIELDS[place.kind].map((one) => [one.name, fieldText(one, part)]))
  return writtenPart(place.kind, part, (name) => texts.get(name) ?? '')
}

const allOf = (definition: Part) => {
  const { options, settings, acknowledgements } = partsOf(definition)
  return [...options, ...settings.flatMap((one) => one.settings), ...acknowledgements]
}

describe('the form of a part', () => {
  test.each(['price-sync', 'catalog-sync', 'stock-watch'])(
    'that was not changed leaves %s as it is',
    (name) => {
      const definition = definitionOf(name)
      const parts = allOf(definition)
      expect(parts.length).toBeGreaterThan(0)
      for (const { place } of parts) {
        const part = partAt(definition, place) as Part
        expect(untouched(place, part)).toEqual(part)
        const key = place.kind === 'setting' ? (place.key ?? '') : ''
        expect(putPart(definition, place, untouched(place, part), key)).toBeUndefined()
      }
      expect(definition).toEqual(definitionOf(name))
    },
  )

  test('gives back every choice of a select', () => {
    const name = fc.string({ minLength: 1 }).filter((text) => text === text.trim())
    const value = fc.oneof(fc.integer(), fc.string({ unit: 'binary', minLength: 1 }))
    const line = (text: string) => !/[\n\r]/.test(text)
    fc.assert(
      fc.property(
        fc.array(fc.record({ name: name.filter(line), value }), { minLength: 1 }),
        (options) => {
          const place = { kind: 'setting', optionId: 'o', key: 'k' } as const
          const part = { type: 'select', name: 'Region', options }
          expect(untouched(place, part)).toEqual(part)
        },
      ),
    )
  })

  test.each([
    ['setting', { type: 'text', name: 'A', description: 'First line.\nSecond line.' }],
    ['setting', { type: 'number', name: 'A', step: 1e-7, max: 1e15, mandatory: false }],
    ['setting', { type: 'select', name: 'A', options: [{ name: 'Tiny', value: 1e-7 }] }],
    ['setting', { type: 'text', name: ' A ', scope: 'user', placeholder: '' }],
    ['acknowledgement', { id: 'a', title: 'A', text: 'I accept.\n' }],
    ['option', { id: 'o', name: 'O', description: 'Text.\n\n', pricingModel: 'FlatMonthly' }],
  ] as const)('that was not changed keeps of a %s %j', (kind, part) => {
    const place = kind === 'setting' ? { kind, optionId: 'o', key: 'k' } : { kind, index: 0 }
    expect(untouched(place, part)).toEqual(part)
  })

  test('shows numbers in full, and takes them so', () => {
    const step = PART_FIELDS.setting.find(({ name }) => name === 'step')
    expect(step && fieldText(step, { step: 1e-7 })).toBe('0.0000001')
    const typed: Record<string, string> = {
      type: 'number',
      min: '0.0000002',
      max: '1000000000000000',
    }
    const written = writtenPart('setting', { step: 1e-7 }, (name) => typed[name] ?? '')
    expect(written).toEqual({ type: 'number', min: 2e-7, max: 1e15 })
  })

  test('leaves out what does not belong to the chosen kind', () => {
    const typed: Record<string, string> = {
      ...{ id: 'a', name: 'A', pricingModel: 'FlatMonthly', currency: 'USD', monthlyRate: '9.5' },
      ...{ bucketSize: '10', ratePerBucket: '1', baseFee: '2', order: '' },
    }
    expect(writtenPart('option', {}, (name) => typed[name] ?? '')).toEqual({
      ...{ id: 'a', name: 'A', pricingModel: 'FlatMonthly', currency: 'USD', monthlyRate: 9.5 },
    })
  })

  test('keeps text that is no number for the check to refuse, and unknown members', () => {
    const typed: Record<string, string> = { id: 'a', title: 'A', order: '1e400' }
    const written = writtenPart('acknowledgement', { other: 1 }, (name) => typed[name] ?? '')
    expect(written).toEqual({ id: 'a', title: 'A', order: '1e400', other: 1 })
  })
})

describe('a part that is put into a definition', () => {
  test('of an option with another id takes its settings along', () => {
    const definition = definitionOf('price-sync')
    const { premium } = definition.settings as Record<string, Part>
    const place = { kind: 'option', index: 2 } as const
    putPart(definition, place, { ...partAt(definition, place), id: 'gold' }, '')
    expect(definition.settings).toMatchObject({ gold: premium })
    expect(definition.settings).not.toHaveProperty('premium')
  })

  test.each(['', '__proto__', '1st', 'a b', 'x'.repeat(65)])('has no key %j', (key) => {
    const definition = definitionOf('price-sync')
    const place = { kind: 'setting', optionId: 'free', key: undefined } as const
    expect(putPart(definition, place, { type: 'text' }, key)).toMatch(/^The key of a setting/)
    expect(definition).toEqual(definitionOf('price-sync'))
  })

  test('takes the place of the setting that had another key', () => {
    const definition: Part = { settings: { o: { a: { type: 'text' }, b: { type: 'text' } } } }
    const place = { kind: 'setting', optionId: 'o', key: 'a' } as const
    expect(putPart(definition, place, { type: 'number' }, 'c')).toBeUndefined()
    const { o } = definition.settings as { o: Part }
    expect(Object.entries(o)).toEqual([
      ['c', { type: 'number' }],
      ['b', { type: 'text' }],
    ])
  })

  test('refuses a key that is in use', () => {
    const definition = definitionOf('price-sync')
    const place = { kind: 'setting', optionId: 'premium', key: 'erpUser' } as const
    expect(putPart(definition, place, { type: 'text' }, 'margin')).toMatch(/already/)
  })

  test.each([{}, { purchaseOptions: 5, settings: [], acknowledgements: null }, { settings: 'x' }])(
    'makes the lists that %j lacks',
    (definition: Part) => {
      expect(allOf(definition)).toEqual([])
      putPart(definition, { kind: 'option', index: undefined }, { id: '__proto__' }, '')
      const setting = { kind: 'setting', optionId: '__proto__', key: undefined } as const
      putPart(definition, setting, { type: 'text', name: 'N' }, 'k')
      expect(({} as Record<string, unknown>).k).toBeUndefined()
      expect(allOf(definition)).toHaveLength(2)
    },
  )
})

test('a removed option takes its settings along; a removed setting takes nothing else', () => {
  const definition = definitionOf('price-sync')
  removePart(definition, { kind: 'setting', optionId: 'premium', key: 'margin' })
  removePart(definition, { kind: 'option', index: 0 })
  expect(definition.purchaseOptions).toHaveLength(2)
  expect(Object.keys(definition.settings as Part)).toEqual(['premium'])
  expect(
    partAt(definition, { kind: 'setting', optionId: 'premium', key: 'margin' }),
  ).toBeUndefined()
  expect(definition.settings).toHaveProperty(['premium', 'erpUser'])
})

test('the settings of an option stay while another option has its id', () => {
  const settings = { twin: { k: { type: 'text', name: 'K' } } }
  const definition: Part = { purchaseOptions: [{ id: 'twin' }, { id: 'twin' }], settings }
  removePart(definition, { kind: 'option', index: 1 })
  expect(definition.settings).toEqual({ twin: { k: { type: 'text', name: 'K' } } })
})

test('an option whose id was cleared leaves its settings where they are', () => {
  const definition: Part = { purchaseOptions: [{ id: 'one' }], settings: { one: {} } }
  putPart(definition, { kind: 'option', index: 0 }, { name: 'One' }, '')
  expect(definition.settings).toEqual({ one: {} })
})

test('the settings of an option stay before those of the next when one is added', () => {
  const definition: Part = { settings: { one: {}, two: {} } }
  const place = { kind: 'setting', optionId: 'one', key: undefined } as const
  putPart(definition, place, { type: 'text' }, 'k')
  expect(Object.entries(definition.settings as Part)).toEqual([
    ['one', { k: { type: 'text' } }],
    ['two', {}],
  ])
})

test('an option that takes the id of another loses the settings of neither', () => {
  const settings = { one: { k: { type: 'text' } }, two: { l: { type: 'number' } } }
  const definition: Part = { purchaseOptions: [{ id: 'one' }, { id: 'two' }], settings }
  putPart(definition, { kind: 'option', index: 0 }, { id: 'two' }, '')
  expect(definition.settings).toEqual({
    one: { k: { type: 'text' } },
    two: { l: { type: 'number' } },
  })
})

test('a place with an id is found only while that part stands there', () => {
  const definition: Part = { purchaseOptions: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] }
  const place = partsOf(definition).options[1]?.place as PartPlace
  expect(partAt(definition, place)).toEqual({ id: 'b' })
  removePart(definition, { kind: 'option', index: 0 })
  expect(partAt(definition, place)).toBeUndefined()
})

test('of more than two hundred parts, the settings of one option are listed', () => {
  const ids = Array.from({ length: 20 }, (_, index) => `option-${index}`)
  const profile = Object.fromEntries(ids.map((id) => [`k-${id}`, { type: 'text', name: id }]))
  const definition = {
    purchaseOptions: ids.map((id) => ({ id })),
    settings: Object.fromEntries(ids.map((id) => [id, profile])),
  }
  expect(allOf(definition)).toHaveLength(20)
  const { settings, others } = partsOf(definition, 'option-7')
  expect(others).toBe(0)
  for (const one of settings) {
    const isShown = one.optionId === 'option-7'
    expect([one.settings.length, one.onDemand]).toEqual(isShown ? [20, 0] : [0, 20])
  }
})

test('the name of a place leads back to it, and no other text leads to a place', () => {
  const places: PartPlace[] = [
    { kind: 'option', index: 3 },
    { kind: 'option', index: 3, id: 'a/b~c' },
    { kind: 'option', index: 3, id: 'a~1b' },
    { kind: 'option', index: undefined },
    { kind: 'acknowledgement', index: 0 },
    { kind: 'setting', optionId: 'a/b~c', key: 'k.x' },
    { kind: 'setting', optionId: 'a', key: undefined },
  ]
  for (const place of places) expect(placeNamed(placeName(place))).toEqual(place)
  for (const name of [
    '',
    '/',
    '/id',
    '/purchaseOptions',
    '/purchaseOptions/x',
    '/settings/a/b/c',
  ]) {
    expect(placeNamed(name), name).toBeUndefined()
  }
})
