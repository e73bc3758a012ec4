import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { currentDeadline, type Deadline } from '../../../src/base/fair-share/deadline.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { call } from '../../setup/client.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

const json = 'content-type: application/json\r\ncontent-length: '
const REQUESTS = [
  ['GET /v1/Apps', '', '', 200],
  ['GET /nothing', '', '', 404],
  ['GET /nothing', 'accept: text/html\r\n', '', 404],
  ['GET /v1/Products', '', '', 401],
  ['POST /v1/Auth', `${json}1\r\n`, '{', 400],
  ['POST /v1/Auth', `${json}100000\r\n`, '{', 413],
  ['POST /oauth/token', 'content-type: x\r\ncontent-length: 1\r\n', 'x', 415],
] as const

/** What the server sends until it closes the connection, and nothing after that. */
async function answerTo(head: string, body: string): Promise<string> {
  const { port } = market.app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  socket.write(`${head}\r\n\r\n${body}`)
  const received = await text(socket)
  if (!socket.closed) await once(socket, 'close')
  return received
}

test.each(REQUESTS)(
  '%s (%j, %j) with Connection: close has an answer that says so: %i',
  async (...asked) => {
    const [line, headers, body, status] = asked
    const answer = await answerTo(
      `${line} HTTP/1.1\r\nhost: x\r\n${headers}connection: close`,
      body,
    )
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(answer).toMatch(/\r\nconnection: close\r\n/i)
  },
)

test.each(REQUESTS)(
  '%s (%j, %j) in HTTP/1.0 has an answer that ends the connection and says so: %i',
  async (...asked) => {
    const [line, headers, body, status] = asked
    const answer = await answerTo(
      `${line} HTTP/1.0\r\nhost: x${headers && `\r\n${headers.trim()}`}`,
      body,
    )
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(answer).toMatch(/\r\nconnection: close\r\n/i)
  },
)

test.each(REQUESTS.filter(([, , , status]) => status !== 413))(
  '%s (%j, %j) leaves the connection to the next request: %i',
  async (line, headers, body, status) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const [method, path] = line.split(' ')
    const named = headers
      .split('\r\n')
      .filter(Boolean)
      .map((header) => header.split(': '))
    const ask = async () => {
      const sent = request(market.url, { agent, method, path, headers: Object.fromEntries(named) })
      sent.end(body)
      const [answer] = (await once(sent, 'response')) as [IncomingMessage]
      await text(answer)
      expect(answer.statusCode).toBe(status)
      return sent.reusedSocket
    }
    expect([await ask(), await ask()]).toEqual([false, true])
    agent.destroy()
  },
)

test('the deadline of a request that is over keeps nothing of the request', async () => {
  const { pool } = market.deps
  let deadline: Deadline | undefined
  const { query } = pool
  // Some of its statements are shared with other requests, and are nobody's.
  const spy = vi.spyOn(pool, 'query').mockImplementation(((...given: unknown[]) => {
    const current = currentDeadline()
    if (typeof current?.caller === 'string') deadline ??= current
    return Reflect.apply(query, pool, given)
  }) as never)
  onTestFinished(() => spy.mockRestore())
  // Its wrong password is looked for on a connection, which remembers the deadline.
  await call(market, 'POST', '/v1/Auth', { body: { clientId: 'x', password: 'y' } })
  expect(deadline?.caller).toMatch(/^address /)
  await expect
    .poll(() => Object.values(deadline ?? {}).map((one) => typeof one))
    .not.toContain('object')
})
