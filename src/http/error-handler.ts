import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { passingFailure } from '../base/database/failures.ts'
import { countOne } from '../base/measures/measures.ts'
import { AppError, ERROR_CODES, type ErrorCode } from '../errors.ts'
import { accepted } from './accept.ts'
import type { App } from './app-type.ts'
import { whatIsTaken } from './bodies/refused-body.ts'
import { HUNG_UP_STATUS } from './observability/request-end.ts'
import { stateOf } from './observability/request-state.ts'
import { PROBLEM_MEDIA_TYPE, problemOf, REALM, SIGN_IN_CHALLENGE } from './problem.ts'
import { limitHeaders } from './rate-limits/rate-limit.ts'
import type { RouteTable } from './route-table.ts'
import { sendPage } from './send-page.ts'
import { createUnavailableWarning, type UnavailableWarning } from './unavailable-warning.ts'

export type ErrorPage = (
  error: AppError,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<Parameters<typeof sendPage>[1]>

declare module 'fastify' {
  interface FastifyInstance {
    warnOfUnavailable: UnavailableWarning
  }
}

/** Answers all errors of the application: problem documents, and pages for browsers. */
export function handleErrors(app: App, routes: RouteTable, errorPage: ErrorPage): void {
  app.decorate('warnOfUnavailable', createUnavailableWarning(app))
  app.setErrorHandler((failure, request, reply) =>
    answerError(appErrorOf(failure, request), failure, request, reply, errorPage),
  )
  app.setNotFoundHandler((request, reply) => {
    const error = nothingAt(request, reply, routes)
    return answerError(error, error, request, reply, errorPage)
  })
}

/** What is wrong with an address that no route has: it is unknown, or takes another method. */
export function nothingAt(
  request: FastifyRequest,
  reply: FastifyReply,
  routes: RouteTable,
): AppError {
  const methods = routes.at(pathOf(request)).map(({ method }) => method)
  return methods.length === 0 ? new AppError('not_found') : methodNotAllowed(methods, reply)
}

async function answerError(
  error: AppError,
  failure: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  errorPage: ErrorPage,
): Promise<FastifyReply> {
  if (isHangUp(failure, request)) return endHungUp(request, reply)
  noteRefusal(error, failure, request, reply)
  reply.code(error.status).headers(errorHeaders(error))
  if (wantsPage(request)) {
    return sendPage(reply, await errorPage(error, request, reply))
  }
  const { publicUrl } = request.server.deps.config
  return reply
    .type(PROBLEM_MEDIA_TYPE)
    .serializer(JSON.stringify)
    .send(problemOf(error, { publicUrl, requestId: request.id }))
}

/** Whether a request failed because its client has gone: nobody's fault, and nobody reads an answer. */
export function isHangUp(failure: unknown, { raw }: FastifyRequest): boolean {
  if (!raw.socket.destroyed) return false
  const { code, message } = (failure ?? {}) as Partial<NodeJS.ErrnoException>
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || (code === 'ECONNRESET' && message === 'aborted')
}

/** Ends a request whose client has gone, without a body. */
export function endHungUp(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  request.log.debug({ reqId: request.id }, 'the client hung up')
  return reply.code(HUNG_UP_STATUS).send()
}

/** Notes, logs and counts a refusal, and keeps the client's connection, whatever form the answer has. */
export function noteRefusal(
  error: AppError,
  failure: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  stateOf(request).refusal = error
  logRefusal(error, failure, request)
  countOne(request.server.deps.measures.problems, error.code)
  keepConnection(reply)
}

/**
 * Takes back that Fastify closes the connection when it cannot read a body. Closed before the client
 * has sent all of it, the connection would be reset, and the answer lost with it (RFC 9112, 9.6).
 * `limitRest` closes the connection of a client that does not stop.
 */
function keepConnection(reply: FastifyReply): void {
  if (!reply.hasHeader('connection')) return
  // Removed, it would leave Node silent also where the client asked for the end of the connection.
  reply.header('connection', reply.raw.shouldKeepAlive ? 'keep-alive' : 'close')
}

/** Logs no detail of a refusal: it may repeat what the client sent. */
function logRefusal({ code, status }: AppError, failure: unknown, request: FastifyRequest): void {
  const { id: reqId, log, routeOptions } = request
  const { trace } = stateOf(request)
  const ids = { reqId, ...(trace && { traceId: trace.traceId }) }
  if (code === 'unavailable') {
    // A health check gets its answer only; the code that finds the reason logs it.
    if (!routeOptions.config.unlimited) request.server.warnOfUnavailable(failure, reqId)
  } else if (status >= 500) log.error({ ...ids, err: failure, code }, 'request failed')
  else if (code === 'invalid_csrf_token') log.warn({ ...ids, code }, 'form refused')
  else log.debug({ ...ids, code }, 'request refused')
}

/** Fastify's own failures -> our codes. A failure that is not listed is a bug of ours. */
const FASTIFY_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_request',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_request',
  FST_ERR_BAD_URL: 'invalid_request',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
  FST_CSRF_INVALID_TOKEN: 'invalid_csrf_token',
  FST_CSRF_MISSING_SECRET: 'invalid_csrf_token',
}

