import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { watchConnections } from '../../src/http/open-sockets.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { call, developerToken } from '../setup/client.ts'
import { openCount } from '../setup/clients-that-stop.ts'
import { waitUntil } from '../setup/server-process.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

/** Sends a text and then a byte now and again; resolves when the server closes the connection. */
function trickle(text: string, byte: string): Promise<{ answer: string; openMs: number }> {
  const { hostname, port } = new URL(market.url)
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) })
    // Before the first drip, however long the connection takes.
    socket.write(text)
    const drip = setInterval(() => socket.write(byte), 100)
    let answer = ''
    const openedAt = performance.now()
    socket.setEncoding('utf8').on('data', (part: string) => {
      answer += part
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(drip)
      resolve({ answer, openMs: performance.now() - openedAt })
    })
  })
}

describe('a slow client', () => {
  test('has 10 seconds for its headers and 30 for all of a request', () => {
    const { headersTimeout, requestTimeout, keepAliveTimeout } = market.app.server
    expect({ headersTimeout, requestTimeout }).toEqual({
      headersTimeout: 10_000,
      requestTimeout: 30_000,
    })
    expect(keepAliveTimeout).toBeGreaterThan(60_000)
  })

  test('is closed when its time is over, whatever it sends, while others are served', async () => {
    // On a connection that is open, a request comes at once.
    expect((await call(market, 'GET', '/livez')).status).toBe(200)
    Object.assign(market.app.server, { headersTimeout: 1_000, requestTimeout: 2_000 })
    const slow = Promise.all([
      trickle('GET /livez HTTP/1.1\r\nhost: x\r\n', 'x-a: b\r\n'),
      trickle('GET /', 'a'),
      trickle(
        'POST /v1/Auth HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n{',
        ' ',
      ),
      trickle(
        'POST /login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
        '1\r\n \r\n',
      ),
    ])
    expect((await call(market, 'GET', '/livez')).status).toBe(200)
    const [header, address, body] = await slow
    for (const { answer, openMs } of await slow) {
      // A client that goes on sending may lose the answer with the connection.
      expect(answer).toMatch(/^(HTTP\/1\.1 4\d\d |$)/)
      expect(openMs).toBeLessThan(30_000)
    }
    // It was their time that was up, and nothing else that was wrong with them.
    for (const { openMs } of [header, address]) expect(openMs).toBeGreaterThan(900)
    expect(body.openMs).toBeGreaterThan(1_900)
    expect((await call(market, 'GET', '/livez')).status).toBe(200)
  })

  test('is closed when it does not read its responses, but not while it waits for them', async () => {
    // Before the connections are opened, which may be idle for a second only.
    const token = await developerToken(market)
    watchConnections(market.app.server)
    Object.assign(market.app.server, {
      timeout: 1_000,
      headersTimeout: 10_000,
      requestTimeout: 30_000,
    })
    const { hostname, port } = new URL(market.url)
    const open = async () => {
      const socket = connect({ host: hostname, port: Number(port) })
      await once(
        socket.on('error', () => {}),
        'connect',
      )
      return socket
    }
    const waiting = await open()
    // Nothing happens for longer than a reader may stop: the answer comes when the wait is over.
    waiting.write(
      `GET /v1/Developer/Events?type=webhook.test&wait=3 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`,
    )
    const answered = once(waiting, 'data')
    // More than what the kernel takes in for somebody who does not read.
    const stopped = await open()
    stopped.pause()
    stopped.write('GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(100))
    const { localPort } = stopped
    await waitUntil(() => openCount([{ socket: stopped, localPort }]) === 0)
    expect(String((await answered)[0])).toMatch(/^HTTP\/1\.1 200 /)
    waiting.destroy()
  })
})
