import { jsonPointer } from '../../src/errors.ts'
import type { JsonSchema } from './fuzz-values.ts'

/** A body that has not the declared shape, and the member that makes it so. */
export type Misshapen = { what: string; pointer: string; body: unknown }

type Schemas = Record<string, JsonSchema>
type Place = { path: PropertyKey[]; schema: JsonSchema; required: boolean }

/** One value of each JSON type. */
const VALUES: Readonly<Record<string, unknown>> = {
  string: 'x',
  number: 5,
  boolean: true,
  object: {},
  array: [],
  null: null,
}

/** Every declared member of a body, once left out and once with a value of each other type. */
export function misshapenBodies(schema: JsonSchema, schemas: Schemas): Misshapen[] {
  const walker = walkerOf(schemas)
  const body = walker.sample(schema)
  return walker.places(schema, body).flatMap(({ path, schema: own, required }) => {
    const pointer = jsonPointer(path)
    const types = walker.typesOf(own)
    const wrong = types === undefined ? [] : Object.keys(VALUES).filter((one) => !types.has(one))
    return [
      ...(required ? [{ what: 'missing', pointer, body: changed(body, path, undefined) }] : []),
      ...wrong.map((type) => ({ what: type, pointer, body: changed(body, path, VALUES[type]) })),
    ]
  })
}

/** Whether a body of this schema is an object whose members are all declared. */
export function isClosed(schema: JsonSchema, schemas: Schemas): boolean {
  return walkerOf(schemas).isClosed(schema)
}

function walkerOf(schemas: Schemas) {
  const resolve = (schema: JsonSchema): JsonSchema =>
    typeof schema.$ref === 'string'
      ? resolve(schemas[schema.$ref.split('/').at(-1) as string] as JsonSchema)
      : schema
  const variantsOf = (schema: JsonSchema): JsonSchema[] =>
    ((schema.anyOf ?? schema.oneOf ?? [schema]) as JsonSchema[]).map(resolve)
  const objectsOf = (schema: JsonSchema) => variantsOf(resolve(schema)).filter(isObject)
  /** Of a choice between objects one of each, so that all their members are walked. */
  const entriesOf = (schema: JsonSchema) => {
    const objects = objectsOf(schema)
    return objects.length > 1 ? objects : [resolve(schema)]
  }

  function sample(schema: JsonSchema): unknown {
    const [variant = {}] = variantsOf(resolve(schema))
    if (isObject(variant)) {
      const members = Object.entries(propertiesOf(variant)).map(([name, one]) => [
        name,
        sample(one),
      ])
      const values = isMap(variant) ? entriesOf(variant.additionalProperties as JsonSchema) : []
      const others = values.map((one, index) => [`k${index}`, sample(one)])
      return Object.fromEntries([...members, ...others])
    }
    if (variant.type === 'array') return entriesOf(variant.items as JsonSchema).map(sample)
    if ('const' in variant) return variant.const
    if (Array.isArray(variant.enum)) return variant.enum[0]
    return VALUES[variant.type === 'integer' ? 'number' : String(variant.type)]
  }

  function places(schema: JsonSchema, value: unknown, path: PropertyKey[] = []): Place[] {
    const [variant = {}] = variantsOf(resolve(schema))
    if (isObject(variant)) {
      const required = new Set((variant.required as string[] | undefined) ?? [])
      const members = Object.entries(propertiesOf(variant)).flatMap(([name, one]) => {
        const here = [...path, name]
        const inner = (value as Record<string, unknown>)[name]
        const place = { path: here, schema: one, required: required.has(name) }
        return [place, ...places(one, inner, here)]
      })
      return [
        ...members,
        ...(isMap(variant) ? entries(variant.additionalProperties, value, path) : []),
      ]
    }
    return variant.type === 'array' ? entries(variant.items, value, path) : []
  }

  function entries(schema: unknown, value: unknown, path: PropertyKey[]): Place[] {
    const declared = entriesOf(schema as JsonSchema)
    return Object.entries(value as object).flatMap(([key, one], index) => {
      const own = declared[index] as JsonSchema
      const here = [...path, key]
      return [{ path: here, schema: own, required: false }, ...places(own, one, here)]
    })
  }

  /** The JSON types that a schema takes, or undefined when it takes anything. */
  function typesOf(schema: JsonSchema): Set<string> | undefined {
    const types = variantsOf(resolve(schema)).flatMap((one) => {
      if ('const' in one) return [jsonType(one.const)]
      if (Array.isArray(one.enum)) return one.enum.map(jsonType)
      return [one.type ?? []].flat().map((type) => (type === 'integer' ? 'number' : String(type)))
    })
    return types.length === 0 ? undefined : new Set(types)
  }

  return {
    sample,
    places,
    typesOf,
    isClosed: (schema: JsonSchema) =>
      objectsOf(schema).some((one) => one.additionalProperties === false),
  }
}

const isObject = (schema: JsonSchema) => schema.type === 'object'
const propertiesOf = (schema: JsonSchema) => (schema.properties ?? {}) as Record<string, JsonSchema>
const isMap = ({ additionalProperties }: JsonSchema) =>
  typeof additionalProperties === 'object' && additionalProperties !== null

function jsonType(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** A copy with one member replaced, or left out when the value is undefined. */
function changed(root: unknown, path: readonly PropertyKey[], value: unknown): unknown {
  const copy = structuredClone(root)
  let parent = copy as Record<PropertyKey, unknown>
  for (const key of path.slice(0, -1)) parent = parent[key] as Record<PropertyKey, unknown>
  const last = path.at(-1) as PropertyKey
  if (value === undefined) delete parent[last]
  else parent[last] = value
  return copy
}
