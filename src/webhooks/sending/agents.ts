import type { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { TcpSocketConnectOpts } from 'node:net'
import { Agent } from '../../http/node-http.ts'
import { openTunnel } from './proxy-tunnel.ts'

/** As many requests as one process has in flight: no request ever waits for a socket. */
const MAX_SOCKETS = 512
/** As many as one endpoint has in flight. */
const MAX_IDLE_SOCKETS_PER_RECEIVER = 4
/** Less than the 5 s after which Node's and other servers close an idle connection. */
const IDLE_TIMEOUT_MS = 4000

/** Connections of one kind: to receivers with TLS, and to allowed ones without. */
type AgentPair = { https: HttpsAgent; http: HttpAgent }

/** The connections of a process. A connection is only used again for the address it was made to. */
export type Agents = {
  /** Connections that are kept for the next request. */
  kept: AgentPair
  /** A new connection for each request. */
  fresh: AgentPair
  /** Whether a proxy makes the connections; then one that was not made is the proxy's fault. */
  isProxied: boolean
  /** Closes all connections, also those that are in use. */
  close(): void
}

/** What a request tells agents that use a proxy, beside the options of Node. */
export type ProxiedRequest = {
  /** When the proxy must have connected: a point in time of `performance.now()`. */
  tunnelBy: number
}

/**
 * Makes the agents of a process.
 *
 * @param proxyUrl WEBHOOK_PROXY_URL; all connections go through this proxy. It may be anywhere: the
 *   operator chose it
 * @param ca certificates to trust instead of Node's; for tests
 */
export function createAgents({
  proxyUrl,
  ca,
}: {
  proxyUrl?: string | undefined
  ca?: string | undefined
} = {}): Agents {
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
      useProxy(pair, new URL(proxyUrl))
    }
    return pair
  }
  const kept = pairOf(true)
  const fresh = pairOf(false)
  return {
    kept,
    fresh,
    isProxied: proxyUrl !== undefined,
    close() {
      for (const { https, http } of [kept, fresh]) {
        https.destroy()
        http.destroy()
      }
    },
  }
}

/**
 * Makes agents connect through a proxy. Node's own `proxyEnv` sends http requests to the proxy as
 * they are instead of through CONNECT, and does not say whose fault an error is.
 */
function useProxy({ https, http }: AgentPair, proxyUrl: URL): void {
  const tunnel = (options: object) => {
    const { host = '', port, tunnelBy } = options as TcpSocketConnectOpts & ProxiedRequest
    return openTunnel(proxyUrl, { address: host, port }, tunnelBy - performance.now())
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
