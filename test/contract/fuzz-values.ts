import fc from 'fast-check'

export type JsonSchema = { [key: string]: unknown }

/** Stands for a value that the running marketplace knows: an id, an email, a cursor. */
export class Ref {
  readonly pool: string
  readonly index: number
  constructor(pool: string, index: number) {
    this.pool = pool
    this.index = index
  }
}

/** JSON text, or an encoded part of an address, that goes out as it is. */
export class Raw {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export const refTo = (pool: string): fc.Arbitrary<unknown> =>
  fc.nat(10_000).map((index) => new Ref(pool, index))

const LONG = 'x'.repeat(10_240)

export const HOSTILE_TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfff',
  '\u202egnp.exe',
  '\u200f',
  '👩‍👩‍👧‍👦',
  'ﷺ'.repeat(50),
  'e\u0301'.repeat(100),
  'İıſK',
  LONG,
  "' OR '1'='1",
  "'; DROP TABLE users; --",
  '$1',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '../../../../etc/passwd',
  '..\\..\\windows',
  '%00',
  '%2e%2e%2f',
  '//evil.example',
  'javascript:alert(1)',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  '-0',
  '1e308',
  '0x10',
  '9007199254740993',
  '99999999999999999999999',
  'true',
  '[]',
  '{}',
  '\r\nset-cookie: x=y',
  '\u001b[31mred',
  '\u2028',
  '00000000-0000-0000-0000-000000000000',
  '2026-02-30T00:00:00Z',
  '2026-02-30',
  '0000-01-01',
  '9999-12-31',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '+275760-09-13T00:00:00Z',
  '{{7*7}}',
]

const HOSTILE_NUMBERS = [
  '-0',
  '0',
  '-1',
  '1e308',
  '-1e308',
  '1e400',
  '5e-324',
  '2147483647',
  '2147483648',
]
  .concat([
    '-2147483649',
    '9007199254740993',
    '1e21',
    '0.1',
    '1.0000000000000001',
    '999999999999.99',
  ])
  .map((text) => new Raw(text))

const DEEP = ['['.repeat(200) + ']'.repeat(200), `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`]
  .concat('['.repeat(20_000) + ']'.repeat(20_000))
  .map((text) => new Raw(text))

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
)

/** Any JSON, the worse the better. */
export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: hostileText },
  { weight: 4, arbitrary: fc.constantFrom(...HOSTILE_NUMBERS) },
  { weight: 3, arbitrary: fc.constantFrom(null, true, false, [], {}, [[]], [null], { a: {} }) },
  { weight: 1, arbitrary: fc.constantFrom(...DEEP) },
  { weight: 1, arbitrary: fc.constant(new Raw(`[${'0,'.repeat(5_000)}0]`)) },
  { weight: 1, arbitrary: fc.constant(new Raw('{"__proto__":{"admin":true},"a":1,"a":2}')) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
)

export const HOSTILE_KEYS = [
  '__proto__',
  'constructor',
  'toString',
  '',
  'a\0',
  '\ud800',
  'x'.repeat(300),
  'ID',
]

/** Keys of settings that apps of the marketplace have. */
const SETTING_KEYS = [
  'erpUser',
  'erpPassword',
  'margin',
  'dryRun',
  'region',
  'text',
  'choice',
].concat(['secret', 'amount', 'count', 'flag', 'note', 'adminText', 'adminNumber', 'adminMust'])

/**
 * Values that a schema of the document admits, most of them.
 *
 * @param poolOf the pool of known values that a property of this name is taken from, if any
 */
export function valuesOf(
  schema: JsonSchema,
  {
    schemas,
    poolOf,
  }: { schemas: Record<string, JsonSchema>; poolOf: (name: string) => string | undefined },
  name = '',
  depth = 0,
): fc.Arbitrary<unknown> {
  const context = { schemas, poolOf }
  if (typeof schema.$ref === 'string') {
    return valuesOf(schemas[schema.$ref.split('/').at(-1) as string] ?? {}, context, name, depth)
  }
  const choices: { weight: number; arbitrary: fc.Arbitrary<unknown> }[] = []
  const pool = poolOf(name)
  if (pool !== undefined) choices.push({ weight: 12, arbitrary: refTo(pool) })
  const examples = [schema.example, ...((schema.examples as unknown[] | undefined) ?? [])]
  for (const example of examples.filter((one) => one !== undefined)) {
    choices.push({ weight: 2, arbitrary: fc.constant(example) })
  }
  choices.push({ weight: 3, arbitrary: byType(schema, context, name, depth) })
  return fc.oneof(...choices)
}

type Context = Parameters<typeof valuesOf>[1]

