import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

type Schema = Record<string, unknown>

const { components }: { components: { schemas: Schema } } = JSON.parse(
  readFileSync(new URL('../../openapi/openapi.json', import.meta.url), 'utf8'),
)

/** Every object under a value, with the way to it. */
function objectsUnder(value: unknown, path = ''): [path: string, object: Schema][] {
  if (typeof value !== 'object' || value === null) return []
  const own: [string, Schema][] = Array.isArray(value) ? [] : [[path, value as Schema]]
  return [
    ...own,
    ...Object.entries(value).flatMap(([key, one]) => objectsUnder(one, `${path}/${key}`)),
  ]
}

describe('what generators make of the schemas compiles', () => {
  // In TypeScript an index signature holds for the named members, too, also for optional ones.
  test('a schema with members of its own gives no type to others', () => {
    const typed = objectsUnder(components.schemas).filter(
      ([, { properties, additionalProperties = {} }]) =>
        typeof properties === 'object' && Object.keys(additionalProperties as Schema).length > 0,
    )
    expect(typed.map(([path]) => path)).toEqual([])
  })

  // Kubb takes such a default for {}.
  test('an object that may be null is not null by default', () => {
    const isObject = (one: Schema) => '$ref' in one || one.type === 'object'
    const defaulted = objectsUnder(components.schemas).filter(
      ([, schema]) =>
        schema.default === null && [schema, ...((schema.anyOf ?? []) as Schema[])].some(isObject),
    )
    expect(defaulted.map(([path]) => path)).toEqual([])
  })
})
