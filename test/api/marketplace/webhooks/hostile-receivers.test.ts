import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { certificateFor } from '../../../setup/certificate.ts'
import {
  allowing,
  attempt,
  RECEIVER_NAME,
  type Receiver,
  startCanary,
  startRawReceiver,
  startRawTlsReceiver,
  startReceiver,
  startTlsReceiver,
  testAgents,
} from '../../../setup/webhook-receivers.ts'

/** Short where a test waits for the end of a time, long everywhere else. */
const LONG = { connectMs: 10_000, totalMs: 20_000, answerMs: 10_000 }
const SHORT = {
  connect: { ...LONG, connectMs: 300 },
  answer: { ...LONG, answerMs: 100 },
}
/** What a socket may have read beyond a limit: what one read of the system gives. */
const ONE_READ_BYTES = 64 * 1024

/** Sends one webhook; tells which connections it is made on. */
function observed(receiver: Receiver, { tls = false, timeouts = LONG } = {}) {
  const url = `${tls ? 'https' : 'http'}://${RECEIVER_NAME}:${receiver.port}/`
  const agents = testAgents()
  const sockets: Socket[] = []
  const agent = tls ? agents.kept.https : agents.kept.http
  const connectAs = agent.createConnection.bind(agent)
  agent.createConnection = (...given) => {
    const socket = connectAs(...given)
    if (socket) sockets.push(socket as Socket)
    return socket
  }
  return { answer: attempt(url, { ...allowing(url), agents, timeouts }), sockets }
}

/** The same when it is over, with what was read. */
async function observe(receiver: Receiver, options = {}) {
  const { answer, sockets } = observed(receiver, options)
  const result = await answer
  const bytesRead = sockets.reduce((sum, socket) => sum + socket.bytesRead, 0)
  return { result, bytesRead, sockets }
}

/** Writes for as long as the other side reads, a GB at most. */
function flood(socket: Socket, piece: Buffer): void {
  let left = 1024 ** 3
  const write = () => {
    while (left > 0 && !socket.destroyed) {
      left -= piece.length
      if (!socket.write(piece)) return
    }
  }
  socket.on('drain', write)
  write()
}

/** Writes a byte every 20 ms. */
function drip(socket: Socket, text: string): void {
  let at = 0
  const timer = setInterval(() => {
    if (!socket.destroyed) socket.write(text[at++ % text.length] ?? '')
  }, 20)
  onTestFinished(() => clearInterval(timer))
}

async function closed(receiver: Receiver): Promise<void> {
  await expect.poll(() => receiver.connections.every((socket) => socket.destroyed)).toBe(true)
}

