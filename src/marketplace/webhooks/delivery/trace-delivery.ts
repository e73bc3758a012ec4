import { ROOT_CONTEXT, SpanKind } from '@opentelemetry/api'
import { endSpan, registeredTracer, traceOf } from '../../../base/traces/trace.ts'
import { parseTraceparent } from '../../../base/traces/traceparent.ts'
import type { AttemptResult } from '../sending/send-attempt.ts'

/**
 * Makes an attempt part of the trace of its event, with a span if a tracer provider is registered.
 *
 * @param traceparent of the change that the event is about
 * @param attempt gets the `traceparent` to send on, if there is one
 */
export async function traceDelivery(
  traceparent: string | null,
  attempt: (traceparent: string | undefined) => Promise<AttemptResult>,
): Promise<AttemptResult> {
  const tracer = registeredTracer()
  if (tracer === undefined) return attempt(traceparent ?? undefined)
  const cause = parseTraceparent(traceparent)
  const parent = cause && traceOf(cause)?.context
  const span = tracer.startSpan(
    'webhook delivery',
    { kind: SpanKind.CLIENT, attributes: { 'http.request.method': 'POST' } },
    parent ?? ROOT_CONTEXT,
  )
  const result = await attempt(traceOf(span)?.traceparent ?? traceparent ?? undefined)
  if (result.status !== undefined) span.setAttribute('http.response.status_code', result.status)
  endSpan(span, result.outcome !== 'succeeded' && { code: result.reason?.code })
  return result
}
