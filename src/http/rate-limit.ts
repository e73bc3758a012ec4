import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import rateLimit from '@fastify/rate-limit'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Redis } from 'ioredis'
import { AppError, type AppErrorOptions } from '../errors.ts'
import { networkOf } from '../values/client-network.ts'
import type { App } from './app-type.ts'
import { createRequestCounter, type RequestCount, type RequestCounter } from './request-counter.ts'

const WINDOW_SECONDS = 60
/** How many times the configured limit each kind of consumer may use. */
const SHARE = { installation: 1, developer: 5, user: 5, address: 10 } as const
/** Consumers of one kind that one replica counts at the same time. */
const COUNTED_MAX = 50_000
const REDIS_TIMEOUT_MS = 500
/** After Redis failed, requests are answered without asking it for so long. */
const REDIS_PAUSE_MS = 2_000

/** Undefined when the request could not be counted. */
type Count = (
  request: FastifyRequest,
  consumer: Consumer,
) => RequestCount | Promise<RequestCount | undefined>

/** Whose budget a request spends. */
export type Consumer = { kind: keyof typeof SHARE; id: string }

declare module 'fastify' {
  interface FastifyRequest {
    consumer: Consumer | null
  }
  interface FastifyInstance {
    countRequest: Count | null
  }
}

/**
 * Counts requests in memory, or for all replicas together in Redis. When Redis is away requests
 * are answered without being counted.
 */
export async function countRequests(app: App): Promise<void> {
  const { rateLimitPerMinute, redisUrl } = app.deps.config
  if (rateLimitPerMinute === 0) {
    app.decorate('countRequest', null)
    return
  }
  app.decorate('countRequest', redisUrl ? await countTogether(app, redisUrl) : countAlone(app))
}

/** A counter for each kind: strangers of many addresses make nobody else be forgotten. */
function countAlone(app: App): Count {
  const counter = () => createRequestCounter(WINDOW_SECONDS * 1000, COUNTED_MAX)
  const counters: Record<Consumer['kind'], RequestCounter> = {
    installation: counter(),
    developer: counter(),
    user: counter(),
    address: counter(),
  }
  return (_request, consumer) => counters[consumer.kind](consumer.id, maxOf(app, consumer))
}

async function countTogether(app: App, redisUrl: string): Promise<Count> {
  const redis = await openRedis(app, redisUrl)
  app.decorateRequest('consumer', null)
  await app.register(rateLimit, { global: false, redis, nameSpace: 'app-marketplace-requests-' })
  const consumerOf = ({ consumer }: FastifyRequest): Consumer => {
    if (consumer === null) throw new Error('it is not known whose request is counted')
    return consumer
  }
  const count = app.createRateLimit({
    timeWindow: WINDOW_SECONDS * 1000,
    max: (request) => maxOf(app, consumerOf(request)),
    keyGenerator: (request) => {
      const { kind, id } = consumerOf(request)
      return `${kind}:${id}`
    },
  })
  return whileItAnswers(app, redis, async (request, consumer) => {
    request.consumer = consumer
    const counted = await count(request)
    return 'max' in counted ? counted : undefined
  })
}

/** Requests that a consumer may send in a window. */
function maxOf({ deps }: App, { kind }: Consumer): number {
  return deps.config.rateLimitPerMinute * SHARE[kind]
}

/**
 * Counts as long as Redis answers. Once it failed, requests pass without being counted, and for a
 * moment without asking it, so that a Redis that hangs holds up few of them. One warning is
 * written per outage.
 */
function whileItAnswers(app: App, redis: Redis, count: Count): Count {
  let isAway = false
  let pausedUntil = 0
  const failed = (error: unknown) => {
    pausedUntil = Date.now() + REDIS_PAUSE_MS
    if (!isAway) app.log.warn({ err: error }, 'Redis is away; requests are not counted')
    isAway = true
  }
  redis.on('error', failed)
  redis.on('ready', () => {
    pausedUntil = 0
  })
  return async (request, consumer) => {
    if (Date.now() < pausedUntil) return undefined
    try {
      const counted = await count(request, consumer)
      isAway = false
      return counted
    } catch (error) {
      failed(error)
      return undefined
    }
  }
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
  const { server } = request
  const counting = server.countRequest?.(request, consumer)
  const limit = (count: RequestCount | undefined) => {
    if (count !== undefined) answerLimit(reply, consumer, maxOf(server as App, consumer), count)
  }
  if (counting instanceof Promise) return counting.then(limit)
  limit(counting)
  return undefined
}

/** Spends one request of the budget of the caller's address, as of all who show no valid token. */
export function limitByAddress(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> | undefined {
  return limitRequests(request, reply, { kind: 'address', id: networkOf(request.ip) })
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

/** Waits a moment for the connection, so that the first requests are counted too. */
async function openRedis(app: App, url: string): Promise<Redis> {
  const redis = new Redis(url, {
    connectTimeout: REDIS_TIMEOUT_MS,
    commandTimeout: REDIS_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
  })
  app.addHook('onClose', async () => redis.disconnect())
  // Told by whoever counts with it.
  redis.on('error', () => {})
  const waiting = new AbortController()
  const options = { signal: waiting.signal }
  await Promise.race([
    once(redis, 'ready', options).catch(() => {}),
    sleep(REDIS_TIMEOUT_MS, undefined, options).catch(() => {}),
  ])
  waiting.abort()
  return redis
}