describe('an answer without end', () => {
  const piece = Buffer.alloc(ONE_READ_BYTES, 'x')
  const chunk = Buffer.concat([Buffer.from('10000\r\n'), piece, Buffer.from('\r\n')])
  const heads = {
    'of 1 GB': ['content-length: 1073741824', piece],
    'in chunks': ['transfer-encoding: chunked', chunk],
    'until the connection ends': ['x: y', piece],
  } as const

  test.each(Object.entries(heads))('%s is read up to 64 KiB', async (_, [header, body]) => {
    for (const [status, outcome] of [
      ['200 OK', 'succeeded'],
      ['500 No', 'failed'],
      ['410 Gone', 'gone'],
    ] as const) {
      for (const tls of [false, true]) {
        const receiver = await (tls ? startRawTlsReceiver : startRawReceiver)((socket) => {
          socket.write(`HTTP/1.1 ${status}\r\n${header}\r\n\r\n`)
          flood(socket, body)
        })
        const { result, bytesRead, sockets } = await observe(receiver, { tls })
        expect(result).toMatchObject({ outcome, response: 'x'.repeat(1024) })
        expect(bytesRead).toBeLessThan(3 * ONE_READ_BYTES)
        expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true])
        await closed(receiver)
      }
    }
  })

  test('that is compressed is not unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1024 ** 2))
    const receiver = await startReceiver((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    })
    const { result, bytesRead } = await observe(receiver)
    expect(result).toMatchObject({ outcome: 'succeeded', status: 200 })
    expect(result.response?.slice(0, 2)).toBe('\u001f\ufffd')
    expect(result.response?.length).toBeLessThanOrEqual(1024)
    expect(bytesRead).toBeLessThan(2 * ONE_READ_BYTES)
  })

  test('that drips counts by its status when the time for responses is over', async () => {
    const receiver = await startRawReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      drip(socket, 'x')
    })
    const { result } = await observe(receiver, { timeouts: SHORT.answer })
    expect(result).toMatchObject({ outcome: 'succeeded', response: expect.stringMatching(/^x*$/) })
    await closed(receiver)
  })

  test('that drips is cut when the total time is over', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const head = 'HTTP/1.1 503 No\r\nretry-after: 7\r\n\r\n'
    const receiver = await startRawReceiver((socket) => {
      socket.write(head)
      drip(socket, 'x')
    })
    const timeouts = { ...LONG, answerMs: 60_000 }
    const { answer, sockets } = observed(receiver, { timeouts })
    // The time is over when the head and a part of the body have come, however long that took.
    await expect.poll(() => sockets[0]?.bytesRead).toBeGreaterThan(head.length)
    vi.advanceTimersByTime(LONG.totalMs)
    expect(await answer).toMatchObject({ outcome: 'failed', status: 503, retryAfterSeconds: 7 })
    await closed(receiver)
  })

  test.each([
    ['breaks off', 'content-length: 100\r\n\r\nthe begin', 'the begin'],
    ['is malformed', 'transfer-encoding: chunked\r\n\r\n9\r\nthe begin\r\nnonsense', 'the begin'],
    ['has bad trailers', 'transfer-encoding: chunked\r\n\r\n0\r\nbad trailer\r\n\r\n', ''],
  ])('that %s is a success if its status was', async (_, answer, response) => {
    for (const isNextTo of [false, true]) {
      const receiver = await startRawReceiver((socket) => {
        socket.write('HTTP/1.1 200 OK\r\n')
        const rest = () => socket.write(answer, () => socket.destroy())
        if (isNextTo) rest()
        else setImmediate(rest)
      })
      const { result } = await observe(receiver)
      expect(result).toMatchObject({ outcome: 'succeeded', status: 200 })
      // What came together with the fault may be lost.
      expect([response, '']).toContain(result.response)
    }
  })
})

describe('an answer that never comes to its body', () => {
  test.each([
    ['many headers', Buffer.from('x-name: value\r\n'.repeat(100))],
    ['one header', Buffer.alloc(ONE_READ_BYTES, 'x')],
  ])('because of %s is read up to 16 KiB', async (_, piece) => {
    for (const tls of [false, true]) {
      const receiver = await (tls ? startRawTlsReceiver : startRawReceiver)((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nx: ')
        flood(socket, piece)
      })
      const { result, bytesRead, sockets } = await observe(receiver, { tls })
      expect(result).toMatchObject({ outcome: 'failed', reason: { code: 'headers_too_large' } })
      expect(bytesRead).toBeLessThan(3 * ONE_READ_BYTES)
      expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true])
      await closed(receiver)
    }
  })

  test('because interim answers go on is malformed', async () => {
    const receiver = await startRawReceiver((socket) => {
      flood(socket, Buffer.from('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(1000)))
    })
    const { result, bytesRead } = await observe(receiver)
    expect(result).toMatchObject({ outcome: 'failed', reason: { code: 'answer_malformed' } })
    expect(bytesRead).toBeLessThan(3 * ONE_READ_BYTES)
    await closed(receiver)
  })

  test('because its headers drip is a timeout', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const head = 'HTTP/1.1 200 OK\r\n'
    const receiver = await startRawReceiver((socket) => {
      socket.write(head)
      drip(socket, 'x-name: value\r\n')
    })
    const { answer, sockets } = observed(receiver)
    // The time is over when a part of the headers has come, however long that took.
    await expect.poll(() => sockets[0]?.bytesRead).toBeGreaterThan(head.length)
    vi.advanceTimersByTime(LONG.totalMs)
    expect(await answer).toMatchObject({ outcome: 'failed', reason: { code: 'timeout' } })
    await closed(receiver)
  })

  test('because there is none is a timeout', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const receiver = await startCanary()
    const { answer } = observed(receiver)
    // The time is over when the request has come, however long that took.
    await expect.poll(() => receiver.bytes()).toBeGreaterThan(0)
    vi.advanceTimersByTime(LONG.totalMs)
    expect(await answer).toMatchObject({ outcome: 'failed', reason: { code: 'timeout' } })
    await closed(receiver)
  })

  test.each([
    'nonsense\r\n\r\n',
    'HTTP/1.1 abc OK\r\n\r\n',
    'HTTP/1.1 200 OK\r\nbad header\r\n\r\n',
    'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n',
    'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
    'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
    'SSH-2.0-OpenSSH_9.2\r\n',
    '\0\0\0\0',
  ])('because it is no HTTP is malformed: %j', async (answer) => {
    const receiver = await startRawReceiver((socket) => void socket.write(answer))
    const { result } = await observe(receiver)
    expect(result).toMatchObject({ outcome: 'failed', reason: { code: 'answer_malformed' } })
    await closed(receiver)
  })
})

