import { type RequestOptions, request as requestHttps } from 'node:https'
import { isIP, type Socket } from 'node:net'
import { request as requestHttp } from '../../../http/node-http.ts'
import { portOf } from '../addresses/allowed-hosts.ts'
import { hostOf } from '../addresses/endpoint-url.ts'
import { AttemptError, attemptErrorOf, type Stage } from '../attempts/attempt-reasons.ts'
import type { Agents, ProxiedRequest } from './agents.ts'
import { type ReceiverAnswer, readAnswer } from './read-answer.ts'

const ANSWER_HEADERS_MAX_BYTES = 16 * 1024
/**
 * Interim responses (RFC 9110, 15.2) before the final one; each may be as large as the limit of
 * headers.
 */
const INTERIM_ANSWERS_MAX = 8

export type Exchange = {
  url: URL
  /** The checked address to connect to; nothing is resolved here. */
  address: string
  headers: Readonly<Record<string, string>>
  body: Uint8Array
  agents: Agents
  /** Points in time of `performance.now()`. */
  connectBy: number
  endBy: number
  /** Milliseconds for the rest of a response after its status is known. */
  answerMs: number
}

/** The receiver closed a kept connection when we began to use it. */
class StaleConnectionError extends Error {}

/**
 * Sends one request and reads the response, up to 64 KiB of it. A response counts when its headers
 * are complete: if the body is too long, too slow or breaks off, the part that came is returned.
 *
 * A kept connection that turns out to be closed is not the receiver's fault: the request is sent
 * once more on a new connection, within the same time.
 *
 * @throws AttemptError when there is no response; AbortError when the agents are closed before it
 *   begins
 */
export async function exchange(input: Exchange): Promise<ReceiverAnswer> {
  try {
    return await exchangeOnce(input, input.agents.kept)
  } catch (error) {
    if (!(error instanceof StaleConnectionError)) throw error
    return exchangeOnce(input, input.agents.fresh)
  }
}

async function exchangeOnce(input: Exchange, agents: Agents['kept']): Promise<ReceiverAnswer> {
  const { url } = input
  input.agents.closing.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<ReceiverAnswer>()
  const isTls = url.protocol === 'https:'
  const host = hostOf(url)
  const options: RequestOptions & ProxiedRequest = {
    method: 'POST',
    agent: isTls ? agents.https : agents.http,
    host: input.address,
    port: portOf(url),
    path: `${url.pathname}${url.search}`,
    // An address is not a server name (RFC 6066, 3); the certificate is still checked against it.
    servername: isIP(host) === 0 ? host : '',
    headers: input.headers,
    maxHeaderSize: ANSWER_HEADERS_MAX_BYTES,
    tunnelBy: Math.min(input.connectBy, input.endBy),
    signal: input.agents.closing,
  }
  const request = (isTls ? requestHttps : requestHttp)(options)

  let stage: Stage = 'connecting'
  let interimAnswers = 0
  let stopReading: (() => void) | undefined
  const fail = (error: Error) => {
    if (stopReading !== undefined) stopReading()
    else if (request.reusedSocket && interimAnswers === 0 && isReset(error)) {
      reject(new StaleConnectionError())
    } else reject(attemptErrorOf(error, stage))
    request.destroy()
  }
  const failLate = (code: 'connect_timeout' | 'timeout') =>
    fail(
      input.agents.isProxied && stage === 'connecting'
        ? new AttemptError('proxy_failed', {
            cause: new Error('the proxy did not connect in time'),
          })
        : new AttemptError(code),
    )
  const connectTimer = setTimeout(
    () => failLate('connect_timeout'),
    input.connectBy - performance.now(),
  )
  const endTimer = setTimeout(() => failLate('timeout'), input.endBy - performance.now())

  request.on('error', fail)
  request.on('socket', (socket) =>
    followStages(socket, isTls && !request.reusedSocket, (reached) => {
      stage = reached
      if (stage === 'sent') clearTimeout(connectTimer)
    }),
  )
  request.on('information', () => {
    interimAnswers += 1
    if (interimAnswers === INTERIM_ANSWERS_MAX + 1) fail(new AttemptError('answer_malformed'))
  })
  // We never ask for another protocol, so an upgrade is a failure.
  request.on('upgrade', (_, socket) => {
    fail(new AttemptError('answer_malformed'))
    socket.destroy()
  })
  request.on('response', (response) => {
    stopReading = readAnswer(response, input.answerMs, resolve)
  })
  request.end(input.body)

  return promise.finally(() => {
    clearTimeout(connectTimer)
    clearTimeout(endTimer)
  })
}

/**
 * Reports how far a request has come. With TLS through a proxy, the first stage is the handshake.
 */
function followStages(socket: Socket, hasHandshake: boolean, reach: (stage: Stage) => void): void {
  const connected: Stage = hasHandshake ? 'handshake' : 'sent'
  if (socket.connecting) socket.once('connect', () => reach(connected))
  else reach(connected)
  if (hasHandshake) socket.once('secureConnect', () => reach('sent'))
}

function isReset(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ECONNRESET' || error.code === 'EPIPE'
}
