import { errorOfFailure, isGatewayStatus, MarketplaceError } from '../errors.ts'
import type { TokenSource } from '../tokens/token-source.ts'
import { unlessAborted, type Wait } from './wait.ts'

/** How often a request is sent, the first time included. */
const ATTEMPTS = 4
/** A longer `Retry-After` is left to the caller. */
const LONGEST_WAIT_MS = 60_000
const FIRST_PAUSE_MS = 250
/** Sending one of these twice has the effect of sending it once. */
const REPEATABLE_METHODS = new Set(['GET', 'HEAD', 'PUT', 'DELETE'])
/** POST requests that only make another token. */
const REPEATABLE_PATHS = /\/v1\/(Auth|Developer\/Token)$/

/** Makes the request again, because the body of a request can be read only once. */
export type RequestMaker = () => Request

/**
 * Sends a request, repeats it when that makes sense, and returns the last response.
 *
 * @throws MarketplaceError unreachable; also what prevents a token from being made
 */
export type Send = (make: RequestMaker) => Promise<Response>

type Way = {
  fetch: (request: Request) => Promise<Response>
  wait: Wait
  tokens?: TokenSource | undefined
}

/**
 * Makes a function that sends requests. It adds the bearer token, and takes a new one once when the
 * marketplace refuses it. It repeats a request after 429 when `Retry-After` is over, and after 502,
 * 503, 504, no response or half a response unless the request may have had an effect.
 */
export function sender({ fetch, wait, tokens }: Way): Send {
  const whole = async (request: Request) => wholeJson(await fetch(request))
  const once = tokens === undefined ? plain(whole) : withToken(whole, tokens)
  return async (make) => {
    for (let attempt = 1; ; attempt++) {
      const request = make()
      const { signal } = request
      const answer = await once(request, make).catch((failure: unknown) => {
        signal.throwIfAborted()
        if (!isRepeatable(request) || attempt === ATTEMPTS) throw errorOfFailure(failure)
        return failure
      })
      const pause =
        answer instanceof Response
          ? pauseAsked(answer, request, attempt)
          : pauseAfterFailure(answer, attempt)
      if (answer instanceof Response && (pause === undefined || attempt === ATTEMPTS)) return answer
      if (answer instanceof Response) await answer.body?.cancel()
      await wait(pause ?? 0, signal)
    }
  }
}

/** Reads a body of JSON to its end, so that a connection lost on the way counts as no response. */
async function wholeJson(response: Response): Promise<Response> {
  if (!/[/+]json\b/.test(response.headers.get('content-type') ?? '')) return response
  const body = await response.arrayBuffer()
  return new Response(body.byteLength === 0 ? null : body, response)
}

type Once = (request: Request, make: RequestMaker) => Promise<Response>

function plain(fetch: Way['fetch']): Once {
  return (request) => fetch(request)
}

function withToken(fetch: Way['fetch'], tokens: TokenSource): Once {
  const sendWith = (request: Request, token: string) => {
    request.headers.set('authorization', `Bearer ${token}`)
    return fetch(request)
  }
  return async (request, make) => {
    const token = await unlessAborted(tokens.get(), request.signal)
    const answer = await sendWith(request, token)
    if (answer.status !== 401) return answer
    tokens.refused(token)
    const next = await unlessAborted(tokens.get(), request.signal)
    if (next === token) return answer
    await answer.body?.cancel()
    return sendWith(make(), next)
  }
}

/** How long the response asks to wait before a repeat; undefined when it is not to be repeated. */
function pauseAsked(answer: Response, request: Request, attempt: number): number | undefined {
  const { status, headers } = answer
  const isAway = isGatewayStatus(status) && isRepeatable(request)
  if (status !== 429 && !isAway) return undefined
  const pause = retryAfterMs(headers.get('retry-after'), Date.now())
  // A load balancer that misses the marketplace says no time.
  if (pause === undefined) return isAway ? growingPause(attempt) : undefined
  return pause > LONGEST_WAIT_MS ? undefined : pause
}

/**
 * How long to wait after a failure. A token that could not be made is final: it was tried often
 * enough.
 */
function pauseAfterFailure(failure: unknown, attempt: number): number {
  if (failure instanceof MarketplaceError) throw failure
  return growingPause(attempt)
}

function growingPause(attempt: number): number {
  return FIRST_PAUSE_MS * 2 ** (attempt - 1)
}

function isRepeatable({ method, url }: Request): boolean {
  return REPEATABLE_METHODS.has(method) || REPEATABLE_PATHS.test(new URL(url).pathname)
}

/** The wait of a `Retry-After` header (RFC 9110, 10.2.3), in milliseconds from now. */
export function retryAfterMs(value: string | null, now: number): number | undefined {
  if (value === null) return undefined
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