describe('bad TLS', () => {
  const yesterday = new Date(Date.now() - 86_400_000)
  const certificates = {
    'a certificate that nobody vouches for': certificateFor([RECEIVER_NAME]),
    'a certificate that has expired': certificateFor([RECEIVER_NAME], { validUntil: yesterday }),
    'a certificate of another name': certificateFor(['other.example.com']),
  }

  test.each(Object.entries(certificates))('%s is refused', async (name, certificate) => {
    const receiver = await startTlsReceiver(undefined, certificate)
    const url = `https://${RECEIVER_NAME}:${receiver.port}/`
    const isTrusted = !name.includes('vouches')
    const agents = testAgents(isTrusted ? { ca: certificate.cert } : {})
    expect(await attempt(url, { ...allowing(url), agents })).toMatchObject({
      ...{ outcome: 'failed', reason: { code: 'certificate_refused' } },
    })
    expect(receiver.received).toEqual([])
    await closed(receiver)
  })

  test('a receiver that speaks no TLS', async () => {
    const receiver = await startRawReceiver(
      (socket) => void socket.write('HTTP/1.1 400 Bad\r\n\r\n'),
    )
    const { result } = await observe(receiver, { tls: true })
    expect(result).toMatchObject({ outcome: 'failed', reason: { code: 'tls_failed' } })
    await closed(receiver)
  })

  test('a receiver that closes in the handshake', async () => {
    const receiver = await startRawReceiver((socket) => void socket.destroy())
    const { result } = await observe(receiver, { tls: true })
    expect(result).toMatchObject({ outcome: 'failed', reason: { code: 'tls_failed' } })
  })

  test('a handshake that hangs', async () => {
    const receiver = await startCanary()
    const { result } = await observe(receiver, { tls: true, timeouts: SHORT.connect })
    expect(result).toMatchObject({ outcome: 'failed', reason: { code: 'connect_timeout' } })
    await closed(receiver)
  })
})

test('a name whose resolution hangs', async () => {
  const lookup = () => new Promise<never>(() => {})
  const result = await attempt('https://hooks.example.com/', { lookup, timeouts: SHORT.connect })
  expect(result).toMatchObject({ outcome: 'failed', reason: { code: 'connect_timeout' } })
})

test('a receiver that writes on after its response loses the connection', async () => {
  const receiver = await startRawReceiver((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
    setImmediate(() => flood(socket, Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')))
  })
  const { result, sockets } = await observe(receiver)
  expect(result).toMatchObject({ outcome: 'succeeded', response: 'ok' })
  await expect.poll(() => sockets.every(({ destroyed }) => destroyed)).toBe(true)
  expect(sockets[0]?.bytesRead).toBeLessThan(3 * ONE_READ_BYTES)
  await closed(receiver)
})
