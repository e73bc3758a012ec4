import { type SpanContext, TraceFlags } from '@opentelemetry/api'

/** The header of version 00; a later version may add fields (W3C Trace Context, 3.2). */
const TRACEPARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-[!-~]{0,200})?$/

/**
 * The caller's place in a trace, as its `traceparent` tells, or undefined for anything that is not
 * exactly such a header: what is taken here is logged and sent on.
 */
export function parseTraceparent(header: unknown): SpanContext | undefined {
  const parts = typeof header === 'string' ? TRACEPARENT.exec(header) : null
  if (parts === null) return undefined
  const [, version, traceId = '', spanId = '', flags = '', rest] = parts
  if (version === '00' && rest !== undefined) return undefined
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED
  return { traceId, spanId, traceFlags, isRemote: true }
}

/** The header of version 00 that names a place in a trace. */
export function traceparentOf({ traceId, spanId, traceFlags }: SpanContext): string {
  const flags = (traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0')
  return `00-${traceId}-${spanId}-${flags}`
}
