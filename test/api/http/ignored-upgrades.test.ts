import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../setup/app.ts'

let market: SharedMarketplace
beforeAll(async () => {
  market = await sharedMarketplace()
})

const UPGRADES = {
  h2c: 'connection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: AAEAAEAAAAIAAAAB\r\n',
  websocket: 'Connection: upgrade\r\nUpgrade: websocket\r\nsec-websocket-version: 13\r\n',
  two: 'connection: upgrade\r\nupgrade: h2c\r\nupgrade: TLS/1.0\r\n',
}
const json = 'content-type: application/json\r\n'
const chunked = 'transfer-encoding: chunked\r\n'
/** Requests with their statuses; `@` stands for the headers of the upgrade. */
const REQUESTS: [string, string, number][] = [
  ['without a body', 'GET /v1/Permissions HTTP/1.1\r\nhost: x\r\n@\r\n', 200],
  [
    'answered before its body',
    `POST /v1/Developer/Token HTTP/1.1\r\nhost: x\r\n${json}@content-length: 2\r\n\r\n{}`,
    401,
  ],
  [
    'answered after its body',
    `POST /v1/Auth HTTP/1.1\r\nhost: x\r\n${json}@content-length: 2\r\n\r\n{}`,
    400,
  ],
  [
    'with chunks',
    `POST /v1/Auth HTTP/1.1\r\nhost: x\r\n${json}@${chunked}\r\n2\r\n{}\r\n0\r\n\r\n`,
    400,
  ],
  [
    'of an unknown type',
    'POST /v1/Auth HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\n@content-length: 2\r\n\r\n{}',
    415,
  ],
  [
    'that is too large',
    `POST /v1/Auth HTTP/1.1\r\nhost: x\r\n${json}@content-length: 20000\r\n\r\n${'x'.repeat(20_000)}`,
    413,
  ],
  ['that cannot be routed', 'GET /%zz HTTP/1.1\r\nhost: x\r\n@\r\n', 400],
  ['without a host', 'GET /livez HTTP/1.1\r\n@\r\n', 400],
  ['to nowhere', 'POST /v1/Nowhere HTTP/1.1\r\nhost: x\r\n@content-length: 2\r\n\r\n{}', 404],
]
const NEXT = 'GET /livez HTTP/1.1\r\nhost: x\r\nx-next: 1\r\n\r\n'

/**
 * Statuses of the answers on a connection on which these pieces are sent.
 *
 * @param inTurn each piece is a request, which is sent when the one before is answered
 */
async function statusesOf(pieces: readonly string[], count: number, { inTurn = false } = {}) {
  const { hostname, port } = new URL(market.url)
  const socket = connect({ port: Number(port), host: hostname, noDelay: true })
  let received = ''
  socket.setEncoding('latin1').on('data', (text) => {
    received += text
  })
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  const statuses = () =>
    [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
  for (const [index, piece] of pieces.entries()) {
    socket.write(piece, 'latin1')
    if (inTurn) {
      await expect
        .poll(() => statuses().length > index || socket.closed, { interval: 1 })
        .toBe(true)
    } else await wait(pieces.length > 1 ? 20 : 0)
  }
  const isOver = () => statuses().length >= count || socket.closed
  await expect.poll(isOver, { timeout: 10_000 }).toBe(true)
  const answers = { statuses: statuses(), received }
  socket.destroy()
  await closed
  return answers
}

function fragmentationsOf(first: string): string[][] {
  const head = first.indexOf('\r\n\r\n') + 4
  const all = first + NEXT
  return [
    [all],
    [all.slice(0, 10), all.slice(10)],
    [all.slice(0, head), all.slice(head)],
    [all.slice(0, head - 2), all.slice(head - 2)],
    [all.slice(0, first.length - 1), all.slice(first.length - 1)],
    [first, NEXT],
  ]
}

describe.each(Object.entries(UPGRADES))('behind a request with Upgrade (%s)', (_, upgrade) => {
  test.each(REQUESTS)('%s, the next one is answered', async (_, text, status) => {
    for (const pieces of fragmentationsOf(text.replace('@', upgrade))) {
      expect((await statusesOf(pieces, 2)).statuses, pieces[0]).toEqual([status, 200])
    }
  })
})

test('one connection takes any number of such requests', async () => {
  const warnings: Error[] = []
  const note = (warning: Error) => warnings.push(warning)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  const request = `POST /v1/Auth HTTP/1.1\r\nhost: x\r\n${json}${UPGRADES.h2c}content-length: 2\r\n\r\n{}`
  const pieces = Array.from({ length: 30 }, () => request)
  const { statuses } = await statusesOf(pieces, 30, { inTurn: true })
  expect(statuses).toEqual(pieces.map(() => 400))
  expect(warnings).toEqual([])
})

test('a request with Upgrade that was sent ahead is answered, as the last one if not all are', async () => {
  const upgrading = `GET /v1/Permissions HTTP/1.1\r\nhost: x\r\n${UPGRADES.h2c}\r\n`
  const { statuses, received } = await statusesOf([NEXT + upgrading + NEXT], 3)
  expect(statuses).toEqual([200, 200])
  expect(received.slice(received.lastIndexOf('HTTP/1.1'))).toMatch(/^connection: close\r$/im)
})

test('a body that was announced is no request, however many headers there are', async () => {
  const smuggled = NEXT
  const many = Array.from({ length: 1_100 }, (_, index) => `a${index}: b\r\n`).join('')
  const head = `POST /v1/Auth HTTP/1.1\r\nhost: x\r\n${UPGRADES.h2c}${many}content-length: ${smuggled.length}\r\n\r\n`
  expect((await statusesOf([head + smuggled], 2)).statuses).toEqual([431])
})

test.each(['', UPGRADES.h2c])('CONNECT is refused, and the connection ends', async (upgrade) => {
  const { statuses, received } = await statusesOf(
    [`CONNECT example.com:443 HTTP/1.1\r\nhost: example.com\r\n${upgrade}\r\n${NEXT}`],
    2,
  )
  expect(statuses).toEqual([400])
  expect(received).toContain('it does not take CONNECT')
  expect(received).toMatch(/^connection: close\r$/im)
})
