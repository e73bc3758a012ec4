import type { IncomingMessage } from 'node:http'
import { isIPv6, type Socket } from 'node:net'
import { request } from '../../../http/node-http.ts'
import { AttemptError } from '../attempts/attempt-reasons.ts'

/** The proxy works but could not reach the receiver (RFC 9110, 15.6.3 and 15.6.5). */
const UNREACHED_STATUSES: readonly unknown[] = [502, 504]

/**
 * Opens a connection to an address through a forward proxy (CONNECT, RFC 9110, 9.3.6).
 *
 * A proxy that answers 502 or 504 could not reach the receiver. Every other failure before its 2xx
 * counts as a fault of the proxy, so that a broken proxy disables no endpoints.
 *
 * @param proxyUrl `http://[user:password@]host:port`
 * @throws AttemptError connect_failed, proxy_failed
 */
export function openTunnel(
  proxyUrl: URL,
  target: { address: string; port: number },
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const address = isIPv6(target.address) ? `[${target.address}]` : target.address
  const authority = `${address}:${target.port}`
  const connect = request({
    method: 'CONNECT',
    host: proxyUrl.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: proxyUrl.port || 80,
    path: authority,
    headers: { host: authority, ...authorization(proxyUrl) },
    agent: false,
    signal,
  })
  const fail = (cause: Error, code: 'connect_failed' | 'proxy_failed' = 'proxy_failed') => {
    reject(new AttemptError(code, { cause }))
    connect.destroy()
  }
  const timer = setTimeout(() => fail(new Error('the proxy did not answer in time')), timeoutMs)
  const refuse = ({ statusCode }: IncomingMessage) =>
    fail(
      new Error(`the proxy answered ${statusCode}`),
      UNREACHED_STATUSES.includes(statusCode) ? 'connect_failed' : 'proxy_failed',
    )
  connect.on('error', (error) => fail(error))
  connect.on('response', refuse)
  connect.on('connect', (answer, socket: Socket, head) => {
    if (answer.statusCode === undefined || answer.statusCode >= 300) {
      refuse(answer)
      socket.destroy()
      return
    }
    if (head.length > 0) socket.unshift(head)
    resolve(socket)
  })
  connect.end()
  return promise.finally(() => clearTimeout(timer))
}

/** Basic authentication (RFC 7617) with the user and password in the URL of the proxy. */
function authorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }
}
