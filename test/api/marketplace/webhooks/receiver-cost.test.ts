import { once } from 'node:events'
import { ClientRequest, get } from 'node:http'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readAnswer } from '../../../../src/marketplace/webhooks/sending/read-answer.ts'
import {
  allowing,
  attempt,
  RECEIVER_NAME,
  startRawReceiver,
} from '../../../setup/webhook-receivers.ts'

/** The beginning of an answer in chunks of one byte: the dearest there is. */
const inChunks = (count: number) =>
  `HTTP/1.1 500 Oh\r\ntransfer-encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(count)}`
const LONG = { connectMs: 10_000, totalMs: 20_000, answerMs: 10_000 }

test('an answer in chunks of one byte is read until what is kept of it is there', async () => {
  // No time is ever over: the answer ends with its chunks, or never.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const receiver = await startRawReceiver((socket) => void socket.write(inChunks(1_025)))
  const url = `http://${RECEIVER_NAME}:${receiver.port}/`
  const result = await attempt(url, { ...allowing(url), timeouts: LONG })
  expect(result).toMatchObject({ status: 500, response: 'a'.repeat(1_024) })
})

test('of an answer that is read no further, nothing is looked at again', async () => {
  const receiver = await startRawReceiver((socket) => void socket.write(inChunks(100_000)))
  const request = get({ port: receiver.port, host: '127.0.0.1' })
  const [response] = await once(request, 'response')
  const answers: string[] = []
  readAnswer(response, LONG.answerMs, ({ text }) => answers.push(text))
  response.on('error', () => {})
  await once(response, 'close')
  // Once when the limit was reached, and once when the connection had been closed.
  expect(answers.length).toBeLessThanOrEqual(2)
  expect(answers[0]).toBe('a'.repeat(1_024))
})

test('too many interim answers are refused once, however many have come', async () => {
  const ends = vi.spyOn(ClientRequest.prototype, 'destroy')
  onTestFinished(() => ends.mockRestore())
  const receiver = await startRawReceiver((socket) => {
    socket.write('HTTP/1.1 103\r\n\r\n'.repeat(4_000))
  })
  const url = `http://${RECEIVER_NAME}:${receiver.port}/`
  const result = await attempt(url, { ...allowing(url), timeouts: LONG })
  expect(result).toMatchObject({ reason: { code: 'answer_malformed' } })
  await expect.poll(() => receiver.connections.every(({ destroyed }) => destroyed)).toBe(true)
  // Once by the refusal, and once by the error that follows from it.
  expect(ends.mock.calls.length).toBeLessThanOrEqual(2)
})
