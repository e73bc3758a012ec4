import { errorOfBody, errorOfFailure } from '../errors.ts'
import { type Client, createClient } from '../generated/client/index.ts'
import type { TokenSource } from '../tokens/token-source.ts'
import { type Send, sender } from './send.ts'
import { type Wait, wait as waitForReal } from './wait.ts'

/** The parts that differ between a server, a browser and a test. */
export type Surroundings = {
  /** Default: the global `fetch`. */
  fetch?: ((request: Request) => Promise<Response>) | undefined
  wait?: Wait | undefined
}

/** A connection to one marketplace with one kind of token. */
export type Connection = {
  /** The base address, without a slash at the end. */
  baseUrl: string
  send: Send
  wait: Wait
  /** For generated calls: `listProducts({ client, ... })`. They throw a `MarketplaceError`. */
  client: Client
}

/**
 * Opens a connection to the marketplace at an address, with tokens from a source or without any.
 */
export function connect(
  baseUrl: string,
  tokens: TokenSource | undefined,
  { fetch = (request) => globalThis.fetch(request), wait = waitForReal }: Surroundings,
): Connection {
  const base = baseUrl.replace(/\/+$/, '')
  const send = sender({ fetch, wait, tokens })
  const client = createClient({
    baseUrl: base,
    fetch: (input: string | URL | Request, init?: RequestInit) => {
      const request = new Request(input, init)
      return send(() => request.clone())
    },
    throwOnError: true,
    // Calls name their client among what the request is made of, where Deno expects one of its own.
    requestValidator: async (options) => {
      delete (options as { client?: Client }).client
    },
  })
  client.interceptors.error.use((failure, response, request, { throwOnError = true }) => {
    if (request?.signal.aborted) {
      // Returned, a reason such as 0 or '' would be thrown as {}.
      if (throwOnError) throw request.signal.reason
      return request.signal.reason
    }
    return response === undefined ? errorOfFailure(failure) : errorOfBody(failure, response)
  })
  return { baseUrl: base, send, wait, client }
}
