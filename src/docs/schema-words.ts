import { type Html, html } from '../web/shared/html.ts'
import type { JsonSchema, Schemas } from './openapi-types.ts'
import { constantOf, shapeOf } from './schema-shape.ts'

/** Values of an enumeration that are shown without a click. */
const SHOWN_VALUES = 12

/** The type of a value in words; named schemas are links to their entry. */
export function typeWords(given: JsonSchema, schemas: Schemas): Html {
  const { schema, nullable, name } = shapeOf(given, schemas)
  const words = name === undefined ? bareType(schema, schemas) : schemaLink(name)
  return html`${words}${nullable && ' or null'}`
}

/** A link to the entry of a named schema. */
function schemaLink(name: string): Html {
  return html`<a href="/docs/schemas#${encodeURIComponent(name)}">${name}</a>`
}

function bareType(schema: JsonSchema, schemas: Schemas): Html {
  const alternatives = schema.oneOf ?? schema.anyOf
  if (alternatives !== undefined) {
    const words = [...new Map(alternatives.map((one) => [typeKey(one, schemas), one])).values()]
    return html`${words.map((one, index) => html`${index > 0 && ' or '}${typeWords(one, schemas)}`)}`
  }
  if (schema.items !== undefined) return html`array of ${typeWords(schema.items, schemas)}`
  if (isRecord(schema)) return html`map of ${typeWords(schema.additionalProperties, schemas)}`
  const types = [schema.type ?? typeOfValue(schema.const ?? schema.enum?.[0])].flat()
  return html`${types.join(' or ')}`
}

function typeKey(schema: JsonSchema, schemas: Schemas): string {
  const shape = shapeOf(schema, schemas)
  return shape.name ?? JSON.stringify([shape.schema.type, shape.schema.items, shape.nullable])
}

function typeOfValue(value: unknown): string {
  return value === undefined || value === null ? 'any' : typeof value
}

/** Whether an object's keys are free and its values alike. */
export function isRecord(
  schema: JsonSchema,
): schema is JsonSchema & { additionalProperties: JsonSchema } {
  return (
    typeof schema.additionalProperties === 'object' &&
    schema.properties === undefined &&
    Object.keys(schema.additionalProperties).length > 0
  )
}

/** What a value must keep to, one fact each; the type is not among them. */
export function constraints(schema: JsonSchema): Html[] {
  const constant = constantOf(schema)
  const facts: (Html | undefined)[] = [
    constant !== undefined
      ? html`always ${value(constant)}`
      : schema.enum && enumeration(schema.enum),
    // The pattern of a format is the format once more, unreadably.
    schema.format === undefined ? undefined : html`${FORMATS.get(schema.format) ?? schema.format}`,
    countFact(schema.minLength, schema.maxLength, 'character'),
    countFact(schema.minItems, schema.maxItems, schema.items ? 'entry' : 'item'),
    countFact(schema.minProperties, schema.maxProperties, 'key'),
    schema.uniqueItems ? html`no entry twice` : undefined,
    rangeFact(schema),
    schema.multipleOf === undefined || schema.multipleOf === 1
      ? undefined
      : html`multiple of ${value(schema.multipleOf)}`,
    schema.pattern === undefined || schema.format !== undefined
      ? undefined
      : html`matches ${html`<code>${schema.pattern}</code>`}`,
    schema.default === undefined || schema.default === null || isEmpty(schema.default)
      ? undefined
      : html`default ${value(schema.default)}`,
  ]
  return facts.filter((fact) => fact !== undefined)
}

const FORMATS: ReadonlyMap<string, string> = new Map([
  ['uuid', 'UUID'],
  ['date-time', 'ISO 8601 timestamp in UTC'],
  ['uri', 'URL'],
  ['email', 'e-mail address'],
  ['binary', 'raw bytes'],
])

function enumeration(values: readonly unknown[]): Html {
  if (values.length <= SHOWN_VALUES) return html`one of ${listed(values)}`
  return html`<details class="values"><summary>one of ${values.length} values</summary>${listed(values)}</details>`
}

function listed(values: readonly unknown[]): Html[] {
  return values.map((one, index) => html`${index > 0 && ', '}${value(one)}`)
}

function value(one: unknown): Html {
  return html`<code>${typeof one === 'string' ? one : JSON.stringify(one)}</code>`
}

function countFact(
  min: number | undefined,
  max: number | undefined,
  what: string,
): Html | undefined {
  const many = what === 'entry' ? 'entries' : `${what}s`
  if (min !== undefined && max !== undefined) {
    return min === max
      ? html`exactly ${count(min)} ${min === 1 ? what : many}`
      : html`${count(min)} to ${count(max)} ${many}`
  }
  if (max !== undefined) return html`at most ${count(max)} ${max === 1 ? what : many}`
  return min ? html`at least ${count(min)} ${min === 1 ? what : many}` : undefined
}

/** Bounds that only say what a safe integer is are left out. */
function rangeFact(schema: JsonSchema): Html | undefined {
  const min = finite(schema.minimum)
  const max = finite(schema.maximum)
  if (schema.exclusiveMinimum !== undefined && min === undefined) {
    return max === undefined
      ? html`more than ${count(schema.exclusiveMinimum)}`
      : html`more than ${count(schema.exclusiveMinimum)}, up to ${count(max)}`
  }
  if (min !== undefined && max !== undefined) return html`${count(min)} to ${count(max)}`
  if (min !== undefined) return html`at least ${count(min)}`
  return max === undefined ? undefined : html`at most ${count(max)}`
}

function finite(bound: number | undefined): number | undefined {
  return bound === undefined || Math.abs(bound) >= Number.MAX_SAFE_INTEGER ? undefined : bound
}

function count(number: number): string {
  return number.toLocaleString('en-US', { maximumFractionDigits: 9 })
}

function isEmpty(one: unknown): boolean {
  return one === '' || (typeof one === 'object' && one !== null && Object.keys(one).length === 0)
}