function byType(
  schema: JsonSchema,
  context: Context,
  name: string,
  depth: number,
): fc.Arbitrary<unknown> {
  const variants = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  if (variants !== undefined) {
    return fc.oneof(...variants.map((one) => valuesOf(one, context, name, depth)))
  }
  if ('const' in schema) return fc.constant(schema.const)
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum)
  const [type] = [schema.type].flat()
  switch (type) {
    case 'string':
      return textsOf(schema)
    case 'integer':
    case 'number':
      return numbersOf(schema, type)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array': {
      const { items = {}, minItems = 0, maxItems = 5 } = schema as Record<string, never>
      const maxLength = Math.max(minItems, Math.min(maxItems, 5))
      return fc.array(valuesOf(items, context, singular(name), depth + 1), {
        minLength: minItems,
        maxLength,
      })
    }
    case 'object':
      return objectsOf(schema, context, depth)
    default:
      return fc.oneof(fc.constantFrom('eu', 5, true, 'jane', 0.5, 'true', null), hostileJson)
  }
}

const singular = (name: string) => name.replace(/s$/, '')

function objectsOf(schema: JsonSchema, context: Context, depth: number): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
  const required = (schema.required ?? []) as string[]
  if (properties.length === 0 && depth < 4) {
    const values = valuesOf(
      (schema.additionalProperties as JsonSchema) || {},
      context,
      '',
      depth + 1,
    )
    const keys = fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...SETTING_KEYS) },
      { weight: 2, arbitrary: fc.constantFrom('free', 'basic', 'premium', 'full') },
      { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_KEYS) },
    )
    return fc.array(fc.tuple(keys, values), { maxLength: 4 }).map(fromEntries)
  }
  const model = properties.map(
    ([key, one]) => [key, valuesOf(one, context, key, depth + 1)] as const,
  )
  return fc.record(Object.fromEntries(model), { requiredKeys: required })
}

/** Unlike an assignment this makes `__proto__` a property like any other. */
export const fromEntries = (entries: [string, unknown][]): unknown => Object.fromEntries(entries)

function textsOf({
  pattern,
  format,
  minLength = 0,
  maxLength = 60,
}: JsonSchema): fc.Arbitrary<unknown> {
  if (format === 'uuid') return fc.uuid()
  if (format === 'date-time') {
    const options = { min: new Date(0), max: new Date('2100-01-01T00:00:00Z'), noInvalidDate: true }
    return fc.date(options).map((date) => date.toISOString())
  }
  if (format === 'uri') return fc.webUrl()
  if (typeof pattern === 'string') {
    if (pattern.includes('@')) return fc.emailAddress()
    return fc.stringMatching(new RegExp(pattern)).map((text) => text.slice(0, maxLength as number))
  }
  const max = Math.min(Math.max(maxLength as number, minLength as number), 60)
  return fc.string({ unit: 'grapheme-ascii', minLength: minLength as number, maxLength: max })
}

function numbersOf(schema: JsonSchema, type: string): fc.Arbitrary<unknown> {
  const { minimum, maximum, exclusiveMinimum } = schema as Record<string, number | undefined>
  const min = minimum ?? (exclusiveMinimum === undefined ? -1000 : exclusiveMinimum + 1)
  const max = Math.max(min, Math.min(maximum ?? 1_000_000, min + 1_000_000))
  return type === 'integer'
    ? fc.integer({ min: Math.ceil(min), max: Math.floor(max) })
    : fc.oneof(
        fc.integer({ min: Math.ceil(min), max: Math.floor(max) }),
        fc.constantFrom(0.5, 19.5, 0.1),
      )
}

const record = (partNumber: string) => ({ brand: 'Acme', partNumber, inStock: 1 })

/** Bodies that the product endpoints take. */
export const PRODUCT_POOLS = {
  'product.bodies': ['a', 'b', 'c'].map(record),
  'product.batches': [['a', 'd'].map(record), [record('e')]],
  'product.patches': [{ inStock: 3 }, { upc: null, msrp: 1.5 }],
}

/** What an app was answered as, as it is to be sent. */
export function definitionOf(app: Record<string, unknown>): Record<string, unknown> {
  const derived =
    /^(developerName|termsDocument|icon|screenshots|tagline|listed|visibility|suspended|suspendedReason|webhooks|createdAt|updatedAt)$/
  const acknowledgements = (app.acknowledgements as object[]).map((one) => ({
    ...one,
    sha256: undefined,
  }))
  const own = Object.entries({ ...app, acknowledgements })
  return Object.fromEntries(own.filter(([key, value]) => value !== null && !derived.test(key)))
}
