import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import Fastify from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { App } from '../../../src/http/app-type.ts'
import {
  takeRequestsInOrder,
  WAITING_MAX,
  WAITING_MAX_BYTES,
} from '../../../src/http/fair-share/requests-in-order.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { waitUntil } from '../../setup/server-process.ts'

let app: App
let begun: string[]
/** Lets the oldest request that is being served have its answer. */
let answerOne: () => void
let waiting: (() => void)[]
beforeAll(async () => {
  app = Fastify() as unknown as App
  takeRequestsInOrder(app.server, () => {})
  app.all('/*', async ({ url, body }) => {
    begun.push(body === undefined ? url : `${url} ${JSON.stringify(body)}`)
    await new Promise<void>((resolve) => waiting.push(resolve))
    return url
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.close())
beforeEach(() => {
  begun = []
  waiting = []
  answerOne = () => waiting.shift()?.()
})

async function connected(port = (app.server.address() as AddressInfo).port) {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  let received = ''
  let isClosed = false
  socket
    .setEncoding('utf8')
    .on('data', (text) => {
      received += text
    })
    .on('error', () => {})
    .on('close', () => {
      isClosed = true
    })
  return {
    socket,
    send: (...requests: string[]) => socket.write(requests.join('')),
    bodies: () =>
      received
        .split('\r\n\r\n')
        .slice(1)
        .map((part) => part.split('HTTP/1.1')[0]),
    statuses: () => [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status)),
    isClosed: () => isClosed,
  }
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`
const post = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`

test('a request of a connection is begun when the one before has its answer', async () => {
  const client = await connected()
  client.send(get('/1'), post('/2', '{"a":1}'), get('/3'))
  const expected = ['/1', '/2 {"a":1}', '/3']
  for (const count of [1, 2, 3]) {
    await waitUntil(() => waiting.length > 0)
    // Another connection is served meanwhile, so that what was to be begun would have been.
    const other = await connected()
    other.send(get('/other'))
    await waitUntil(() => waiting.length > 1)
    waiting.pop()?.()
    await waitUntil(() => other.statuses().length === 1)
    other.socket.destroy()
    expect(begun.filter((one) => one !== '/other')).toEqual(expected.slice(0, count))
    answerOne()
  }
  await waitUntil(() => client.bodies().length === 3)
  expect(client.bodies()).toEqual(['/1', '/2', '/3'])
  client.send(get('/4'))
  await waitUntil(() => waiting.length > 0)
  answerOne()
  await waitUntil(() => client.bodies().length === 4)
  client.socket.destroy()
})

test('as many as may wait are served, and a client that sends one more is cut off', async () => {
  const requests = Array.from({ length: WAITING_MAX + 1 }, (_, index) => get(`/${index}`))
  const client = await connected()
  client.send(...requests)
  for (const _ of requests) {
    await waitUntil(() => waiting.length === 1)
    answerOne()
  }
  await waitUntil(() => client.statuses().length === requests.length)
  begun = []
  client.send(...requests, get('/one-more'), get('/and-another'))
  await waitUntil(() => client.isClosed())
  expect(begun).toEqual(['/0'])
  answerOne()
})

describe('a client that sends little ahead at a time', () => {
  const long = `x-long: ${'x'.repeat(15_000)}\r\n`
  const longGet = (path: string) => get(path).replace('\r\n\r\n', `\r\n${long}\r\n`)

  test('is served, however much it sends in the end', async () => {
    const client = await connected()
    client.send(longGet('/0'), longGet('/1'))
    for (let sent = 2; sent < 12; sent++) {
      await waitUntil(() => waiting.length === 1)
      client.send(longGet(`/${sent}`))
      answerOne()
      await waitUntil(() => client.statuses().length === sent - 1)
    }
    for (const count of [11, 12]) {
      await waitUntil(() => waiting.length === 1)
      answerOne()
      await waitUntil(() => client.statuses().length === count)
    }
    client.socket.destroy()
    expect(begun).toEqual(Array.from({ length: 12 }, (_, index) => `/${index}`))
  })

  test('is cut off when it sends too much', async () => {
    const client = await connected()
    const count = Math.ceil((2 * WAITING_MAX_BYTES) / long.length) + 2
    expect(count).toBeLessThan(WAITING_MAX)
    client.send(get('/0'))
    await waitUntil(() => waiting.length === 1)
    client.send(...Array.from({ length: count }, (_, index) => longGet(`/${index + 1}`)))
    await waitUntil(() => client.isClosed())
    answerOne()
    expect(begun).toEqual(['/0'])
  })

  test('is cut off when it sends too much in bodies', async () => {
    const client = await connected()
    const body = JSON.stringify('x'.repeat(30_000))
    client.send(get('/0'))
    await waitUntil(() => waiting.length === 1)
    client.send(...Array.from({ length: 6 }, (_, index) => post(`/${index + 1}`, body)))
    await waitUntil(() => client.isClosed())
    answerOne()
    expect(begun).toEqual(['/0'])
  })
})

test('what a client had sent ahead is not begun once it has gone', async () => {
  const client = await connected()
  client.send(get('/gone-1'), get('/gone-2'))
  await waitUntil(() => waiting.length === 1)
  client.socket.resetAndDestroy()
  await waitUntil(() => openConnections().then((count) => count === 0))
  answerOne()
  const other = await connected()
  other.send(get('/other'))
  await waitUntil(() => waiting.length === 1)
  answerOne()
  await waitUntil(() => other.statuses().length === 1)
  other.socket.destroy()
  expect(begun).toEqual(['/gone-1', '/other'])
})

function openConnections(): Promise<number> {
  return new Promise((resolve, reject) => {
    app.server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
}

test('a marketplace answers what is sent ahead in its order', async () => {
  const market: TestMarketplace = await startMarketplace()
  try {
    const client = await connected(Number(new URL(market.url).port))
    const paths = ['/v1/Apps', '/nowhere', '/livez', '/v1/Developer', '/v1/Permissions']
    client.send(...paths.map(get))
    await waitUntil(() => client.statuses().length === paths.length)
    expect(client.statuses()).toEqual([200, 404, 200, 401, 200])
    client.socket.destroy()
  } finally {
    await market.close()
  }
})
