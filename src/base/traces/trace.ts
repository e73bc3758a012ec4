import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  isSpanContextValid,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { traceparentOf } from './traceparent.ts'

const TRACER_NAME = 'app-marketplace'

/** The place in a trace that work belongs to. */
export type Trace = {
  traceId: string
  /** For whom the work asks something, and for the log. */
  traceparent: string
  /** The parent of further spans. */
  context: Context
}

const traces = new AsyncLocalStorage<Trace>()

/** Does work as a part of a trace. */
export function withTrace<T>(place: Trace, work: () => T): T {
  return traces.run(place, work)
}

/** The trace of the work that this is called for, if it has one. */
export function currentTrace(): Trace | undefined {
  return traces.getStore()
}

/**
 * Makes spans, or undefined while no tracer provider is registered: then no span is begun at all.
 * A provider has to be registered before the server starts, as `node --import` does.
 */
export function registeredTracer(): Tracer | undefined {
  const provider = trace.getTracerProvider()
  if (provider instanceof ProxyTracerProvider) return provider.getDelegateTracer(TRACER_NAME)
  return provider.getTracer(TRACER_NAME)
}

/** The place that a span, or the span of a caller, has in its trace. */
export function traceOf(span: Span | SpanContext): Trace | undefined {
  const spanContext = 'spanContext' in span ? span.spanContext() : span
  if (!isSpanContextValid(spanContext)) return undefined
  const context =
    'spanContext' in span
      ? trace.setSpan(ROOT_CONTEXT, span)
      : trace.setSpanContext(ROOT_CONTEXT, spanContext)
  return { traceId: spanContext.traceId, traceparent: traceparentOf(spanContext), context }
}

/** Ends a span; with a failure, whose text stays out of it: it may hold data. */
export function endSpan(span: Span, failure?: unknown): void {
  if (failure) {
    const { code, name } = failure as { code?: unknown; name?: unknown }
    span.setAttribute('error.type', String(code ?? name ?? 'Error'))
    span.setStatus({ code: SpanStatusCode.ERROR })
  }
  span.end()
}
