import { errorOfFailure } from '../errors.ts'
import type { TokenSource } from '../tokens/token-source.ts'
import type { Wait } from './wait.ts'

/** Requests in all, the first one included. */
const ATTEMPTS = 4
/** A longer `Retry-After` is left to the caller. */
const LONGEST_WAIT_MS = 60_000
const FIRST_PAUSE_MS = 250
/** Nothing happens twice when one of these comes twice. */
const REPEATABLE_METHODS = new Set(['GET', 'HEAD', 'PUT', 'DELETE'])
/** Requests with POST that only make another token. */
const REPEATABLE_PATHS = /\/v1\/(Auth|Developer\/Token)$/

/** Makes the same request anew: the body of one can be read once. */
export type RequestMaker = () => Request

/**
 * Sends a request, as often as that makes sense, and answers with whatever response came last.
 *
 * @throws MarketplaceError unreachable; whatever stops a token from being made
 */
export type Send = (make: RequestMaker) => Promise<Response>

type Way = {
  fetch: (request: Request) => Promise<Response>
  wait: Wait
  tokens?: TokenSource | undefined
}

/**
 * A way to send requests. It adds the bearer token, and takes another one once when the
 * marketplace refuses it. It repeats what is answered with 429 after `Retry-After`, and so what is
 * answered with 503 or not at all, unless that may have had an effect.
 */
export function sender({ fetch, wait, tokens }: Way): Send {
  const once = tokens === undefined ? plain(fetch) : withToken(fetch, tokens)
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
          ? pauseAsked(answer, request)
          : pauseAfterFailure(answer, attempt)
      if (answer instanceof Response && (pause === undefined || attempt === ATTEMPTS)) return answer
      if (answer instanceof Response) await answer.body?.cancel()
      await wait(pause ?? 0, signal)
    }
  }
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
    const token = await tokens.get()
    const answer = await sendWith(request, token)
    if (answer.status !== 401) return answer
    tokens.refused(token)
    const next = await tokens.get()
    if (next === token) return answer
    await answer.body?.cancel()
    return sendWith(make(), next)
  }
}

/** How long the response asks to wait before the request is repeated; undefined: do not repeat it. */
function pauseAsked(answer: Response, request: Request): number | undefined {
  const { status, headers } = answer
  if (status !== 429 && !(status === 503 && isRepeatable(request))) return undefined
  const pause = retryAfterMs(headers.get('retry-after'), Date.now())
  return pause === undefined || pause > LONGEST_WAIT_MS ? undefined : pause
}

/** A token that could not be made is an answer: it was asked for often enough. */
function pauseAfterFailure(failure: unknown, attempt: number): number {
  const told = errorOfFailure(failure)
  if (told instanceof Error && 'code' in told && told.code === 'unreachable') {
    return FIRST_PAUSE_MS * 2 ** (attempt - 1)
  }
  throw told
}

function isRepeatable({ method, url }: Request): boolean {
  return REPEATABLE_METHODS.has(method) || REPEATABLE_PATHS.test(new URL(url).pathname)
}

/** What a header `Retry-After` (RFC 9110, 10.2.3) says, in milliseconds from now. */
export function retryAfterMs(value: string | null, now: number): number | undefined {
  if (value === null) return undefined
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
