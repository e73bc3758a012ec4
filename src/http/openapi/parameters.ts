import { isDeepStrictEqual } from 'node:util'
import type { RouteOptions } from 'fastify'
import { z } from 'zod'
import type { Operation, Parameter, Ref } from './document.ts'

/** Request headers that operations take, by the name of their component. */
const REQUEST_HEADERS = {
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'The `ETag` of the record as you read it: 412 when it has changed since. Without it the ' +
      'change is made in any case.',
    schema: { type: 'string', examples: ['"3"'] },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description:
      'The `ETag` of the response that you have: 304 without a body while it is current. Its ' +
      '`Link` stays good; the 304 does not repeat it.',
    schema: { type: 'string', examples: ['"3"'] },
  },
} as const satisfies Record<string, Parameter>

/**
 * The parameters of operations. Those that have a name become components: a schema says it with
 * `.meta({ parameter: 'AppId' })`. The names are public types of generated clients, so no name
 * follows from the place of a parameter.
 */
export function createParameters() {
  const components: Record<string, Parameter> = Object.fromEntries(
    Object.entries(REQUEST_HEADERS).map(([name, one]) => [name, leftOutOfSamples(one)]),
  )
  const share = (parameter: Parameter, name: string | undefined): Parameter | Ref => {
    if (name === undefined) return parameter
    if (!isDeepStrictEqual(components[name] ?? parameter, parameter)) {
      throw new Error(`two parameters have the name ${name}`)
    }
    components[name] = parameter
    return refTo(name)
  }
  return {
    /** All parameters of an operation, those included that follow from its route. */
    of({ parameters = [] }: Operation, route: RouteOptions): (Parameter | Ref)[] {
      return [
        ...(parameters as Parameter[]).map((one) => {
          const schema = schemaOf(one, route)
          const meta = schema?.meta() ?? {}
          const name = typeof meta.parameter === 'string' ? meta.parameter : undefined
          return share(leftOutOfSamples(described(one, meta), listedValue(schema)), name)
        }),
        ...conditionsOf(route).map(refTo),
      ]
    },
    components: () => components,
  }
}

/**
 * Keeps an optional parameter out of the samples and the try-it form of the reference: Scalar
 * sends every example that is not `x-disabled`, and of a list of values the first.
 *
 * @param listed one of the values, where the schema is a reference to a list of them
 */
function leftOutOfSamples(parameter: Parameter, listed?: unknown): Parameter {
  const { example, schema = {}, required, ...rest } = parameter
  if (required) return parameter
  const { example: ofSchema, examples: [first] = [], ...type } = schema as Examples
  const value = example ?? ofSchema ?? first ?? listed ?? type.enum?.[0]
  if (value === undefined) return { ...rest, schema }
  return { ...rest, schema: type, examples: { default: { value, 'x-disabled': true } } }
}

/** The example of a list of values; without one its first value. */
function listedValue(schema: z.ZodType | undefined): unknown {
  if (schema instanceof z.ZodOptional) return listedValue(schema.unwrap() as z.ZodType)
  if (!(schema instanceof z.ZodEnum)) return undefined
  const { example, examples = [schema.options[0]] } = (schema.meta() ?? {}) as Examples
  return example ?? examples[0]
}

/** Where a schema shows what a value looks like. */
type Examples = { example?: unknown; examples?: unknown[]; enum?: unknown[] }

const refTo = (name: string): Ref => ({ $ref: `#/components/parameters/${name}` })

/** The schema that a route has for a parameter. */
function schemaOf({ name, in: place }: Parameter, { schema = {} }: RouteOptions) {
  const all = place === 'path' ? schema.params : schema.querystring
  return all instanceof z.ZodObject ? (all.shape[name] as z.ZodType | undefined) : undefined
}

/**
 * The swagger plugin drops the description that stands beside a reference, and zod the default of
 * what is transformed.
 */
function described(parameter: Parameter, meta: z.core.GlobalMeta): Parameter {
  const { description = meta.description, schema } = parameter
  return {
    ...parameter,
    ...(description !== undefined && { description }),
    ...('default' in meta && { schema: { ...schema, default: meta.default } }),
  }
}

/** What a request may be made conditional on. */
function conditionsOf({ schema = {} }: RouteOptions): (keyof typeof REQUEST_HEADERS)[] {
  const isGuarded = schema.problems?.includes('precondition_failed')
  const isCached = Object.hasOwn(schema.response ?? {}, '304')
  return [
    ...(isGuarded ? (['IfMatch'] as const) : []),
    ...(isCached ? (['IfNoneMatch'] as const) : []),
  ]
}
