import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import rateLimit from '@fastify/rate-limit'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Redis } from 'ioredis'
import { AppError } from '../errors.ts'
import type { App } from './app-type.ts'

const WINDOW_SECONDS = 60
/** How many times the configured limit each kind of consumer may use. */
const SHARE = { installation: 1, developer: 5, user: 5, address: 10 } as const
/** Consumers that one replica counts at the same time; the least recent ones are forgotten. */
const COUNTED_MAX = 50_000
const REDIS_TIMEOUT_MS = 500
/** After Redis failed, requests are answered without asking it for so long. */
const REDIS_PAUSE_MS = 2_000

type Count = ReturnType<App['createRateLimit']>

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
  app.decorateRequest('consumer', null)
  if (rateLimitPerMinute === 0) {
    app.decorate('countRequest', null)
    return
  }
  const redis = redisUrl === undefined ? undefined : await openRedis(app, redisUrl)
  await app.register(rateLimit, {
    global: false,
    cache: COUNTED_MAX,
    ...(redis && { redis, nameSpace: 'app-marketplace-requests-' }),
  })
  const count = app.createRateLimit({
    timeWindow: WINDOW_SECONDS * 1000,
    max: ({ consumer }) => rateLimitPerMinute * SHARE[consumer?.kind ?? 'address'],
    keyGenerator: ({ consumer, ip }) =>
      consumer === null ? `address:${ip}` : `${consumer.kind}:${consumer.id}`,
  })
  app.decorate('countRequest', redis ? whileItAnswers(app, redis, count) : count)
}

/**
 * Counts as long as Redis answers. Once it failed, requests pass without being counted, and for a
 * moment without asking it, so that a Redis that hangs holds up few of them. One warning is
 * written per outage.
 */
function whileItAnswers(app: App, redis: Redis, count: Count): Count {
  const uncounted = { isAllowed: true, key: '' } as const
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
  return async (request) => {
    if (Date.now() < pausedUntil) return uncounted
    try {
      const counted = await count(request)
      isAway = false
      return counted
    } catch (error) {
      failed(error)
      return uncounted
    }
  }
}

/**
 * Spends one request of a consumer's budget and tells the client what is left
 * (draft-ietf-httpapi-ratelimit-headers).
 *
 * @throws AppError too_many_requests
 */
export async function limitRequests(
  request: FastifyRequest,
  reply: FastifyReply,
  consumer: Consumer,
): Promise<void> {
  const { countRequest } = request.server
  if (countRequest === null) return
  request.consumer = consumer
  const count = await countRequest(request)
  if (count.isAllowed || !('max' in count)) return
  const { max, remaining, ttlInSeconds, isExceeded } = count
  reply.headers({
    'ratelimit-policy': `"${consumer.kind}";q=${max};w=${WINDOW_SECONDS}`,
    ratelimit: `"${consumer.kind}";r=${remaining};t=${ttlInSeconds}`,
  })
  if (!isExceeded) return
  throw new AppError('too_many_requests', {
    detail: `The limit is ${max} requests in ${WINDOW_SECONDS} seconds.`,
    retryAfterSeconds: Math.max(1, ttlInSeconds),
  })
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
