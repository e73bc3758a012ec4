import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SMALL_CHUNK_BYTES, SMALL_CHUNKS_MAX } from '../../../src/http/fair-share/small-chunks.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { call } from '../../setup/client.ts'
import { newProductParty } from '../../setup/product-client.ts'
import { waitUntil } from '../../setup/server-process.ts'
import { startUpload } from '../../setup/upload.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

async function connected() {
  const { hostname, port } = new URL(market.url)
  const socket = connect(Number(port), hostname)
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
  await once(socket, 'connect')
  return {
    send: (...texts: string[]) => socket.write(texts.join('')),
    statuses: () => [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status)),
    received: () => received,
    isClosed: () => isClosed,
    end: () => socket.destroy(),
  }
}

const begin = (path: string, more = '') =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n${more}\r\n`
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
const END = '0\r\n\r\n'

async function developerToken(): Promise<string> {
  const { clientId, password } = market.demo.developers[0] ?? {}
  return (await call(market, 'POST', '/v1/Auth', { body: { clientId, password } })).body.token
}

describe('a body in more small chunks than any client needs', () => {
  test.each(['/v1/Auth', '/v1/Developer/Token'])(
    'is refused, and its connection closed: %s',
    async (path) => {
      const more = path === '/v1/Auth' ? '' : `authorization: Bearer ${await developerToken()}\r\n`
      const client = await connected()
      client.send(begin(path, more), chunk(' ').repeat(SMALL_CHUNKS_MAX + 1))
      await waitUntil(() => client.isClosed())
      expect(client.statuses()).toEqual([400])
      expect(client.received()).toContain(
        'The body comes in too many small chunks: those of a body with more than 8,192 have to hold more than 8 bytes on average.',
      )
    },
  )

  test('that is sent ahead takes no answer of another request', async () => {
    const client = await connected()
    client.send('GET /livez HTTP/1.1\r\nhost: x\r\n\r\n')
    await waitUntil(() => client.statuses().length === 1)
    // The next answer is not there yet when the body has too many chunks.
    const authorization = `authorization: Bearer ${await developerToken()}`
    client.send(`GET /v1/Developer/Events?wait=30 HTTP/1.1\r\nhost: x\r\n${authorization}\r\n\r\n`)
    client.send(begin('/v1/Auth'), chunk(' ').repeat(SMALL_CHUNKS_MAX + 1))
    await waitUntil(() => client.isClosed())
    expect(client.statuses()).toEqual([200])
  })
})

describe('a body is read', () => {
  const spaces = (count: number) => ' '.repeat(count)

  test('in as many chunks as may be small', async () => {
    const client = await connected()
    client.send(begin('/v1/Auth'), chunk(' ').repeat(SMALL_CHUNKS_MAX - 1), chunk('{}'), END)
    await waitUntil(() => client.statuses().length === 1)
    expect(client.received()).toContain('/clientId')
    client.end()
  })

  test('as an import whose client sends each of its short rows by itself', async () => {
    const seller = await newProductParty(market)
    const rows = SMALL_CHUNKS_MAX + 1_000
    const upload = startUpload(market, seller, randomUUID())
    upload.write('brand,partNumber,inStock\n')
    for (let number = 0; number < rows; number += 1) upload.write(`X,${1_000 + number},1\n`)
    upload.end()
    expect(await upload.status).toBe(200)
    expect((await seller.imports()).body).toMatchObject([{ rowsCreated: rows }])
  })

  test('in any number of chunks that hold enough on average', async () => {
    const client = await connected()
    const count = 3 * SMALL_CHUNKS_MAX
    const small = chunk(spaces(SMALL_CHUNK_BYTES + 9)) + chunk(spaces(SMALL_CHUNK_BYTES - 7))
    const more = `authorization: Bearer ${await developerToken()}\r\n`
    client.send(begin('/v1/Developer/Token', more), small.repeat(count / 2), chunk('{}'), END)
    await waitUntil(() => client.statuses().length === 1)
    expect(client.received()).toContain('/installationId')
    client.end()
  })
})
