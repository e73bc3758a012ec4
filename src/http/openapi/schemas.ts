import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { type Document, type JsonSchema, operationsOf, type Response } from './document.ts'
import { withExtensions } from './schema-extensions.ts'

const PREFIX = '#/components/schemas/'
/** What the type provider adds to the name of a schema where it is sent. */
const SENT = 'Input'

/** Formats that say all that zod's pattern for them says. */
const FORMATS = new Set(['uuid', 'date', 'date-time', 'email', 'uri'])

/**
 * Leaves out of a schema what tells a client nothing. A schema of a request that takes more than
 * clients should send refers to the one that describes it: `.meta({ documentedAs: Other })`.
 */
export function conciseSchema({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  const { documentedAs } = jsonSchema
  if (documentedAs instanceof z.ZodType) {
    for (const key of Object.keys(jsonSchema)) delete jsonSchema[key]
    jsonSchema.$ref = PREFIX + documentedAs.meta()?.id + SENT
    return
  }
  // The name of a parameter, which `parameters.ts` reads from the schema itself.
  delete jsonSchema.parameter
  // The names of members of JSON objects are strings anyway.
  if (isDeepStrictEqual(jsonSchema.propertyNames, { type: 'string' }))
    delete jsonSchema.propertyNames
  // Generators that know OpenAPI 3.0 best leave out a `const`, and then cannot tell unions apart.
  if ('const' in jsonSchema) {
    jsonSchema.enum = [jsonSchema.const]
    delete jsonSchema.const
  }
  if (FORMATS.has(jsonSchema.format ?? '')) delete jsonSchema.pattern
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

/**
 * Opens the objects of answers, so that clients expect members of later releases, and gives each
 * schema one name: the type provider names it apart where it is sent and where it is answered.
 */
export function tidySchemas(document: Document): Document {
  const { schemas = {} } = document.components ?? {}
  for (const [name, schema] of Object.entries(schemas)) if (!name.endsWith(SENT)) open(schema)
  for (const [, , { responses = {} }] of operationsOf(document)) {
    for (const { content = {} } of Object.values(responses) as Response[]) {
      for (const { schema } of Object.values(content)) if (schema !== undefined) open(schema)
    }
  }
  const { parameters, responses: shared } = document.components ?? {}
  const used = reachable([document.paths, document.webhooks, parameters, shared], schemas)
  const names = new Map<string, string>()
  for (const name of used) {
    const plain = name.slice(0, -SENT.length)
    if (!name.endsWith(SENT) || !Object.hasOwn(schemas, plain)) continue
    if (!used.has(plain) || isAlike(schemas[name], schemas[plain])) names.set(name, plain)
  }
  const renamed = (name: string) => names.get(name) ?? name
  const kept = [...used].map((name) => [renamed(name), schemas[name]] as const)
  const sorted = kept.sort(([a], [b]) => (a < b ? -1 : 1))
  return mapRefs(
    {
      ...document,
      components: {
        ...document.components,
        schemas: withExtensions(Object.fromEntries(sorted) as Record<string, JsonSchema>),
      },
    },
    renamed,
  ) as Document
}

/** Lets an object of an answer have more members than it is said to have. */
function open(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  const schema = value as JsonSchema
  if (schema.additionalProperties === false) delete schema.additionalProperties
  for (const child of Object.values(schema)) open(child)
}

/** Whether a schema is the same where it is sent and where it is answered. */
function isAlike(sent: unknown, answered: unknown): boolean {
  const plain = (name: string) => (name.endsWith(SENT) ? name.slice(0, -SENT.length) : name)
  return isDeepStrictEqual(mapRefs(sent, plain), mapRefs(answered, plain))
}

/** The names of the schemas that a value leads to. */
function reachable(root: unknown, schemas: Record<string, JsonSchema>): Set<string> {
  const found = new Set<string>()
  const walk = (value: unknown) => {
    mapRefs(value, (name) => {
      if (!found.has(name)) {
        found.add(name)
        walk(schemas[name])
      }
      return name
    })
  }
  walk(root)
  return found
}

/** A copy of a value in which references to schemas have other names. */
function mapRefs(value: unknown, renamed: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => mapRefs(one, renamed))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, one]) => {
    const isRef = key === '$ref' && typeof one === 'string' && one.startsWith(PREFIX)
    return [key, isRef ? PREFIX + renamed(one.slice(PREFIX.length)) : mapRefs(one, renamed)]
  })
  return Object.fromEntries(entries)
}
