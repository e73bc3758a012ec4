import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { parseAppDefinition } from '../../src/marketplace/apps/check-definition.ts'
import type { AppDefinition } from '../../src/marketplace/apps/definition.ts'
import { PERMISSIONS } from '../../src/marketplace/apps/permissions.ts'
import { SettingDefinition } from '../../src/marketplace/apps/settings/definitions.ts'

/** A definition of the demo as JSON, fresh for each call so that a test may change it. */
export function demoApp(id: string): Record<string, unknown> {
  return JSON.parse(readFileSync(`demo/apps/${id}.json`, 'utf8'))
}

/** JSON pointer to new value; undefined removes what is there. */
export type Edits = Record<string, unknown>

/** Edits a JSON document in place and returns it. */
export function edited<T extends object>(document: T, edits: Edits): T {
  for (const [pointer, value] of Object.entries(edits)) {
    const path = pointer.slice(1).split('/')
    const last = path.pop() ?? ''
    const parent = path.reduce<object>((node, part) => Reflect.get(node, part), document)
    if (value !== undefined) Reflect.set(parent, last, value)
    else if (Array.isArray(parent)) parent.splice(Number(last), 1)
    else Reflect.deleteProperty(parent, last)
  }
  return document
}

/** Parses a definition that must be valid. */
export function validApp(input: unknown): AppDefinition {
  const result = parseAppDefinition(input)
  if (!result.ok) throw new Error(JSON.stringify(result.errors))
  return result.definition
}

const label = fc.constantFrom('Alpha', 'Beta', 'Gamma')
const order = fc.integer({ min: 1, max: 6 })
const shared = {
  name: label,
  mandatory: fc.boolean(),
  order,
  scope: fc.constantFrom('user', 'admin'),
}
const required: ('type' | 'name' | 'mandatory' | 'order' | 'scope')[] = [
  'type',
  'name',
  'mandatory',
  'order',
  'scope',
]

const selectOptions = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom('One', 'Two', 'Three', 'Four'),
    value: fc.constantFrom<string | number>('a', 'b', 5, '5', 0.1, '0.1'),
  }),
  {
    minLength: 1,
    maxLength: 4,
    comparator: (a, b) => a.name === b.name || String(a.value) === String(b.value),
  },
)

const setting = fc.oneof(
  fc.record(
    { type: fc.constant('text'), ...shared, description: label, placeholder: label },
    { requiredKeys: required },
  ),
  fc.record({ type: fc.constant('select'), ...shared, options: selectOptions }),
  fc.record(
    {
      type: fc.constant('number'),
      ...shared,
      min: fc.constantFrom(-1, 0, 0.1, 0.5),
      max: fc.constantFrom(1, 2.5, 10),
      step: fc.constantFrom(0.05, 0.1, 0.25, 0.5, 1),
    },
    { requiredKeys: required },
  ),
  fc.record({ type: fc.constant('boolean'), ...shared }),
  fc.record(
    { type: fc.constant('password'), ...shared, description: label },
    { requiredKeys: required },
  ),
)

/** Valid user settings of any type. */
export const userSettings: fc.Arbitrary<SettingDefinition> = setting.map((entry) =>
  SettingDefinition.parse({ ...entry, scope: 'user' }),
)

const optionId = fc.constantFrom('free', 'basic', 'premium')
const amount = fc.constantFrom(0, 5, 19.5, 20)
const optionBase = { id: optionId, name: label, currency: fc.constantFrom('USD', 'EUR'), order }

const purchaseOption = fc.oneof(
  fc.record({
    ...optionBase,
    pricingModel: fc.constantFrom('FlatMonthly', 'FlatAnnual'),
    monthlyRate: amount,
  }),
  fc.record({
    ...optionBase,
    pricingModel: fc.constant('TieredBuckets'),
    bucketSize: fc.constantFrom(1, 100, 1000),
    ratePerBucket: amount,
    baseFee: amount,
  }),
)

const byId = { selector: (entry: { id: string }) => entry.id }

/** Valid definitions of one app, close enough to each other that two of them often share parts. */
export const definitions: fc.Arbitrary<AppDefinition> = fc
  .record({
    id: fc.constant('price-sync'),
    name: label,
    description: label,
    partyTypes: fc.uniqueArray(fc.constantFrom('Buyer', 'Seller'), { minLength: 1 }),
    version: fc.constantFrom('1', '2'),
    permissions: fc.uniqueArray(
      fc.record({ id: fc.constantFrom(...PERMISSIONS.map(({ id }) => id)), purpose: label }),
      byId,
    ),
    purchaseOptions: fc.uniqueArray(purchaseOption, { minLength: 1, ...byId }),
    settings: fc.dictionary(
      optionId,
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), setting, { maxKeys: 3, noNullPrototype: true }),
      { maxKeys: 3, noNullPrototype: true },
    ),
    acknowledgements: fc.uniqueArray(
      fc.record({ id: fc.constantFrom('x', 'y'), title: label, text: label, order }),
      byId,
    ),
    authReturnUrl: fc.constantFrom(null, 'https://a.example/cb', 'https://b.example/cb'),
  })
  .map((app) => {
    const ids = new Set(app.purchaseOptions.map(({ id }) => id))
    const settings = Object.fromEntries(
      Object.entries(app.settings).filter(([id]) => ids.has(id as never)),
    )
    return validApp({ ...app, settings })
  })
