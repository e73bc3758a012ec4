import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { readLongBody } from '../../../src/http/bodies/long-body.ts'

const IDLE_MS = 100

/** Uses a piece for longer than the client may send nothing. */
const useLong = () =>
  vi.isFakeTimers() ? vi.advanceTimersByTimeAsync(3 * IDLE_MS) : sleep(3 * IDLE_MS)

const app = Fastify()
let url: string
beforeAll(async () => {
  app.addContentTypeParser('text/csv', (_request, _payload, done) => done(null))
  app.post('/slow', async (request) => {
    for await (const _piece of readLongBody(request, IDLE_MS)) await useLong()
    return 'all of it'
  })
  url = await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.close())

test('a server that takes long to use a piece does not hang up on the client', async () => {
  // Time passes while a piece is used, and only then, however slowly the next one comes.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const headers = { 'content-type': 'text/csv' }
  const body = 'x'.repeat(200_000)
  const answer = await fetch(`${url}/slow`, { method: 'POST', headers, body })
  expect(await answer.text()).toBe('all of it')
})

test('a client that sends nothing is cut off', async () => {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port) })
  socket.on('error', () => {})
  socket.write(
    'POST /slow HTTP/1.1\r\nhost: x\r\ncontent-type: text/csv\r\ncontent-length: 9\r\n\r\nx',
  )
  await once(socket.resume(), 'close')
})
