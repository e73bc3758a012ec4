import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

/** Sends these pieces, and reads until the server closes the connection. */
async function exchange(...pieces: string[]): Promise<string> {
  const { hostname, port } = new URL(market.url)
  const socket = connect({ port: Number(port), host: hostname, noDelay: true })
  let answer = ''
  socket.on('data', (data) => {
    answer += String(data)
  })
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  for (const piece of pieces) {
    socket.write(piece)
    await wait(50)
  }
  await closed
  return answer
}

test.each([
  ['in one piece', [`accept: text/html,*/*;q=0.8\r\ncookie: a=${'a'.repeat(20_000)}\r\n\r\n`]],
  ['in two', ['accept: text/html\r\ncookie: ', `${'abc=123; '.repeat(2_500)}\r\n\r\n`]],
])('browsers get a page about headers over the limit, %s', async (_, [first = '', ...rest]) => {
  const answer = await exchange(`GET /Apps HTTP/1.1\r\nhost: x\r\n${first}`, ...rest)
  expect(answer).toMatch(/^HTTP\/1\.1 431 /)
  expect(answer).toMatch(/\r\ncontent-type: text\/html; charset=utf-8\r\n/)
  expect(answer).toMatch(/\r\ncontent-security-policy: default-src 'none'/)
  expect(answer).toContain('Delete the cookies of this site')
})

test.each([
  ['at the API', 'GET /v1/Apps', 'accept: text/html\r\n'],
  ['of a program', 'GET /Apps', 'accept: */*\r\n'],
])('headers over the limit %s get a problem', async (_, target, accept) => {
  const long = `a: ${'a'.repeat(20_000)}\r\n\r\n`
  const answer = await exchange(`${target} HTTP/1.1\r\nhost: x\r\n${accept}${long}`)
  expect(answer).toMatch(/^HTTP\/1\.1 431 /)
  expect(answer).toMatch(/\r\ncontent-type: application\/problem\+json/)
})
