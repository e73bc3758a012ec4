import { ROOT_CONTEXT, SpanKind } from '@opentelemetry/api'
import type { FastifyRequest } from 'fastify'
import { endSpan, registeredTracer, type Trace, traceOf } from '../../base/traces/trace.ts'
import { parseTraceparent } from '../../base/traces/traceparent.ts'
import type { RequestEnd } from './request-end.ts'
import { stateOf } from './request-state.ts'

/**
 * Makes each request a part of the trace that its `traceparent` names, and a span where a tracer
 * provider is registered. Without either it costs a look at one header.
 */
export function traceRequests(
  onEnd: (listener: RequestEnd) => void,
): (request: FastifyRequest) => Trace | null {
  const tracer = registeredTracer()
  if (tracer !== undefined) {
    onEnd((request, _reply, status, isAborted) => {
      const { span } = stateOf(request)
      if (span === null) return
      span.setAttribute('http.response.status_code', status)
      if (isAborted) span.setAttribute('app_marketplace.aborted', true)
      endSpan(span, status >= 500 && { code: String(status) })
    })
  }
  return (request) => {
    const { traceparent } = request.headers
    if (traceparent === undefined && tracer === undefined) return null
    const caller = parseTraceparent(traceparent)
    const given = caller && traceOf(caller)
    const span = tracer?.startSpan(
      nameOf(request),
      { kind: SpanKind.SERVER, attributes: attributesOf(request) },
      given?.context ?? ROOT_CONTEXT,
    )
    stateOf(request).span = span ?? null
    return (span && traceOf(span)) ?? given ?? null
  }
}

/** By the template: a path may hold an id, or a token that was pasted into the wrong place. */
function nameOf({ method, routeOptions: { url } }: FastifyRequest): string {
  return url === undefined ? method : `${method} ${url}`
}

function attributesOf({ id, method, routeOptions: { url } }: FastifyRequest) {
  return {
    'http.request.method': method,
    ...(url !== undefined && { 'http.route': url }),
    'app_marketplace.request_id': id,
  }
}
