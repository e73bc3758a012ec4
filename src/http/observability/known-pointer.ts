import { $ZodType, type $ZodTypes } from 'zod/v4/core'

/** In the place of a name that only the client knows. */
const UNDECLARED = '*'
const SEGMENTS_MAX = 10

/**
 * A JSON pointer into an input, for the log: names that the schemas declare and places in lists stay;
 * every other name is the client's own, may be anything, and becomes `*`.
 *
 * @param schemas of the body, of the query and of the answers; what is no zod schema declares nothing
 */
export function knownPointer(pointer: string, schemas: readonly unknown[]): string {
  let places = schemas.flatMap(branchesOf)
  let known = ''
  for (const segment of pointer.split('/').slice(1, 1 + SEGMENTS_MAX)) {
    const name = segment.replaceAll('~1', '/').replaceAll('~0', '~')
    const isDeclared = places.some((place) => declares(place, name))
    known += `/${isDeclared ? segment : UNDECLARED}`
    places = places.flatMap((place) => branchesOf(memberOf(place, name)))
  }
  return known
}

function declares({ _zod: { def } }: $ZodTypes, name: string): boolean {
  if (def.type === 'object') return Object.hasOwn(def.shape, name)
  return (def.type === 'array' || def.type === 'tuple') && /^\d{1,6}$/.test(name)
}

function memberOf({ _zod: { def } }: $ZodTypes, name: string): unknown {
  switch (def.type) {
    case 'object':
      return Object.hasOwn(def.shape, name) ? def.shape[name] : def.catchall
    case 'array':
      return def.element
    case 'tuple':
      return def.items[Number(name)] ?? def.rest
    case 'record':
      return def.valueType
    default:
      return undefined
  }
}

/** What an input may be: the schema without its wrappers, or each branch of a union. */
function branchesOf(schema: unknown): $ZodTypes[] {
  if (!(schema instanceof $ZodType)) return []
  const { def } = (schema as $ZodTypes)._zod
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return branchesOf(def.innerType)
    case 'pipe':
      // A codec declares its input, what prepares an input the schema behind it.
      return [def.in, def.out].flatMap(branchesOf)
    case 'lazy':
      return branchesOf(def.getter())
    case 'union':
      return def.options.flatMap(branchesOf)
    case 'intersection':
      return [def.left, def.right].flatMap(branchesOf)
    default:
      return [schema as $ZodTypes]
  }
}
