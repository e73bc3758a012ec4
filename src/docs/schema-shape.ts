import { schemaName } from './api-model.ts'
import type { JsonSchema, Schemas } from './openapi-types.ts'

/** A schema with its reference followed and its null taken apart. */
export type Shape = {
  schema: JsonSchema
  nullable: boolean
  /** Name of the schema that was referred to. */
  name: string | undefined
}

/** Follows `$ref`, joins `allOf`, and separates `null` from what else a value may be. */
export function shapeOf(schema: JsonSchema, schemas: Schemas): Shape {
  const name = schemaName(schema.$ref)
  if (name !== undefined) {
    const { $ref, ...own } = schema
    const target = shapeOf(Object.hasOwn(schemas, name) ? (schemas[name] ?? {}) : {}, schemas)
    return { ...target, schema: { ...target.schema, ...own }, name }
  }
  if (schema.allOf !== undefined) {
    const { allOf, ...own } = schema
    const parts = [...allOf.map((part) => shapeOf(part, schemas).schema), own]
    return { schema: parts.reduce(joined, {}), nullable: false, name: undefined }
  }
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives?.some(isNull)) {
    const { anyOf, oneOf, ...own } = schema
    const others = alternatives.filter((alternative) => !isNull(alternative))
    const [only] = others
    if (only === undefined || others.length > 1) {
      return { schema: { ...own, anyOf: others }, nullable: true, name: undefined }
    }
    const shape = shapeOf(only, schemas)
    return { ...shape, schema: { ...shape.schema, ...own }, nullable: true }
  }
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type) => type !== 'null')
    const [only] = types
    const type = types.length === 1 && only !== undefined ? only : types
    return { schema: { ...schema, type }, nullable: schema.type.includes('null'), name: undefined }
  }
  return { schema, nullable: false, name: undefined }
}

function isNull(schema: JsonSchema): boolean {
  return schema.type === 'null'
}

function joined(one: JsonSchema, other: JsonSchema): JsonSchema {
  return {
    ...one,
    ...other,
    properties: { ...one.properties, ...other.properties },
    required: [...(one.required ?? []), ...(other.required ?? [])],
  }
}

/** Objects of several kinds, told apart by one property that is constant in each. */
export type Variants = {
  discriminator: string
  /** Properties that are the same in every kind. */
  common: JsonSchema
  kinds: {
    value: string
    description: string | undefined
    /** The properties of this kind alone. */
    own: JsonSchema
    whole: JsonSchema
  }[]
}

/** The kinds of a union of objects, or undefined when it is no such union. */
export function variantsOf(schema: JsonSchema, schemas: Schemas): Variants | undefined {
  const wholes = (schema.oneOf ?? schema.anyOf ?? []).map((kind) => shapeOf(kind, schemas).schema)
  const [first] = wholes
  if (first === undefined || wholes.length < 2) return undefined
  const discriminator = Object.keys(first.properties ?? {}).find((name) =>
    wholes.every((kind) => constantOf(kind.properties?.[name]) !== undefined),
  )
  if (discriminator === undefined) return undefined
  const isCommon = (name: string) =>
    name !== discriminator && wholes.every((kind) => same(kind, first, name))
  return {
    discriminator,
    common: only(first, isCommon),
    kinds: wholes.map((whole) => ({
      value: String(constantOf(whole.properties?.[discriminator])),
      description: whole.properties?.[discriminator]?.description ?? whole.description,
      own: only(whole, (name) => name !== discriminator && !isCommon(name)),
      whole,
    })),
  }
}

function same(one: JsonSchema, other: JsonSchema, name: string): boolean {
  return (
    JSON.stringify(one.properties?.[name]) === JSON.stringify(other.properties?.[name]) &&
    isRequired(one, name) === isRequired(other, name)
  )
}

function only(schema: JsonSchema, keep: (name: string) => boolean): JsonSchema {
  const { properties = {}, required = [] } = schema
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => keep(name))),
    required: required.filter(keep),
  }
}

/** The only value that is allowed, if there is only one. */
export function constantOf(schema: JsonSchema | undefined): unknown {
  return schema?.const ?? (schema?.enum?.length === 1 ? schema.enum[0] : undefined)
}

/** Whether an object must have the property. */
export function isRequired(schema: JsonSchema, name: string): boolean {
  return schema.required?.includes(name) ?? false
}
