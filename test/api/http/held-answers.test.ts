import { once } from 'node:events'
import {
  Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
} from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { Readable } from 'node:stream'
import Fastify from 'fastify'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { hold } from '../../../src/base/fair-share/deadline.ts'
import { nextTick } from '../../../src/base/fair-share/next-tick.ts'
import type { Principal } from '../../../src/base/values/principal.ts'
import type { AppError } from '../../../src/errors.ts'
import type { App } from '../../../src/http/app-type.ts'
import { beginRequests } from '../../../src/http/begin-requests.ts'
import { compressAnswers } from '../../../src/http/compression.ts'
import { limitWaits } from '../../../src/http/fair-share/request-deadline.ts'
import { watchRequestEnds } from '../../../src/http/observability/request-end.ts'
import { stateOf } from '../../../src/http/observability/request-state.ts'
import { waitUntil } from '../../setup/server-process.ts'

const MIB = 1_048_576
const LONG_TEXT = 'x'.repeat(100_000)
const LINK = '</text?after=1>; rel="next"'

let app: App
/** Lets all requests that hold something have their answer. */
let answerAll: () => void
let holding: number
/** How requests ended that were still at work. */
let ends: string[]
beforeEach(async () => {
  app = Fastify() as unknown as App
  holding = 0
  ends = []
  const { promise: answered, resolve } = Promise.withResolvers<void>()
  answerAll = resolve
  const { onEnd, watch } = watchRequestEnds(app)
  beginRequests(app, { first: watch, startDeadline: limitWaits(onEnd) })
  compressAnswers(app)
  app.setErrorHandler((error: AppError, _request, reply) =>
    reply
      .code(error.status)
      .send({ detail: error.message, after: error.options.retryAfterSeconds }),
  )
  app.addHook('onRequest', (incoming, _reply, done) => {
    const { developer: developerId } = incoming.headers
    if (developerId !== '')
      stateOf(incoming).principal = { kind: 'developer', developerId } as Principal
    done()
  })
  const holdAndWait = (isUndone: boolean) => async (incoming: { headers: object }) => {
    const { bytes } = incoming.headers as { bytes: string }
    hold(Number(bytes), { isUndone })
    holding += 1
    await answered
    await nextTick().catch(({ code }) => {
      ends.push(code)
    })
    return 'done'
  }
  app.get('/held', holdAndWait(false))
  app.post('/held', holdAndWait(false))
  app.post('/undone', holdAndWait(true))
  app.all('/text', async (_, reply) => reply.headers({ etag: '"1"', link: LINK }).send(LONG_TEXT))
  app.get('/texts', async ({ headers }) => 'x'.repeat(Number(headers.bytes)))
  app.get('/pieces', async ({ headers }) => {
    hold(Number(headers.bytes))
    return Readable.from(['first', answered.then(() => 'last')])
  })
  app.get('/document', async ({ headers }) => {
    hold(Number(headers.bytes), { isAnswer: true })
    holding += 1
    return Readable.from(['first', answered.then(() => 'last')])
  })
  app.all('/short', async () => 'short')
  await app.listen({ port: 0, host: '127.0.0.1' })
})
afterEach(async () => {
  answerAll()
  app.server.closeAllConnections()
  await app.close()
})

type Answer = { status: number | undefined; headers: IncomingHttpHeaders; text: string }

function send(
  method: string,
  path: string,
  { bytes = MIB, developer = 'a', agent = false as Agent | false } = {},
): { sent: ClientRequest; answer: Promise<Answer> } {
  const { port } = app.server.address() as AddressInfo
  const headers = { bytes, developer }
  const sent = request({ host: '127.0.0.1', port, path, method, headers, agent }).end()
  const answer = once(sent, 'response').then(async ([incoming]: IncomingMessage[]) => {
    const chunks = incoming ? await incoming.setEncoding('utf8').toArray() : []
    return { status: incoming?.statusCode, headers: incoming?.headers ?? {}, text: chunks.join('') }
  })
  answer.catch(() => {})
  return { sent, answer }
}
const statusOf = async (...given: Parameters<typeof send>) => (await send(...given).answer).status

/** So many requests that hold 1 MiB each. */
async function fill(count: number, method = 'GET') {
  const before = holding
  const all = Array.from({ length: count }, () => send(method, '/held'))
  await waitUntil(() => holding === before + count)
  return all
}

