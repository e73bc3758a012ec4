import { errorOfBody, errorOfFailure } from '../errors.ts'
import { type Client, createClient } from '../generated/client/index.ts'
import type { TokenSource } from '../tokens/token-source.ts'
import { type Send, sender } from './send.ts'
import { type Wait, wait as waitForReal } from './wait.ts'

/** What differs between a server, a browser and a test. */
export type Surroundings = {
  /** Default: the global `fetch`. */
  fetch?: ((request: Request) => Promise<Response>) | undefined
  wait?: Wait | undefined
}

/** A way to one marketplace with one kind of token. */
export type Connection = {
  /** Without a slash at the end. */
  baseUrl: string
  send: Send
  wait: Wait
  /** For the generated calls: `listProducts({ client, ... })`. They throw a `MarketplaceError`. */
  client: Client
}

/** Opens a way to the marketplace at an address, with the tokens of a source or with none. */
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
  })
  client.interceptors.error.use((body, response) =>
    response === undefined ? errorOfFailure(body) : errorOfBody(body, response),
  )
  return { baseUrl: base, send, wait, client }
}
