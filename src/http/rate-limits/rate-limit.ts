import type { FastifyReply, FastifyRequest } from 'fastify'
import { networkOf } from '../../base/values/client-network.ts'
import { type Principal, REQUEST_SHARES } from '../../base/values/principal.ts'
import { AppError, type AppErrorOptions } from '../../errors.ts'
import type { App } from '../app-type.ts'
import { clientAddress } from '../client-address.ts'
import { createRequestCounter, type RequestCount, type RequestCounter } from './request-counter.ts'

const WINDOW_SECONDS = 60
/** How many consumers of one kind one replica counts at the same time. */
const CALLERS_MAX = 50_000

/** Undefined when the request could not be counted. */
type Count = (consumer: Consumer, max: number) => RequestCount | Promise<RequestCount | undefined>
/** Whose budget a request spends. */
export type Consumer = { kind: keyof typeof REQUEST_SHARES; id: string }

declare module 'fastify' {
  interface FastifyInstance {
    /** Null when requests are not limited. */
    countRequest: Count | null
  }
}

/** Counts requests in memory, or for all replicas together in Redis. */
export async function countRequests(app: App): Promise<void> {
  const { rateLimitPerMinute, redisUrl } = app.deps.config
  if (rateLimitPerMinute === 0) app.decorate('countRequest', null)
  else if (redisUrl) app.decorate('countRequest', await countTogether(app, redisUrl))
  else app.decorate('countRequest', createCounters() as Count)
}

/** One counter for each kind, so that many unknown addresses push no other consumer out. */
function createCounters(): (consumer: Consumer, max: number) => RequestCount {
  const counter = () => createRequestCounter(WINDOW_SECONDS * 1000, CALLERS_MAX)
  const counters: Record<Consumer['kind'], RequestCounter> = {
    installation: counter(),
    developer: counter(),
    user: counter(),
    address: counter(),
  }
  return ({ kind, id }, max) => counters[kind](id, max)
}

async function countTogether(app: App, redisUrl: string): Promise<Count> {
  // Its client is much code, which most servers do not need.
  const { openRedisCounter } = await import('./redis-counter.ts')
  const counter = await openRedisCounter(redisUrl, WINDOW_SECONDS * 1000, app.deps.log)
  app.addHook('onClose', async function closeCounter() {
    return counter.close()
  })
  return ({ kind, id }, max) => counter.count(`${kind}:${id}`, max)
}

/**
 * Spends one request of a consumer's budget and tells the client what is left
 * (draft-ietf-httpapi-ratelimit-headers).
 *
 * @returns a promise only when the count is kept elsewhere
 * @throws AppError too_many_requests
 */
export function limitRequests(
  request: FastifyRequest,
  reply: FastifyReply,
  consumer: Consumer,
): Promise<void> | undefined {
  const { countRequest, deps } = request.server
  if (countRequest === null) return undefined
  const max = deps.config.rateLimitPerMinute * REQUEST_SHARES[consumer.kind]
  const counted = countRequest(consumer, max)
  if (counted instanceof Promise) {
    return counted.then((count) => {
      if (count === undefined) deps.measures.requestsUncounted += 1
      else answerLimit(reply, consumer, max, count)
    })
  }
  answerLimit(reply, consumer, max, counted)
  return undefined
}

/** Whose budget the requests of a principal spend. */
export function consumerOf(principal: Principal): Consumer {
  switch (principal.kind) {
    case 'installation':
      return { kind: 'installation', id: principal.installationId }
    case 'developer':
      return { kind: 'developer', id: principal.developerId }
    case 'user':
      return { kind: 'user', id: principal.userId }
  }
}

/**
 * Spends one request of the budget of the caller's address. Callers without a valid token are
 * limited this way.
 */
export function limitByAddress(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> | undefined {
  return limitRequests(request, reply, { kind: 'address', id: networkOf(clientAddress(request)) })
}

function answerLimit(
  reply: FastifyReply,
  { kind }: Consumer,
  max: number,
  { remaining, ttlInSeconds, isExceeded }: RequestCount,
): void {
  const limit = { policy: kind, quota: max, windowSeconds: WINDOW_SECONDS }
  reply.headers(rateLimitFields(limit, remaining, ttlInSeconds))
  if (!isExceeded) return
  reply.server.deps.measures.limitsHit[kind] += 1
  throw new AppError('too_many_requests', {
    detail: `The limit is ${max} requests in ${WINDOW_SECONDS} seconds.`,
    retryAfterSeconds: Math.max(1, ttlInSeconds),
  })
}

type Limit = NonNullable<AppErrorOptions['limit']>

function rateLimitFields(
  { policy, quota, windowSeconds }: Limit,
  remaining: number,
  resetSeconds: number,
) {
  return {
    'ratelimit-policy': `"${policy}";q=${quota};w=${windowSeconds}`,
    ratelimit: `"${policy}";r=${remaining};t=${resetSeconds}`,
  }
}

/** When to come back after an error, and which limit has nothing left. */
export function limitHeaders(error: AppError | undefined): Record<string, string> {
  const { retryAfterSeconds, limit } = error?.options ?? {}
  if (retryAfterSeconds === undefined) return {}
  return {
    'retry-after': String(retryAfterSeconds),
    ...(limit && rateLimitFields(limit, 0, retryAfterSeconds)),
  }
}
