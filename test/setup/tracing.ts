import { randomBytes } from 'node:crypto'
import {
  type Attributes,
  type Span,
  type SpanContext,
  type SpanOptions,
  type SpanStatus,
  type Tracer,
  type TracerProvider,
  trace,
} from '@opentelemetry/api'

/** A span as it was begun and ended. */
export type SeenSpan = {
  name: string
  context: SpanContext
  parentId: string | undefined
  attributes: Attributes
  status: SpanStatus | undefined
  hasEnded: boolean
}

/** Registers a tracer provider that keeps all spans in memory, until `unregister`. */
export function registerTracing() {
  const spans: SeenSpan[] = []
  const tracer = {
    startSpan(name: string, { attributes = {} }: SpanOptions = {}, parentContext) {
      const parent = parentContext && trace.getSpanContext(parentContext)
      const seen: SeenSpan = {
        name,
        context: {
          traceId: parent?.traceId ?? randomBytes(16).toString('hex'),
          spanId: randomBytes(8).toString('hex'),
          traceFlags: 1,
        },
        parentId: parent?.spanId,
        attributes: { ...attributes },
        status: undefined,
        hasEnded: false,
      }
      spans.push(seen)
      return spanOf(seen)
    },
  } as Tracer
  const provider: TracerProvider = { getTracer: () => tracer }
  trace.setGlobalTracerProvider(provider)
  return { spans, unregister: () => trace.disable() }
}

function spanOf(seen: SeenSpan): Span {
  const span = {
    spanContext: () => seen.context,
    setAttribute(key: string, value: string) {
      seen.attributes[key] = value
      return span
    },
    setStatus(status: SpanStatus) {
      seen.status = status
      return span
    },
    end() {
      if (seen.hasEnded) throw new Error(`${seen.name} has ended twice`)
      seen.hasEnded = true
    },
  } as unknown as Span
  return span
}
