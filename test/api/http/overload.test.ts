import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import Fastify from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AppError } from '../../../src/errors.ts'
import type { App } from '../../../src/http/app-type.ts'
import { shedOverload } from '../../../src/http/rate-limits/overload.ts'
import { waitUntil } from '../../setup/server-process.ts'

/** Longer than the requests of one turn may take. */
const BUSY_MS = 2_100

let app: App
let begun: string[]
/** What happens at the end of a long turn. */
let onBusy: () => void
beforeAll(async () => {
  app = Fastify() as unknown as App
  shedOverload(app)
  app.setErrorHandler((error: AppError, _request, reply) =>
    reply.code(error.status).send({ code: error.code, ...error.options }),
  )
  app.get('/*', async ({ url }) => {
    begun.push(url)
    if (url.startsWith('/busy')) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS)
      onBusy()
    }
    return url
  })
  app.get('/livez', async ({ url }) => {
    begun.push(url)
    return url
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.close())
beforeEach(() => {
  begun = []
  onBusy = () => {}
})

/** Requests that are sent at once on one connection come in the same turn. */
async function connected() {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  let received = ''
  socket.setEncoding('utf8').on('data', (text) => {
    received += text
  })
  return {
    socket,
    send(paths: readonly string[]) {
      socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`).join(''))
    },
    statuses: () => [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status)),
    received: () => received,
  }
}

test('requests that cannot be begun in their turn are refused, and later ones served', async () => {
  const many = await connected()
  many.send(['/busy-1', '/busy-2', '/after', '/livez'])
  await waitUntil(() => many.statuses().length === 4)
  expect(many.statuses()).toEqual([200, 200, 503, 200])
  expect(many.received()).toContain('"code":"unavailable"')
  expect(many.received()).toContain('"retryAfterSeconds":2')
  const later = await connected()
  later.send(['/later'])
  await waitUntil(() => later.statuses().length === 1)
  expect(later.statuses()).toEqual([200])
  for (const { socket } of [many, later]) socket.destroy()
})

test('a request whose client has gone in a long turn is not begun', async () => {
  const { socket, send } = await connected()
  onBusy = () => socket.destroy()
  send(['/busy-1', '/gone'])
  await waitUntil(() => begun.includes('/busy-1'))
  const later = await connected()
  later.send(['/later'])
  await waitUntil(() => later.statuses().length === 1)
  expect(begun).not.toContain('/gone')
  later.socket.destroy()
})
