import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { MarketplaceError } from '../../client/src/errors.ts'
import { listApps } from '../../client/src/generated/sdk.gen.ts'
import { connect } from '../../client/src/transport/connection.ts'
import { type RequestMaker, retryAfterMs, sender } from '../../client/src/transport/send.ts'

type Answer = { status: number; headers?: Record<string, string> }

/** A server that gives these answers in turn, and a sender that notes how long it is to wait. */
async function answering(answers: Answer[]) {
  const seen: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request.setEncoding('utf8')) body += part
    seen.push(body)
    const { status, headers } = answers[seen.length - 1] ?? { status: 200 }
    response.writeHead(status, headers).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const pauses: number[] = []
  const send = sender({ fetch, wait: async (pause) => void pauses.push(pause) })
  const request =
    (method: string, path = '/'): RequestMaker =>
    () =>
      new Request(`http://127.0.0.1:${port}${path}`, {
        method,
        ...(method !== 'GET' && { body: 'the body' }),
      })
  return { seen, pauses, send, request }
}

const LATER = { status: 429, headers: { 'retry-after': '2' } }
const AWAY = { status: 503, headers: { 'retry-after': '5' } }

describe('a response that asks to come later', () => {
  test('is repeated after that time with the same body', async () => {
    const { send, request, pauses, seen } = await answering([LATER, AWAY])
    expect((await send(request('PUT'))).status).toBe(200)
    expect(pauses).toEqual([2000, 5000])
    expect(seen).toEqual(['the body', 'the body', 'the body'])
  })

  test('is returned after the fourth time', async () => {
    const { send, request, seen } = await answering(Array(9).fill(LATER))
    expect((await send(request('GET'))).status).toBe(429)
    expect(seen).toHaveLength(4)
  })

  test('is returned when it asks for more than a minute, or 429 for nothing', async () => {
    const long = { status: 429, headers: { 'retry-after': '61' } }
    const { send, request, pauses } = await answering([long, { status: 429 }])
    expect((await send(request('GET'))).status).toBe(429)
    expect((await send(request('GET'))).status).toBe(429)
    expect(pauses).toEqual([])
  })

  test('of a load balancer is repeated with longer pauses unless it may have had an effect', async () => {
    const { send, request, pauses } = await answering(
      [502, 503, 504, 502].map((status) => ({ status })),
    )
    expect((await send(request('GET'))).status).toBe(502)
    expect(pauses).toEqual([250, 500, 1000])
    const other = await answering([{ status: 504 }])
    expect((await other.send(other.request('POST', '/v1/Products'))).status).toBe(504)
    expect(other.pauses).toEqual([])
  })

  test('with 503 is returned for a request that may have had an effect', async () => {
    const { send, request, seen } = await answering([AWAY, LATER])
    expect((await send(request('POST', '/v1/Developer/Apps'))).status).toBe(503)
    expect((await send(request('POST', '/v1/Developer/Apps'))).status).toBe(200)
    expect(seen).toHaveLength(3)
  })
})

describe('a request that gets no response', () => {
  const nowhere =
    (method: string): RequestMaker =>
    () =>
      new Request('http://127.0.0.1:1/', { method })

  test('is repeated with longer pauses, then the marketplace is unreachable', async () => {
    const { send, pauses } = await answering([])
    await expect(send(nowhere('GET'))).rejects.toMatchObject({ code: 'unreachable' })
    expect(pauses).toEqual([250, 500, 1000])
  })

  test('is not repeated when it may have had an effect', async () => {
    const { send, pauses } = await answering([])
    await expect(send(nowhere('POST'))).rejects.toMatchObject({ code: 'unreachable' })
    expect(pauses).toEqual([])
  })

  test('is not repeated for a token that could not be made: that was tried often enough', async () => {
    const pauses: number[] = []
    const wait = async (pause: number) => void pauses.push(pause)
    const failure = new MarketplaceError({ code: 'unreachable', message: 'away' })
    const tokens = { get: () => Promise.reject(failure), refused: () => undefined }
    const send = sender({ fetch, wait, tokens })
    await expect(send(nowhere('GET'))).rejects.toBe(failure)
    expect(pauses).toEqual([])
  })

  test('ends at once when its signal does', async () => {
    const { send } = await answering([])
    const make = () => new Request('http://127.0.0.1:1/', { signal: AbortSignal.abort() })
    await expect(send(make)).rejects.toMatchObject({ name: 'AbortError' })
  })

  const MOMENTS = ['before it was sent', 'while it waited', 'in the middle of a file']
  const REASONS = [new Error('the user went away'), 'away', '', 0, null]
  test.each(MOMENTS.flatMap((moment) => REASONS.map((reason) => [moment, reason] as const)))(
    'that its caller has ended %s fails with the reason of the caller: %j',
    async (moment, reason) => {
      const server = createServer((_, response) => {
        response.writeHead(200, { 'content-type': 'application/pdf' }).write('half a file')
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      onTestFinished(() => void server.close())
      const stop = new AbortController()
      if (moment === 'before it was sent') stop.abort(reason)
      const fetchAndStop = async (request: Request) => {
        if (moment === 'in the middle of a file') {
          const response = await fetch(request)
          setImmediate(() => stop.abort(reason))
          return response
        }
        stop.abort(reason)
        throw new TypeError('fetch failed')
      }
      const { port } = server.address() as AddressInfo
      const { client } = connect(`http://127.0.0.1:${port}`, undefined, { fetch: fetchAndStop })
      const call = { client, signal: stop.signal }
      await expect(listApps(call)).rejects.toBe(reason)
      expect(await listApps({ ...call, throwOnError: false })).toHaveProperty('error')
    },
  )
})

test('Retry-After is seconds or a date', () => {
  const now = Date.parse('2026-11-22T10:00:00Z')
  expect(retryAfterMs('7', now)).toBe(7000)
  expect(retryAfterMs('Sun, 22 Nov 2026 10:00:30 GMT', now)).toBe(30_000)
  expect(retryAfterMs('Sun, 22 Nov 2026 09:00:00 GMT', now)).toBe(0)
  expect(retryAfterMs('soon', now)).toBeUndefined()
  expect(retryAfterMs(null, now)).toBeUndefined()
})
