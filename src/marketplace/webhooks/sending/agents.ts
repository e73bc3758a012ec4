import type { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { TcpSocketConnectOpts } from 'node:net'
import { Agent } from '../../../http/node-http.ts'
import { openTunnel } from './proxy-tunnel.ts'

/** As many requests as a process has in flight, so no request waits for a socket. */
const MAX_SOCKETS = 512
/** As many requests as an endpoint has in flight. */
const MAX_IDLE_SOCKETS_PER_RECEIVER = 4
/** Shorter than the 5 s after which Node and other servers close an idle connection. */
const IDLE_TIMEOUT_MS = 4000

/** Agents for receivers with TLS, and for allowed receivers without. */
type AgentPair = { https: HttpsAgent; http: HttpAgent }

/** The connections of a process. A connection is reused only for the address it was made to. */
export type Agents = {
  /** Keeps connections for later requests. */
  kept: AgentPair
  /** Makes a new connection for each request. */
  fresh: AgentPair
  /** Whether a proxy makes the connections; then a failed connection is the proxy's fault. */
  isProxied: boolean
  /** Aborted by `close`: no request begins after it, and none is sent once more. */
  closing: AbortSignal
  /** Ends all requests, whatever they wait for, and closes all connections. */
  close(): void
}

/** An option that agents with a proxy read from a request, beside Node's own options. */
export type ProxiedRequest = {
  /** When the proxy must have connected, in the time of `performance.now()`. */
  tunnelBy: number
}

/**
 * Makes the agents of a process.
 *
 * @param proxyUrl WEBHOOK_PROXY_URL: all connections go through this proxy, at any address, because
 *   the operator chose it
 * @param ca certificates to trust instead of Node's; for tests
 */
export function createAgents({
  proxyUrl,
  ca,
}: {
  proxyUrl?: string | undefined
  ca?: string | undefined
} = {}): Agents {
  const closing = new AbortController()
  const pairOf = (keepAlive: boolean): AgentPair => {
    const options = {
      keepAlive,
      maxSockets: MAX_SOCKETS,
      maxFreeSockets: MAX_IDLE_SOCKETS_PER_RECEIVER,
      timeout: IDLE_TIMEOUT_MS,
    }
    const pair = {
      https: new HttpsAgent({ ...options, ...(ca === undefined ? {} : { ca }) }),
      http: new Agent(options),
    }
    if (proxyUrl !== undefined) {
      useProxy(pair, new URL(proxyUrl), closing.signal)
    }
    return pair
  }
  const kept = pairOf(true)
  const fresh = pairOf(false)
  return {
    kept,
    fresh,
    isProxied: proxyUrl !== undefined,
    closing: closing.signal,
    close() {
      closing.abort()
      for (const { https, http } of [kept, fresh]) {
        https.destroy()
        http.destroy()
      }
    },
  }
}

/**
 * Makes the agents connect through a proxy. Node's own `proxyEnv` does not fit: it sends http
 * requests to the proxy without CONNECT, and does not tell whose fault an error is.
 */
function useProxy({ https, http }: AgentPair, proxyUrl: URL, closing: AbortSignal): void {
  const tunnel = (options: object) => {
    const { host = '', port, tunnelBy } = options as TcpSocketConnectOpts & ProxiedRequest
    const timeoutMs = tunnelBy - performance.now()
    return openTunnel(proxyUrl, { address: host, port }, { timeoutMs, signal: closing })
  }
  const startTls = https.createConnection.bind(https)
  https.createConnection = (options, callback) => {
    tunnel(options).then(
      (socket) => callback?.(null, startTls({ ...options, ...{ socket } }) as never),
      (error) => callback?.(error, undefined as never),
    )
    return undefined
  }
  http.createConnection = (options, callback) => {
    tunnel(options).then(
      (socket) => callback?.(null, socket),
      (error) => callback?.(error, undefined as never),
    )
    return undefined
  }
}
