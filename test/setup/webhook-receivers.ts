import { once } from 'node:events'
import {
  createServer as createHttpServer,
  type Server as HttpServer,
  type IncomingMessage,
  type RequestListener,
} from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { onTestFinished } from 'vitest'
import { createAgents } from '../../src/marketplace/webhooks/sending/agents.ts'
import { type Attempt, sendAttempt } from '../../src/marketplace/webhooks/sending/send-attempt.ts'
import { certificateFor, type TestCertificate } from './certificate.ts'

/** The name that receivers with TLS have a certificate for. */
export const RECEIVER_NAME = 'receiver.example.com'
const receiverCertificate = certificateFor([RECEIVER_NAME, '127.0.0.1'])

type Received = {
  method: string | undefined
  url: string | undefined
  headers: IncomingMessage['headers']
  body: Buffer
}

/** A server on loopback and all that it has seen. */
export type Receiver = {
  port: number
  /** Each connection that it took, also closed ones. */
  connections: Socket[]
  received: Received[]
}

async function listen(server: Server, address = '127.0.0.1', port = 0): Promise<Receiver> {
  const receiver: Receiver = { port: 0, connections: [], received: [] }
  server.on('connection', (socket: Socket) => {
    receiver.connections.push(socket)
    socket.on('error', () => {})
  })
  server.listen(port, address)
  await once(server, 'listening')
  receiver.port = (server.address() as AddressInfo).port
  onTestFinished(() => {
    for (const socket of receiver.connections) socket.destroy()
    server.close()
  })
  return receiver
}

async function listenHttp(server: HttpServer, answer: RequestListener): Promise<Receiver> {
  const receiver = await listen(server)
  server.on('request', async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method, url, headers } = request
    receiver.received.push({ method, url, headers, body: Buffer.concat(chunks) })
    answer(request, response)
  })
  return receiver
}

const answerOk: RequestListener = (_, response) => void response.end('ok')

export function startReceiver(answer: RequestListener = answerOk): Promise<Receiver> {
  return listenHttp(createHttpServer(), answer)
}

export function startTlsReceiver(
  answer: RequestListener = answerOk,
  certificate: TestCertificate = receiverCertificate,
): Promise<Receiver> {
  return listenHttp(createHttpsServer(certificate), answer)
}

/** A receiver that speaks no HTTP: does what it is told as soon as a request begins to arrive. */
export function startRawReceiver(answer: (socket: Socket) => void): Promise<Receiver> {
  return listen(createServer((socket) => void socket.once('data', () => answer(socket))))
}

/** The same behind TLS. */
export function startRawTlsReceiver(answer: (socket: Socket) => void): Promise<Receiver> {
  const server = createTlsServer(receiverCertificate, (socket) => {
    socket.on('error', () => {})
    socket.once('data', () => answer(socket))
  })
  return listen(server)
}

/** Takes connections, counts their bytes and answers nothing. */
export async function startCanary(
  address = '127.0.0.1',
  port = 0,
): Promise<Receiver & { bytes(): number }> {
  const receiver = await listen(
    createServer((socket) => void socket.resume()),
    address,
    port,
  )
  const bytes = () => receiver.connections.reduce((sum, socket) => sum + socket.bytesRead, 0)
  return { ...receiver, bytes }
}

/** A forward proxy that leads every CONNECT to one port of loopback. */
export async function startProxy(
  targetPort: number,
  answer = 'HTTP/1.1 200 OK\r\n\r\n',
): Promise<Receiver & { requests: string[] }> {
  const requests: string[] = []
  const receiver = await listen(
    createServer((socket) => {
      socket.once('data', (head) => {
        requests.push(String(head))
        socket.write(answer)
        if (!answer.startsWith('HTTP/1.1 200')) return
        const onward = connect(targetPort, '127.0.0.1')
        onward.on('error', () => socket.destroy())
        onward.on('close', () => socket.destroy())
        socket.on('close', () => onward.destroy())
        socket.pipe(onward).pipe(socket)
      })
    }),
  )
  return { ...receiver, requests }
}

/** A name that DNS answers with these addresses. */
export const resolvingTo =
  (...addresses: string[]): NonNullable<Attempt['lookup']> =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

/** Agents that trust the certificate of the receivers here. */
export function testAgents(options: Parameters<typeof createAgents>[0] = {}) {
  const agents = createAgents({ ca: receiverCertificate.cert, ...options })
  onTestFinished(() => agents.close())
  return agents
}

/** Sends `{}`; the name of the URL resolves to 127.0.0.1 and is not allowed unless it is said so. */
export function attempt(url: string, options: Partial<Attempt> = {}) {
  return sendAttempt({
    url,
    body: Buffer.from('{}'),
    headers: {},
    agents: options.agents ?? testAgents(),
    allowedHosts: new Set(),
    timeouts: { connectMs: 60_000, totalMs: 120_000, answerMs: 60_000 },
    lookup: resolvingTo('127.0.0.1'),
    ...options,
  })
}

/** As if the operator had allowed the host of this URL. */
export function allowing(url: string): { allowedHosts: ReadonlySet<string> } {
  const { hostname, port } = new URL(url)
  return { allowedHosts: new Set([`${hostname}:${port}`]) }
}