describe('of what was read for the answers to one caller the server holds 16 MiB', () => {
  test('more is refused, which says when to come back', async () => {
    await fill(16)
    const { status, text } = await send('GET', '/held').answer
    expect(status).toBe(429)
    expect(JSON.parse(text)).toEqual({
      detail:
        'At most 16 MiB of long answers may be under way to one caller at once, and less while others have much. Wait until some have arrived.',
      after: 1,
    })
  })

  test('what is short is answered all the same, and so is somebody else', async () => {
    await fill(16)
    expect(await statusOf('GET', '/short')).toBe(200)
    const short = send('GET', '/held', { bytes: 65_536 })
    const other = send('GET', '/held', { developer: 'b' })
    await waitUntil(() => holding === 18)
    answerAll()
    expect([(await short.answer).status, (await other.answer).status]).toEqual([200, 200])
  })

  test('a long answer counts, too', async () => {
    await fill(16)
    expect(await statusOf('GET', '/text')).toBe(429)
    expect(await statusOf('GET', '/text', { developer: 'b' })).toBe(200)
  })

  test('a long answer that is refused leads nowhere: its page was not read', async () => {
    await fill(16)
    const { status, headers } = await send('GET', '/text').answer
    expect(status).toBe(429)
    expect(headers).not.toHaveProperty('link')
    expect(headers).not.toHaveProperty('etag')
    expect((await send('GET', '/text', { developer: 'b' }).answer).headers).toMatchObject({
      link: LINK,
      etag: '"1"',
    })
  })

  test('a change goes on, unless all that it did is undone', async () => {
    await fill(16)
    expect(await statusOf('POST', '/undone')).toBe(429)
    expect(await statusOf('POST', '/text')).toBe(200)
    const change = send('POST', '/held')
    await waitUntil(() => holding === 17)
    answerAll()
    expect((await change.answer).status).toBe(200)
  })

  test('answers that have arrived make room', async () => {
    const first = await fill(16, 'POST')
    answerAll()
    await Promise.all(first.map(({ answer }) => answer))
    expect(await statusOf('GET', '/text')).toBe(200)
    const again = Array.from({ length: 16 }, () => statusOf('GET', '/held'))
    expect(new Set(await Promise.all(again))).toEqual(new Set([200]))
  })

  test('clients that hang up make room, and what was being done for them ends', async () => {
    for (const { sent } of await fill(16)) sent.destroy()
    await expect.poll(() => statusOf('GET', '/text')).toBe(200)
    answerAll()
    await waitUntil(() => ends.length === 16)
    expect(new Set(ends)).toEqual(new Set(['ERR_STREAM_PREMATURE_CLOSE']))
  })
})

describe('who reads a long answer has a minute, and another one for each MiB', () => {
  /** More than the kernel takes for a client that reads nothing. */
  const answerBytes = 14 * MIB
  const limitMs = 60_000 + 14 * 60_000
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
  })

  test('then the connection is closed, and there is room again', async () => {
    const { port } = app.server.address() as AddressInfo
    const slow = connect(port, '127.0.0.1').on('error', () => {})
    slow.write(`GET /texts HTTP/1.1\r\nhost: x\r\nbytes: ${answerBytes}\r\ndeveloper: a\r\n\r\n`)
    const next = () => statusOf('GET', '/texts', { bytes: 3 * MIB })
    await expect.poll(next).toBe(429)
    await vi.advanceTimersByTimeAsync(limitMs - 1)
    expect(await next()).toBe(429)
    await vi.advanceTimersByTimeAsync(1)
    await expect.poll(next).toBe(200)
    slow.destroy()
  })

  test('an answer that has arrived leaves no limit, and neither has one that comes in pieces', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    const whole = await send('GET', '/texts', { bytes: answerBytes, agent }).answer
    expect(whole.text).toHaveLength(answerBytes)
    expect(await statusOf('GET', '/short', { agent })).toBe(200)
    await vi.advanceTimersByTimeAsync(limitMs)
    const pieces = send('GET', '/pieces', { bytes: answerBytes, agent })
    await once(pieces.sent, 'response')
    expect(pieces.sent.reusedSocket).toBe(true)
    await vi.advanceTimersByTimeAsync(limitMs)
    answerAll()
    expect((await pieces.answer).text).toBe('firstlast')
  })
})

test('of the answers to all callers it holds 48 MiB, and none has more than it leaves to others', async () => {
  for (const developer of ['a', 'b']) {
    for (let count = 0; count < 16; count++) send('GET', '/held', { developer })
  }
  await waitUntil(() => holding === 32)
  const third = Array.from({ length: 16 }, () => send('GET', '/held', { developer: 'c' }))
  await waitUntil(() => holding === 40)
  expect(await statusOf('GET', '/held', { developer: 'c' })).toBe(429)
  const fourth = send('GET', '/held', { developer: 'd' })
  await waitUntil(() => holding === 41)
  answerAll()
  expect((await fourth.answer).status).toBe(200)
  const statuses = await Promise.all(third.map(async ({ answer }) => (await answer).status))
  expect(statuses.filter((status) => status === 429)).toHaveLength(8)
})

test('who has not signed in takes no room from who has', async () => {
  const strangers = Array.from({ length: 16 }, () => send('GET', '/held', { developer: '' }))
  await waitUntil(() => holding === 16)
  expect(await statusOf('GET', '/held', { developer: '' })).toBe(429)
  for (const developer of ['a', 'b']) {
    for (let count = 0; count < 16; count++) send('GET', '/held', { developer })
  }
  await waitUntil(() => holding === 48)
  answerAll()
  const statuses = await Promise.all(strangers.map(async ({ answer }) => (await answer).status))
  expect(new Set(statuses)).toEqual(new Set([200]))
})

test('of answers over 256 KiB, strangers of one network have four under way', async () => {
  const document = (bytes: number, developer = '') => send('GET', '/document', { bytes, developer })
  const four = Array.from({ length: 4 }, () => document(300_000))
  await waitUntil(() => holding === 4)
  const { status, text } = await document(300_000).answer
  expect([status, JSON.parse(text).after]).toEqual([429, 1])
  const others = [document(200_000), document(300_000, 'a')]
  await waitUntil(() => holding === 6)
  answerAll()
  const answers = await Promise.all([...four, ...others].map(({ answer }) => answer))
  expect(answers.map((one) => one.status)).toEqual([200, 200, 200, 200, 200, 200])
  expect(await statusOf('GET', '/document', { bytes: 300_000, developer: '' })).toBe(200)
})