/**
 * The AppError that the failure of a request is to its client. Texts of other libraries never leave
 * the process.
 */
export function appErrorOf(failure: unknown, request: FastifyRequest): AppError {
  if (failure instanceof AppError) return failure
  const passing = passingFailure(failure)
  if (passing !== undefined) return passing
  const code = FASTIFY_CODES[(failure as Partial<FastifyError>)?.code ?? '']
  if (code === 'invalid_csrf_token') {
    return new AppError(code, { detail: 'Open the page again and repeat what you did.' })
  }
  if (code !== undefined) {
    // A page has words of its own.
    const detail = wantsPage(request) ? undefined : whatIsTaken(code, request)
    return new AppError(code, { detail })
  }
  // The client hung up, or sent fewer bytes than it announced.
  const status = (failure as Partial<FastifyError>)?.statusCode
  if (status === 400) return new AppError('invalid_request')
  return new AppError('internal_error', { detail: 'The request id names it in our logs.' })
}

function errorHeaders(error: AppError): Record<string, string> {
  const challenge = challengeOf(error)
  return {
    'cache-control': 'no-store',
    ...limitHeaders(error),
    ...(challenge !== undefined && { 'www-authenticate': challenge }),
  }
}

/**
 * The `WWW-Authenticate` header, which says what is wrong with the token (RFC 6750, 3), or that a
 * newer sign-in is needed (RFC 9470, 3).
 */
function challengeOf({ code, options }: AppError): string | undefined {
  switch (code) {
    case 'invalid_credentials':
      return SIGN_IN_CHALLENGE
    case 'missing_token':
      return `Bearer realm="${REALM}"`
    case 'invalid_token':
    case 'token_expired':
      return `Bearer realm="${REALM}", error="invalid_token", error_description="${ERROR_CODES[code].title}"`
    case 'second_factor_required':
      return options.members?.maxAgeSeconds === undefined
        ? SIGN_IN_CHALLENGE
        : `Bearer realm="${REALM}", error="insufficient_user_authentication", max_age="${options.members.maxAgeSeconds}"`
    case 'insufficient_scope':
      return `Bearer realm="${REALM}", error="insufficient_scope", scope="${scopeOf(options.members?.required)}"`
    default:
      return undefined
  }
}

/** The client names the permissions: only what a header can carry comes back (RFC 6749, 3.3). */
function scopeOf(required: unknown): string {
  return [required]
    .flat()
    .filter((name) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(String(name)))
    .join(' ')
}

function methodNotAllowed(methods: readonly string[], reply: FastifyReply): AppError {
  const allowed = methods.join(', ')
  reply.header('allow', allowed)
  return new AppError('method_not_allowed', { detail: `This address takes ${allowed}.` })
}

/**
 * Pages answer browsers in HTML; the API answers everybody in JSON, also outside of `/v1/`. The
 * header is read only where it can decide: this runs for every refusal.
 */
function wantsPage(request: FastifyRequest): boolean {
  const accept = request.headers.accept?.toLowerCase() ?? ''
  if (isOfApi(request) || !accept.includes('text/html')) return false
  const { named, any } = accepted(accept)
  const problem = Math.max(any('application/problem+json'), any('application/json'))
  return named('text/html') > 0 && named('text/html') >= problem
}

function isOfApi(request: FastifyRequest): boolean {
  const { schema } = request.routeOptions
  return schema?.operationId !== undefined || /^\/v1\//i.test(pathOf(request))
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '/'
}
