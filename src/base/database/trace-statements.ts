import { type Span, SpanKind, type Tracer } from '@opentelemetry/api'
import type { PoolClient } from 'pg'
import { currentTrace, endSpan } from '../traces/trace.ts'

const NAME_MAX_LENGTH = 63
type Query = (...parameters: unknown[]) => unknown

/**
 * Makes each statement of a connection a span of the trace that it belongs to; background work has
 * no trace. The span is named after the statement, or after its first word. The text is left out:
 * it is long and may contain data.
 */
export function traceStatements(client: PoolClient, tracer: Tracer): void {
  const query = client.query as Query
  client.query = ((...parameters: unknown[]) => {
    const place = currentTrace()
    if (place === undefined) return Reflect.apply(query, client, parameters)
    const span = tracer.startSpan(
      nameOf(parameters[0]),
      { kind: SpanKind.CLIENT, attributes: { 'db.system.name': 'postgresql' } },
      place.context,
    )
    const result = Reflect.apply(query, client, endedBy(span, parameters))
    if (result instanceof Promise) {
      // The caller gets the failure.
      result.then(
        () => endSpan(span),
        (error: unknown) => endSpan(span, error),
      )
    } else if (typeof parameters.at(-1) !== 'function') client.once('drain', () => endSpan(span))
    return result
  }) as typeof client.query
}

/** The parameters of a call with a callback that ends the span first. */
function endedBy(span: Span, parameters: unknown[]): unknown[] {
  const done = parameters.at(-1)
  if (typeof done !== 'function') return parameters
  const end = (error: unknown, ...rest: unknown[]) => {
    endSpan(span, error)
    return Reflect.apply(done, undefined, [error, ...rest])
  }
  return [...parameters.slice(0, -1), end]
}

function nameOf(statement: unknown): string {
  if (typeof statement === 'string') return firstWord(statement)
  const { name, text } = (statement ?? {}) as { name?: unknown; text?: unknown }
  if (typeof name === 'string' && name !== '') return name.slice(0, NAME_MAX_LENGTH)
  return typeof text === 'string' ? firstWord(text) : 'COPY'
}

function firstWord(sql: string): string {
  return /^[\s(]*([A-Za-z]{1,20})/.exec(sql)?.[1]?.toUpperCase() ?? 'SQL'
}
