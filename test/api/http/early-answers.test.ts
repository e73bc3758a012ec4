import { connect } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../setup/app.ts'
import { developerToken } from '../../setup/client.ts'

let market: SharedMarketplace
let developer: string
beforeAll(async () => {
  market = await sharedMarketplace()
  developer = await developerToken(market)
})

/** Sends all of a request before it reads anything, as many clients do. */
function sendThenRead(head: string, body: Buffer): Promise<{ answer: string; isWhole: boolean }> {
  const { hostname, port } = new URL(market.url)
  return new Promise((resolve) => {
    let isWhole = false
    const socket = connect(Number(port), hostname, () => {
      socket.write(head)
      socket.write(body, () => {
        isWhole = true
        socket.once('data', (data) => {
          resolve({ answer: String(data), isWhole })
          socket.destroy()
        })
        socket.resume()
      })
    })
    socket.pause()
    socket.on('error', (error) => resolve({ answer: error.message, isWhole }))
  })
}

test.each([
  ['POST', '/v1/Developer/Token', 'application/json', 413],
  ['POST', '/v1/Auth', 'application/json', 413],
  ['POST', '/oauth/token', 'application/x-www-form-urlencoded', 413],
  ['PUT', '/v1/Developer/Apps/price-sync/TermsDocument', 'text/plain', 413],
  ['POST', '/v1/Auth', 'text/plain', 415],
  ['POST', '/v1/Nothing', 'application/json', 404],
])(
  '%s %s: a client that sends 8 MiB of %s first reads its %i',
  async (method, path, type, status) => {
    const bodyBytes = 8 * 1024 * 1024
    const head = `${method} ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${developer}\r\ncontent-type: ${type}\r\ncontent-length: ${bodyBytes}\r\n\r\n`
    const { answer, isWhole } = await sendThenRead(head, Buffer.alloc(bodyBytes, 'a'))
    expect(answer.split('\r\n', 1)[0]).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(isWhole).toBe(true)
  },
)

test.each(['/v1/Auth', '/%zz'])(
  '%s: the rest of a refused body gets no answer of its own, whatever it is',
  async (path) => {
    const { hostname, port } = new URL(market.url)
    const socket = connect(Number(port), hostname)
    let received = ''
    socket.setEncoding('utf8').on('data', (text) => {
      if (received === '') socket.write('not a chunk\r\n')
      received += text
    })
    socket.on('error', () => {})
    const type = 'content-type: text/plain\r\ntransfer-encoding: chunked'
    socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\n${type}\r\n\r\n`)
    await new Promise((resolve) => socket.once('close', resolve))
    expect(received.match(/HTTP\/1\.1 4\d\d/g)).toHaveLength(1)
  },
)
