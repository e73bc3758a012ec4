import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { createMeasures } from '../../../src/base/measures/measures.ts'
import { limitRest } from '../../../src/http/fair-share/rest-of-body.ts'
import { limitSmallChunks, SMALL_CHUNKS_MAX } from '../../../src/http/fair-share/small-chunks.ts'
import { answerClientError } from '../../../src/http/unparsable-requests.ts'
import { waitUntil } from '../../setup/server-process.ts'

let app: FastifyInstance
afterEach(() => app.close())

/** A connection to a server that refuses every POST before it reads the body. */
async function connected({ noticeMs }: { noticeMs: number }) {
  const deps = {
    config: { publicUrl: 'https://x.example' },
    log: { info: () => {} },
    measures: createMeasures(),
  } as unknown as Parameters<typeof answerClientError>[2]
  app = Fastify({
    http: { connectionsCheckingInterval: 10 },
    clientErrorHandler: (error, socket) => answerClientError(error, socket, deps),
  })
  limitSmallChunks(app.server)
  app.addHook('onRequest', async ({ raw }, reply) => limitRest(raw, reply.raw, noticeMs))
  app.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'POST') reply.code(401).send('no')
    else done()
  })
  app.route({ method: ['GET', 'POST'], url: '/', handler: async () => 'yes' })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  let received = ''
  socket.setEncoding('utf8').on('data', (text) => {
    received += text
  })
  socket.on('error', () => {})
  await once(socket, 'connect')
  return {
    socket,
    closed: closedOf(socket),
    statuses: () => [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status)),
  }
}

/** Resolves when a connection has ended, in whatever way. */
function closedOf(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => socket.once('close', resolve))
}

const post = (header: string) => `POST / HTTP/1.1\r\nhost: x\r\n${header}\r\n\r\n`
const FOR_EVER_MS = 600_000

test('who goes on slowly with a refused body is hung up on', async () => {
  const { socket, closed, statuses } = await connected({ noticeMs: 200 })
  socket.write(post('content-length: 100000'))
  const drip = setInterval(() => socket.write('x'), 10)
  await closed
  clearInterval(drip)
  expect(statuses()).toEqual([401])
})

test.each(['keep-alive', 'close'])(
  'who goes on in small chunks with a refused body is hung up on at once: %s',
  async (connection) => {
    const { socket, closed, statuses } = await connected({ noticeMs: FOR_EVER_MS })
    let taken = 0
    app.server.prependListener('request', (request: IncomingMessage) => {
      request.on('close', () => {
        taken = request.socket.bytesRead
      })
    })
    const chunks = '1\r\nx\r\n'.repeat(100 * SMALL_CHUNKS_MAX)
    socket.write(post(`connection: ${connection}\r\ntransfer-encoding: chunked`))
    if (connection === 'keep-alive') await waitUntil(() => statuses().length === 1)
    socket.write(chunks)
    await closed
    expect(statuses()).toEqual([401])
    expect(taken).toBeLessThan(chunks.length / 4)
  },
)

test('the limit of the whole request makes no second answer, and takes no time away', async () => {
  const { socket, statuses } = await connected({ noticeMs: FOR_EVER_MS })
  socket.write(post('content-length: 2'))
  await waitUntil(() => statuses().length === 1)
  // Only now, so that the request itself is never too slow for it.
  onTestFinished(() => {
    app.server.requestTimeout = 0
  })
  app.server.requestTimeout = 50
  // A second connection runs into the limit, which is looked at for all connections together.
  const slow = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  slow.on('error', () => {}).resume()
  slow.write('GET / HTTP/1.1\r\n')
  await closedOf(slow)
  app.server.requestTimeout = 0
  socket.write('ab')
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await waitUntil(() => statuses().length === 2)
  expect(statuses()).toEqual([401, 200])
  socket.destroy()
})

test('a rest that is malformed gets no second answer', async () => {
  const { socket, closed, statuses } = await connected({ noticeMs: FOR_EVER_MS })
  socket.write(post('transfer-encoding: chunked'))
  await waitUntil(() => statuses().length === 1)
  socket.write('no number\r\n')
  await closed
  expect(statuses()).toEqual([401])
})

test('a body that is malformed from the start gets one answer at most', async () => {
  const { socket, closed, statuses } = await connected({ noticeMs: FOR_EVER_MS })
  socket.write(`${post('transfer-encoding: chunked')}no number\r\n`)
  await closed
  expect(statuses().length).toBeLessThan(2)
})

test('who sends the rest keeps the connection, on which later requests are answered', async () => {
  const { socket, closed, statuses } = await connected({ noticeMs: FOR_EVER_MS })
  socket.write(post('content-length: 5'))
  await waitUntil(() => statuses().length === 1)
  socket.write('hello')
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await waitUntil(() => statuses().length === 2)
  socket.write('nonsense\r\n\r\n')
  await closed
  expect(statuses()).toEqual([401, 200, 400])
})
