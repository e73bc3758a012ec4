import type { FastifyReply } from 'fastify'
import { jsonInTicks } from '../../base/concurrency/json-in-ticks.ts'
import { currentDeadline, hold } from '../../base/fair-share/deadline.ts'
import { LONG_CHARACTERS, nextTick } from '../../base/fair-share/next-tick.ts'

/** Answers with JSON that is written already; the schema of the route is not applied to it. */
export function sendJson(reply: FastifyReply, json: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').serializer(asItIs).send(json)
}

const asItIs = (json: unknown) => json as string

/** Answers a record that nobody has written as JSON yet: a long one is written in ticks. */
export async function sendRecord(reply: FastifyReply, record: object): Promise<FastifyReply> {
  return currentDeadline()?.holdsMuch
    ? reply.type('application/json; charset=utf-8').send(await jsonInTicks(record))
    : sendJson(reply, JSON.stringify(record))
}

/** Answers JSON, which many requests may share: long ones in a tick of their own. */
export async function sendBytes(reply: FastifyReply, json: Buffer): Promise<FastifyReply> {
  hold(json.length, { isAnswer: true })
  if (json.length > LONG_CHARACTERS) await nextTick()
  return reply.type('application/json; charset=utf-8').send(json)
}
