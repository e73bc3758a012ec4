import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import type { App } from '../../../src/http/app-type.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { waitUntil } from '../../setup/server-process.ts'

/** Longer than the requests of one turn may take. */
const BUSY_MS = 2_100

let market: TestMarketplace
let app: App
/** What happens at the end of a long turn. */
let onBusy: () => void
beforeAll(async () => {
  market = await startMarketplace()
  app = await buildApp({
    deps: market.deps,
    version: 'test',
    readiness: async () => undefined,
    async beforeRoutes(one) {
      one.addHook('onRequest', (request, _reply, done) => {
        if (request.url.endsWith('?busy')) {
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS)
          onBusy()
        }
        done()
      })
    },
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await app.close()
  await market.close()
})
beforeEach(() => {
  onBusy = () => {}
})

/** A browser that sends all its requests at once, each on a connection of its own. */
async function browser(connections: number) {
  const sockets: Awaited<ReturnType<typeof connection>>[] = []
  while (sockets.length < connections) sockets.push(await connection())
  const headers = 'host: x\r\naccept: text/html,*/*;q=0.8\r\naccept-encoding: br, gzip'
  return {
    leave() {
      for (const { socket } of sockets) socket.destroy()
    },
    open(paths: readonly string[]) {
      for (const [index, path] of paths.entries()) {
        sockets[index]?.socket.write(`GET ${path} HTTP/1.1\r\n${headers}\r\n\r\n`)
      }
    },
    answers: () => sockets.flatMap(({ received }) => received().split('HTTP/1.1 ').slice(1)),
  }
}

/** A connection that the server has taken: then what comes on several at once comes in one turn. */
async function connection() {
  const taken = once(app.server, 'connection')
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  let received = ''
  socket.setEncoding('latin1').on('data', (text) => {
    received += text
  })
  await Promise.all([taken, once(socket, 'connect')])
  return { socket, received: () => received }
}

/** What the operator's alert of failed requests looks at. */
function counted() {
  const { problems, requests } = market.deps.measures
  const failed = requests.all().reduce((sum, { classes }) => sum + (classes[4] ?? 0), 0)
  return { unavailable: problems.unavailable ?? 0, failed }
}

test('a browser that is refused gets a small problem document, uncompressed', async () => {
  const { leave, open, answers } = await browser(3)
  open(['/docs?busy', '/docs?busy', '/docs'])
  await waitUntil(() => answers().length === 3 && answers()[2]?.endsWith('}') === true)
  const [first, second, refusal = ''] = answers()
  expect([first?.slice(0, 3), second?.slice(0, 3), refusal.slice(0, 3)]).toEqual([
    '200',
    '200',
    '503',
  ])
  const [head = '', body = ''] = refusal.split('\r\n\r\n')
  expect(head).toMatch(/^content-type: application\/problem\+json; charset=utf-8\r?$/m)
  expect(head).toMatch(/^retry-after: 2\r?$/m)
  expect(head).toMatch(/^x-content-type-options: nosniff\r?$/m)
  expect(head).not.toMatch(/^content-encoding/m)
  const requestId = /^x-request-id: (\S+)$/m.exec(head)?.[1]
  expect(JSON.parse(body)).toMatchObject({ code: 'unavailable', status: 503, requestId })
  expect(body.length).toBeLessThan(500)
  expect(counted()).toEqual({ unavailable: 1, failed: 1 })
  leave()
})

test('a request whose client has gone is neither answered nor counted', async () => {
  const before = counted()
  const gone = await browser(2)
  const isGone = new Promise<void>((resolve) => {
    onBusy = () => {
      gone.leave()
      resolve()
    }
  })
  gone.open(['/docs?busy', '/docs'])
  await isGone
  const later = await browser(1)
  later.open(['/docs'])
  await waitUntil(() => later.answers().length === 1)
  expect(counted()).toEqual(before)
  later.leave()
})
