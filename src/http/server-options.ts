import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { serializerCompiler } from '@fastify/type-provider-zod'
import {
  type FastifyBaseLogger,
  type FastifyHttpOptions,
  type FastifyInstance,
  LogController,
  type RawServerDefault,
} from 'fastify'
import type { Deps } from '../deps.ts'
import { withoutTooManyParameters } from './ambiguous-requests.ts'
import { BODY_LIMIT_BYTES } from './bodies/json-body.ts'
import { isBetweenRequests } from './fair-share/requests-in-order.ts'
import { PATH_PARAMETER_MAX_LENGTH } from './route-table.ts'
import { answerClientError, answerUnroutable } from './unparsable-requests.ts'
import { validatorCompiler } from './validation.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The page for a browser whose headers are too long. */
    pageOfLongHeaders: (requestId: string) => string
  }
}

const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000
const KEEP_ALIVE_TIMEOUT_MS = 72_000
const CONNECTIONS_CHECK_MS = 1_000

/** How the HTTP server listens, logs, matches paths and closes slow clients. */
export function serverOptions(deps: Pick<Deps, 'config' | 'log' | 'measures'>) {
  const { config, log } = deps
  return {
    loggerInstance: log as FastifyBaseLogger,
    // A logger for each request costs more than the line it writes; our log lines name the request
    // themselves.
    childLoggerFactory: (logger: FastifyBaseLogger) => logger,
    // One line per request is written by the application itself, without query and headers.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: config.trustProxy ?? false,
    bodyLimit: BODY_LIMIT_BYTES,
    routerOptions: {
      caseSensitive: false,
      ignoreTrailingSlash: true,
      maxParamLength: PATH_PARAMETER_MAX_LENGTH,
    },
    // Where they were only set later, Fastify would load Ajv before, a hundred files for nothing.
    schemaController: {
      compilersFactory: {
        // Typed for Ajv.
        buildValidator: (() => validatorCompiler) as never,
        buildSerializer: (() => serializerCompiler) as never,
      },
    },
    rewriteUrl: ({ url }: { url?: string | undefined }) =>
      withoutTooManyParameters(withoutApiPrefix(withoutHost(url ?? '/'))),
    frameworkErrors: answerUnroutable,
    clientErrorHandler(this: FastifyInstance, error, socket) {
      const { pageOfLongHeaders } = this
      answerClientError(error, socket, { ...deps, pageOfLongHeaders })
    },
    // A slow body is closed by requestTimeout, a slow header by headersTimeout; both are only
    // looked at every connectionsCheckingInterval.
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
      // Without it Node makes a stream for the body of each GET. `presentBody` knows of it.
      optimizeEmptyRequests: true,
      // Node alone would answer without a problem; `refuseUnanswerable` does.
      requireHostHeader: false,
      // For `ignoreUpgrades`.
      shouldUpgradeCallback: ({ socket }: IncomingMessage) => isBetweenRequests(socket),
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  } satisfies FastifyHttpOptions<RawServerDefault>
}

/**
 * A target may be a whole address (RFC 9112, 3.2.2). Routes, hooks and links know its path and
 * query alone.
 */
function withoutHost(url: string): string {
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*\/?/i, '/')
}

/**
 * The specification shows paths both as `/v1/...` and as `/api/v1/...`: every path has both. The
 * prefix is for programs: pages answer under it, but link and redirect to paths without it.
 */
function withoutApiPrefix(url: string): string {
  return /^\/api\/[^/]/i.test(url) ? url.slice('/api'.length) : url
}
