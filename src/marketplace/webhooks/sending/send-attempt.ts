import type { AllowedHosts } from '../addresses/allowed-hosts.ts'
import { endpointUrlProblem } from '../addresses/endpoint-url.ts'
import {
  ATTEMPT_REASONS,
  AttemptError,
  type AttemptReason,
  type AttemptReasonCode,
} from '../attempts/attempt-reasons.ts'
import { retryAfterSeconds } from '../attempts/retry-after.ts'
import type { Agents } from './agents.ts'
import { exchange } from './exchange.ts'
import type { Lookup } from './lookup.ts'
import type { ReceiverAnswer } from './read-answer.ts'
import { resolveAddress } from './resolve-address.ts'

/** Time limits for the parts of an attempt, in milliseconds. */
export type Timeouts = {
  /** DNS, TCP and TLS together. */
  connectMs: number
  /** Everything, from the look-up of the name to the end of the response. */
  totalMs: number
  /** The rest of a response after its status is known. */
  answerMs: number
}

const CONNECT_MAX_MS = 10_000
const ANSWER_MAX_MS = 2000

/** @param seconds for everything: WEBHOOK_TIMEOUT_SECONDS */
export function timeoutsOf(seconds: number): Timeouts {
  const totalMs = seconds * 1000
  return { connectMs: Math.min(CONNECT_MAX_MS, totalMs), totalMs, answerMs: ANSWER_MAX_MS }
}

/** One request to an endpoint. */
export type Attempt = {
  url: string
  /** The signed bytes. */
  body: Uint8Array
  /**
   * `webhook-*` headers and the static headers of the endpoint; `sendAttempt` adds those of HTTP.
   */
  headers: Readonly<Record<string, string>>
  agents: Agents
  allowedHosts: AllowedHosts
  timeouts: Timeouts
  lookup?: Lookup
}

/** The result of an attempt. */
export type AttemptResult = {
  /** `gone`: the endpoint answered 410. `proxy_failed`: the receiver is not to blame. */
  outcome: 'succeeded' | 'failed' | 'gone' | 'proxy_failed'
  durationMs: number
  /** Status of the response, if there was one. */
  status?: number
  /** The first KiB of the response. */
  response?: string
  /** Why the attempt did not succeed. */
  reason?: AttemptReason
  /** How long the receiver asks us to wait, at most 24 h. */
  retryAfterSeconds?: number
  /** The underlying error: for the log, not for the endpoint's developer. */
  cause?: unknown
}

/**
 * Sends one webhook with all checks and limits: the URL is checked again, and every address of its
 * name; the times to connect and in all, 64 KiB of the response. A 2xx is a success as soon as its
 * headers are there; a redirect is a failure. Never throws.
 */
export async function sendAttempt(attempt: Attempt): Promise<AttemptResult> {
  const startedAt = performance.now()
  const durationMs = () => Math.round(performance.now() - startedAt)
  try {
    const answer = await post(attempt, startedAt)
    return { ...resultOf(answer), durationMs: durationMs() }
  } catch (error) {
    const code = error instanceof AttemptError ? error.code : 'not_sent'
    return {
      outcome: code === 'proxy_failed' ? 'proxy_failed' : 'failed',
      durationMs: durationMs(),
      reason: reason(code),
      cause: error instanceof AttemptError ? error.cause : error,
    }
  }
}

async function post(attempt: Attempt, startedAt: number): Promise<ReceiverAnswer> {
  const { url: text, body, agents, allowedHosts, timeouts } = attempt
  if (endpointUrlProblem(text, allowedHosts) !== null) throw new AttemptError('url_refused')
  const url = new URL(text)
  const timeoutMs = Math.min(timeouts.connectMs, timeouts.totalMs)
  const { closing: signal } = agents
  const { lookup } = attempt
  const addresses = await resolveAddress({ url, allowedHosts, timeoutMs, signal, lookup })
  const headers = { ...attempt.headers, ...httpHeaders(url, body) }
  const connectBy = startedAt + timeouts.connectMs
  const endBy = startedAt + timeouts.totalMs
  const request = { url, headers, body, agents, endBy, answerMs: timeouts.answerMs }
  const [first = '', second] = addresses
  if (second === undefined) return exchange({ ...request, address: first, connectBy })
  const now = performance.now()
  try {
    return await exchange({ ...request, address: first, connectBy: now + (connectBy - now) / 2 })
  } catch (error) {
    if (!isUnconnected(error)) throw error
    return exchange({ ...request, address: second, connectBy })
  }
}

/** The headers of HTTP that each request has. */
export function httpHeaders(url: URL, body: Uint8Array) {
  return {
    host: url.host,
    'content-type': 'application/json',
    'content-length': String(body.length),
    // Compressed responses are not unpacked, so none can expand.
    'accept-encoding': 'identity',
    'user-agent': 'App-Marketplace-Webhooks',
  }
}

/** Whether nothing was sent because no connection to this address could be made. */
function isUnconnected(error: unknown): boolean {
  return (
    error instanceof AttemptError &&
    (error.code === 'connect_failed' || error.code === 'connect_timeout')
  )
}

function resultOf({ status, headers, text }: ReceiverAnswer): Omit<AttemptResult, 'durationMs'> {
  const answered = { status, response: text }
  if (status >= 200 && status < 300) return { outcome: 'succeeded', ...answered }
  if (status === 410) return { outcome: 'gone', ...answered, reason: reason('gone') }
  const wait = retryAfterSeconds(headers['retry-after'] ?? '', new Date())
  return {
    outcome: 'failed',
    ...answered,
    reason: reason(status >= 300 && status < 400 ? 'redirect' : 'status'),
    ...(wait === undefined ? {} : { retryAfterSeconds: wait }),
  }
}

function reason(code: AttemptReasonCode): AttemptReason {
  return { code, detail: ATTEMPT_REASONS[code] }
}
