import { isDeepStrictEqual } from 'node:util'
import type { JsonSchema } from './document.ts'

/** A shorter schema is not worth a reference. */
const MIN_BYTES = 300

type ObjectSchema = JsonSchema & {
  properties: Record<string, JsonSchema>
  required?: readonly string[]
}

/**
 * Lets a schema that has all members of another one refer to it: what `Webhook` says of an endpoint
 * is not said again in `WebhookWithSecret`. Closed objects are left as they are, for `allOf` would
 * refuse the members of the other part.
 */
export function withExtensions(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const objects = Object.entries(schemas).filter((entry): entry is [string, ObjectSchema] =>
    isOpenObject(entry[1]),
  )
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      if (!isOpenObject(schema)) return [name, schema]
      const [base] = objects
        .filter(([, one]) => isExtension(schema, one) && sizeOf(one) >= MIN_BYTES)
        .sort(([, one], [, other]) => sizeOf(other) - sizeOf(one))
      return [name, base === undefined ? schema : extension(schema, base)]
    }),
  )
}

function isOpenObject(schema: JsonSchema): schema is ObjectSchema {
  const { type, properties, additionalProperties } = schema
  return type === 'object' && properties !== undefined && additionalProperties === undefined
}

function isExtension(
  { properties, required = [] }: ObjectSchema,
  { properties: base, required: ofBase = [] }: ObjectSchema,
): boolean {
  return (
    Object.keys(properties).length > Object.keys(base).length &&
    Object.entries(base).every(([name, one]) => isDeepStrictEqual(properties[name], one)) &&
    ofBase.every((name) => required.includes(name))
  )
}

function extension(
  { type, properties, required = [], ...rest }: ObjectSchema,
  [baseName, { properties: base, required: ofBase = [] }]: [string, ObjectSchema],
): JsonSchema {
  const own = Object.entries(properties).filter(([name]) => !Object.hasOwn(base, name))
  const ownRequired = required.filter((name) => !ofBase.includes(name))
  return {
    ...rest,
    allOf: [
      { $ref: `#/components/schemas/${baseName}` },
      {
        type,
        properties: Object.fromEntries(own),
        ...(ownRequired.length > 0 && { required: ownRequired }),
      },
    ],
  }
}

const sizeOf = (schema: JsonSchema) => JSON.stringify(schema).length
