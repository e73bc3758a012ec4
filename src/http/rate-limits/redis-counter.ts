import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { createOutageLog } from '../../base/log/outage-log.ts'
import type { RequestCount } from './request-counter.ts'

const KEY_PREFIX = 'app-marketplace-requests-'
const TIMEOUT_MS = 500
/** After Redis failed, requests pass for this long without asking it. */
const PAUSE_MS = 2_000

/** Counts one request of the window of a key; answers the count and how long the window lasts. */
const COUNT_SCRIPT = `
  local count = redis.call('INCR', KEYS[1])
  local ttl = redis.call('PTTL', KEYS[1])
  if ttl < 0 then
    ttl = tonumber(ARGV[1])
    redis.call('PEXPIRE', KEYS[1], ttl)
  end
  return { count, ttl }`

/** Like `RequestCounter`, but one count for all replicas. */
export type RedisCounter = {
  /** Undefined when Redis does not answer: the request passes without being counted. */
  count(key: string, max: number): Promise<RequestCount | undefined>
  close(): void
}

/**
 * Connects to Redis and counts requests there. Waits a moment for the connection, so that the first
 * requests are counted too.
 *
 * While Redis is away, requests are not counted, and most of them do not wait for it, so that a
 * Redis that hangs delays few of them. Each reason of an outage is logged once, and its end.
 *
 * @param windowMs length of a window, which begins with its consumer's first request
 */
export async function openRedisCounter(
  url: string,
  windowMs: number,
  log: Pick<Logger, 'warn' | 'info'>,
): Promise<RedisCounter> {
  const redis = new Redis(url, {
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    scripts: { countRequest: { lua: COUNT_SCRIPT, numberOfKeys: 1 } },
  }) as Redis & { countRequest(key: string, windowMs: number): Promise<[number, number]> }
  const outage = createOutageLog(log, {
    away: 'Redis is away; requests are not counted',
    back: 'requests are counted again by Redis',
  })
  let pausedUntilMs = 0
  const pause = () => {
    pausedUntilMs = Date.now() + PAUSE_MS
  }
  /** Whether the connection that is made or open was ready, or has told why it is not. */
  let isExplained = false
  redis.on('error', (error) => {
    isExplained = true
    pause()
    outage.failed(error)
  })
  redis.on('ready', () => {
    isExplained = true
    pausedUntilMs = 0
  })
  redis.on('close', () => {
    // As a proxy does that has no Redis behind it.
    if (!isExplained) outage.failed(new Error('the connection was closed before Redis answered'))
    isExplained = false
  })
  await readyOrLate(redis)
  return {
    async count(key, max) {
      if (Date.now() < pausedUntilMs) return undefined
      try {
        const [count, ttlMs] = await redis.countRequest(KEY_PREFIX + key, windowMs)
        outage.succeeded()
        return {
          remaining: Math.max(0, max - count),
          ttlInSeconds: Math.ceil(ttlMs / 1000),
          isExceeded: count > max,
        }
      } catch (error) {
        pause()
        // Where there is no connection, the failure to connect says why.
        if (redis.status === 'ready') outage.failed(error)
        return undefined
      }
    },
    close() {
      isExplained = true
      redis.disconnect()
    },
  }
}

async function readyOrLate(redis: Redis): Promise<void> {
  const waiting = new AbortController()
  const options = { signal: waiting.signal }
  await Promise.race([
    once(redis, 'ready', options).catch(() => {}),
    sleep(TIMEOUT_MS, undefined, options).catch(() => {}),
  ])
  waiting.abort()
}
