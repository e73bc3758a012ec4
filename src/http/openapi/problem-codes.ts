import type { FastifySchema, RouteOptions } from 'fastify'
import { z } from 'zod'
import { MALFORMED } from '../../base/values/field-errors.ts'
import type { ErrorCode } from '../../errors.ts'
import type { Audience } from '../route-table.ts'

declare module 'fastify' {
  interface FastifySchema {
    /** The error codes that this operation answers beside those that follow from its route. */
    problems?: readonly ErrorCode[]
    /**
     * The operation answers errors in a form of its own, which its `response` declares. The name of
     * each is that of its component, and the status.
     */
    ownErrors?: string
  }
}

/** The codes of a malformed request and of a server in trouble: every operation can answer them. */
const ALWAYS: readonly ErrorCode[] = ['invalid_request', 'internal_error', 'unavailable']

/** What the guard of a bearer token answers. */
const GUARD: readonly ErrorCode[] = [
  'missing_token',
  'invalid_token',
  'token_expired',
  'wrong_token_kind',
]

const OF_AUDIENCE: Readonly<Record<Audience, readonly ErrorCode[]>> = {
  public: [],
  browser: [],
  developer: GUARD,
  installation: GUARD,
  account: [...GUARD, 'second_factor_required'],
  operator: [...GUARD, 'operator_required', 'second_factor_required'],
}

/**
 * Every error code that an operation can answer: those that follow from who may call it and from
 * what it takes, and those that its schema names.
 */
export function problemCodesOf(route: RouteOptions): ErrorCode[] {
  const { method, config, schema = {} } = route
  if (schema.ownErrors !== undefined) return []
  const codes = new Set<ErrorCode>([
    ...ALWAYS,
    ...(config?.unlimited ? [] : (['too_many_requests'] as const)),
    ...(config?.audience === undefined ? [] : OF_AUDIENCE[config.audience]),
    ...(config?.takesAccountToken ? OF_AUDIENCE.account : []),
    ...(config?.permission === undefined ? [] : (['insufficient_scope'] as const)),
    ...(isPaged(schema) ? (['invalid_cursor'] as const) : []),
    ...(schema.params === undefined ? [] : (['not_found'] as const)),
    // A body that nobody asked for is read all the same, unless it cannot be.
    ...(method === 'GET' ? [] : (['payload_too_large', 'unsupported_media_type'] as const)),
    ...(canBreakRules(schema) ? (['unprocessable'] as const) : []),
    ...(schema.problems ?? []),
  ])
  return [...codes]
}

/** Files have no rules that a schema knows. */
function canBreakRules(schema: FastifySchema & { consumes?: readonly string[] }): boolean {
  return schema.body !== undefined && schema.consumes === undefined && hasRules(schema.body)
}

/** Whether a value of the declared shape can be wrong: not where any text is taken. */
function hasRules(schema: unknown): boolean {
  if (schema instanceof z.ZodOptional) return hasRules(schema.unwrap())
  if (schema instanceof z.ZodObject && checksOf(schema).every(isOfShape)) {
    return Object.values(schema.shape).some(hasRules)
  }
  return !(schema instanceof z.ZodString && checksOf(schema).length === 0)
}

function checksOf({ _zod: { def } }: z.ZodType) {
  return def.checks ?? []
}

/** Whether a check is about members that must be there or must not: its problems are malformed. */
function isOfShape({ _zod: { def } }: z.core.$ZodCheck<never>): boolean {
  return 'params' in def && def.params === MALFORMED
}

/** Whether an operation answers a list page by page. */
export function isPaged({ querystring }: FastifySchema): boolean {
  return querystring instanceof z.ZodObject && Object.hasOwn(querystring.shape, 'cursor')
}
