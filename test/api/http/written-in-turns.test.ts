import { serializerCompiler } from '@fastify/type-provider-zod'
import Fastify from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { hold } from '../../../src/base/fair-share/deadline.ts'
import { Timestamp } from '../../../src/base/values/shapes.ts'
import type { App } from '../../../src/http/app-type.ts'
import { beginRequests } from '../../../src/http/begin-requests.ts'
import { writeLongAnswersInTicks } from '../../../src/http/bodies/long-answers.ts'
import { limitWaits } from '../../../src/http/fair-share/request-deadline.ts'
import { watchRequestEnds } from '../../../src/http/observability/request-end.ts'

const MIB = 1_048_576
const ANSWER = z.object({ at: Timestamp, entries: z.array(z.object({ text: z.string() })) })
const entriesOf = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ text: `${n} &<"'`.repeat(50), left: 'out' }))

let app: App
let turns = 0
beforeAll(() => {
  app = Fastify() as unknown as App
  app.setSerializerCompiler(serializerCompiler as never)
  const { onEnd, watch } = watchRequestEnds(app)
  beginRequests(app, { first: watch, startDeadline: limitWaits(onEnd) })
  writeLongAnswersInTicks(app)
  app.setErrorHandler((error, _request, reply) => reply.code(429).send(String(error)))
  const response = { 200: ANSWER }
  app.get('/:count', { schema: { response } }, (request, reply) => {
    const { count, bytes = '0' } = {
      ...(request.query as object),
      ...(request.params as object),
    } as {
      count: string
      bytes?: string
    }
    hold(Number(bytes))
    turns = 0
    const countTurn = () => {
      turns += 1
      if (!reply.sent) setImmediate(countTurn)
    }
    setImmediate(countTurn)
    reply.header('etag', '"1"')
    return { at: new Date(0), entries: entriesOf(Number(count)) } as never
  })
})

const written = (count: number) =>
  JSON.stringify({
    at: '1970-01-01T00:00:00.000Z',
    entries: entriesOf(count).map(({ text }) => ({ text })),
  })

test('an answer of who holds much is the same, in many turns of the event loop', async () => {
  const answer = await app.inject(`/8000?bytes=${MIB}`)
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(answer.body).toBe(written(8000))
  // More than 3 MB in pieces of 64 KiB, with turns for others after each.
  expect(turns).toBeGreaterThan(200)
})

test('a short one is written at once', async () => {
  expect((await app.inject('/1')).body).toBe(written(1))
  expect(turns).toBeLessThan(3)
})

test('one for which the caller has no more room is refused, without its ETag', async () => {
  const answer = await app.inject(`/50000?bytes=${MIB}`)
  expect(answer.statusCode).toBe(429)
  expect(answer.headers.etag).toBeUndefined()
})
