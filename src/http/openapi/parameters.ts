import type { RouteOptions } from 'fastify'
import { z } from 'zod'
import type { Operation, Parameter, Ref } from './document.ts'
import { isPaged } from './problem-codes.ts'

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

/** Query parameters of every list -> the name of their component. */
const OF_LISTS: Readonly<Record<string, string>> = { limit: 'Limit', cursor: 'Cursor' }

/** The parameters of operations; those that many share become components. */
export function createParameters() {
  const components: Record<string, Parameter> = Object.fromEntries(
    Object.entries(REQUEST_HEADERS).map(([name, one]) => [name, leftOutOfSamples(one)]),
  )
  const share = (parameter: Parameter, name: string | undefined): Parameter | Ref => {
    if (name === undefined) return parameter
    components[name] = parameter
    return refTo(name)
  }
  return {
    /** All parameters of an operation, those included that follow from its route. */
    of({ parameters = [] }: Operation, route: RouteOptions): (Parameter | Ref)[] {
      const shared = isPaged(route.schema ?? {}) ? OF_LISTS : {}
      return [
        ...(parameters as Parameter[]).map((one) =>
          share(leftOutOfSamples(described(one, route)), shared[one.name]),
        ),
        ...conditionsOf(route).map(refTo),
      ]
    },
    components: () => components,
  }
}

/**
 * Keeps an optional parameter out of the samples and the try-it form of the reference: Scalar
 * sends every example that is not `x-disabled`, and of a list of values the first.
 */
function leftOutOfSamples(parameter: Parameter): Parameter {
  const { example, schema = {}, required, ...rest } = parameter
  if (required) return parameter
  const { example: ofSchema, examples: [first] = [], ...type } = schema as Examples
  const value = example ?? ofSchema ?? first
  const isSent = value !== undefined || 'enum' in type || '$ref' in type
  if (!isSent) return { ...rest, schema }
  const shown = { ...(value !== undefined && { value }), 'x-disabled': true }
  return { ...rest, schema: type, examples: { default: shown } }
}

/** Where a schema shows what a value looks like. */
type Examples = { example?: unknown; examples?: unknown[] }

const refTo = (name: string): Ref => ({ $ref: `#/components/parameters/${name}` })

/** The swagger plugin drops the description that stands beside a reference. */
function described(parameter: Parameter, { schema = {} }: RouteOptions): Parameter {
  const { querystring } = schema
  if (parameter.description || !(querystring instanceof z.ZodObject)) return parameter
  const { description } = querystring.shape[parameter.name] ?? {}
  return description === undefined ? parameter : { ...parameter, description }
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
