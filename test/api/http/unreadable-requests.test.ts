import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectEvents, type LoggedMarketplace, startLogged } from '../../setup/logged.ts'

let market: LoggedMarketplace
beforeAll(async () => {
  market = await startLogged()
})
afterAll(() => market.close())

/** Sends these bytes on a connection of their own. */
async function answerTo(bytes: string): Promise<{ status: number; id: string; body: string }> {
  const { hostname, port } = new URL(market.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(bytes)
  const answer = await text(socket)
  const [, status] = /^HTTP\/1\.1 (\d+)/.exec(answer) ?? []
  const [, id = ''] = /x-request-id: (\S+)/i.exec(answer) ?? []
  return { status: Number(status), id, body: answer.slice(answer.indexOf('\r\n\r\n') + 4) }
}
const get = (path: string, more = '') =>
  `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${more}\r\n`

test.each([
  ['an address that cannot be decoded', get('/%zz'), 400],
  ['one that is no text', get('/v1/Apps/%ff'), 400],
  ['a parameter that is too long', get(`/v1/Apps/${'x'.repeat(600)}`), 404],
  ['too long a header', get('/livez', `x-long: ${'x'.repeat(20_000)}\r\n`), 431],
  ['what is no HTTP request', 'hello\r\n\r\n', 400],
])('the request id of %s leads to one line of the log', async (_, bytes, status) => {
  let answer = { status: 0, id: '', body: '' }
  const lines = await market.loggedDuring(async () => {
    answer = await answerTo(bytes)
  })
  expect(answer.status).toBe(status)
  const own = expectEvents(lines).filter(({ reqId, level }) => {
    return reqId === answer.id && level === 'info'
  })
  expect(own).toMatchObject([{ status, address: '127.0.0.1' }])
})

const post = (more: string) =>
  `POST /v1/Auth HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n${more}\r\n`

describe('a transfer coding', () => {
  test.each(['gzip, chunked', 'identity, chunked'])(
    'besides chunks is refused: %s',
    async (coding) => {
      const { status, body } = await answerTo(
        `${post(`transfer-encoding: ${coding}\r\n`)}0\r\n\r\n`,
      )
      expect(status).toBe(400)
      expect(body).toContain('The only Transfer-Encoding that this server takes is chunked.')
    },
  )

  test('of chunks has a name in any case', async () => {
    const sent = `${post('transfer-encoding: CHUNKED\r\n')}2\r\n{}\r\n0\r\n\r\n`
    expect((await answerTo(sent)).body).toContain('/clientId')
  })
})

describe('a request about the whole server', () => {
  test.each(['GET', 'HEAD', 'POST', 'DELETE'])('is refused with %s', async (method) => {
    const sent = `${method} * HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`
    expect((await answerTo(sent)).status).toBe(400)
  })
})

test('requests whose address cannot be routed are counted with those to an address where there is nothing', async () => {
  const { requests } = market.deps.measures
  const nowhere = () => {
    const all = requests.all().filter(({ route, method }) => route === 'none' && method === 'GET')
    expect(all.length).toBeLessThan(2)
    return all[0]?.classes.reduce((sum, count) => sum + count, 0) ?? 0
  }
  const before = nowhere()
  for (const path of ['/nothing', '/%zz', `/v1/Apps/${'x'.repeat(600)}`]) await answerTo(get(path))
  await expect.poll(nowhere).toBe(before + 3)
})
