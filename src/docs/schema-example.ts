import type { JsonSchema, Schemas } from './openapi-types.ts'
import { shapeOf } from './schema-shape.ts'

/** Stands in for a string that nobody gave an example of. */
const SOME_TEXT = '…'

const BY_FORMAT: ReadonlyMap<string, string> = new Map([
  ['uuid', '0f8fad5b-d9cb-469f-a165-70867728950e'],
  ['date-time', '2026-11-21T09:30:00.000Z'],
  ['uri', 'https://price-sync.example'],
  ['email', 'kim@keyline.example'],
])

/** Properties that mean the same wherever they occur, for schemas that bring no example. */
const BY_NAME: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['token', 'eyJhbGciOiJFUzI1NiIsInR5cCI6…'],
  ['expiresIn', 3600],
  ['appId', 'price-sync'],
  ['appName', 'Price Sync'],
  ['partyId', 3],
  ['partyName', 'Keyline Electronics'],
  ['partyType', 'Seller'],
  ['purchaseOptionId', 'premium'],
  ['installedVersion', '1.4.0'],
  ['installationId', BY_FORMAT.get('uuid')],
  ['permissions', ['products:read', 'profile:read']],
  ['userSettings', { erpUser: 'jane', margin: 0.15 }],
  ['adminSettings', { routing: 'eu-1' }],
  ['email', BY_FORMAT.get('email')],
])

const MAX_DEPTH = 8

/**
 * An example of a value: the schema's own, or one put together from those of its parts.
 *
 * @param complete whether optional properties without an example are shown too
 */
export function exampleOf(schema: JsonSchema, schemas: Schemas, complete: boolean): unknown {
  return example(schema, schemas, complete, '', 0)
}

function example(
  given: JsonSchema,
  schemas: Schemas,
  complete: boolean,
  name: string,
  depth: number,
): unknown {
  const { schema } = shapeOf(given, schemas)
  if (schema.example !== undefined) return schema.example
  if (hasExample(schema)) return schema.examples?.[0]
  if (schema.const !== undefined) return schema.const
  const usual = BY_NAME.get(name)
  if (usual !== undefined && isOfType(usual, schema)) return usual
  if (schema.enum !== undefined) return schema.enum[0]
  if (depth > MAX_DEPTH) return null
  const alternative = (schema.oneOf ?? schema.anyOf)?.[0]
  if (alternative !== undefined) return example(alternative, schemas, complete, name, depth + 1)
  if (schema.properties !== undefined) {
    const shown = Object.entries(schema.properties).filter(
      ([key, part]) =>
        complete || schema.required?.includes(key) || hasExample(shapeOf(part, schemas).schema),
    )
    return Object.fromEntries(
      shown.map(([key, part]) => [key, example(part, schemas, complete, key, depth + 1)]),
    )
  }
  if (schema.items !== undefined) return [example(schema.items, schemas, complete, '', depth + 1)]
  return schema.default ?? exampleOfType(schema)
}

/** Whether a usual value can be one of this schema: the same name may mean something else. */
function isOfType(value: unknown, { type, items }: JsonSchema): boolean {
  if (Array.isArray(value)) return type === 'array' && items?.type === 'string'
  if (typeof value === 'number') return type === 'number' || type === 'integer'
  return type === typeof value
}

function hasExample(schema: JsonSchema): boolean {
  return schema.example !== undefined || (schema.examples?.length ?? 0) > 0
}

function exampleOfType(schema: JsonSchema): unknown {
  const [type] = [schema.type].flat()
  switch (type) {
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1)
    case 'boolean':
      return true
    case 'object':
      return {}
    case 'array':
      return []
    case 'null':
      return null
    default:
      return BY_FORMAT.get(schema.format ?? '') ?? SOME_TEXT
  }
}
