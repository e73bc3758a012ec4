import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import Fastify from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createMeasures } from '../../../src/base/measures/measures.ts'
import type { Deps } from '../../../src/deps.ts'
import type { App } from '../../../src/http/app-type.ts'
import { shedOverload } from '../../../src/http/fair-share/overload.ts'
import { waitUntil } from '../../setup/server-process.ts'

/** Longer than the requests of one turn may take. */
const BUSY_MS = 2_100

let app: App
let begun: string[]
/** What happens at the end of a long turn. */
let onBusy: () => void
let refusals: number
/** What happens when a request is refused, and when a health check is answered. */
let onRefusal: () => void
let onProbe: () => void
beforeAll(async () => {
  app = Fastify() as unknown as App
  const config = { publicUrl: 'https://market.example' }
  app.decorate('deps', { config, measures: createMeasures() } as unknown as Deps)
  app.decorate('warnOfUnavailable', () => {
    refusals += 1
    onRefusal()
  })
  shedOverload(app)
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
    onProbe()
    return url
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.close())
beforeEach(() => {
  begun = []
  refusals = 0
  onBusy = () => {}
  onRefusal = () => {}
  onProbe = () => {}
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
  expect(many.received()).toMatch(/^retry-after: 2\r$/m)
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
  expect(refusals).toBe(0)
  later.socket.destroy()
})

/** What is refused in several turns, and still read at once. */
const MANY = 1_500
const manyRefused = ['/busy-1', '/busy-2', ...Array<string>(MANY).fill('/refused')]

test('a health check is answered between refusals', async () => {
  const [many, probe] = [await connected(), await connected()]
  onRefusal = () => {
    if (refusals === 1) probe.send(['/livez'])
  }
  let refusalsBefore: number | undefined
  onProbe = () => {
    refusalsBefore = refusals
  }
  many.send(manyRefused)
  await waitUntil(() => many.statuses().length === 2 + MANY)
  expect(many.statuses().filter((status) => status === 503)).toHaveLength(MANY)
  expect(refusalsBefore).toBeLessThan(MANY)
  for (const { socket } of [many, probe]) socket.destroy()
})

test('who has gone before its turn to be refused is not refused', async () => {
  const [many, later] = [await connected(), await connected()]
  onRefusal = () => {
    many.socket.destroy()
    if (refusals === 1) later.send(['/later'])
  }
  many.send(manyRefused)
  // Nothing is begun while requests wait for their refusal.
  await waitUntil(() => later.statuses().length === 1)
  expect(later.statuses()).toEqual([200])
  expect(refusals).toBeLessThan(MANY)
  later.socket.destroy()
})
