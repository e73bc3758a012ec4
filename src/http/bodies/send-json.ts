import type { FastifyReply } from 'fastify'
import { hold } from '../../concurrency/deadline.ts'
import { LONG_CHARACTERS, nextTurn } from '../../concurrency/next-turn.ts'

/** Answers with JSON that is written already; the schema of the route is not applied to it. */
export function sendJson(reply: FastifyReply, json: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').serializer(asItIs).send(json)
}

const asItIs = (json: unknown) => json as string

/** The same with bytes, which may be the same for many requests: long ones in a turn of their own. */
export async function sendBytes(reply: FastifyReply, json: Buffer): Promise<FastifyReply> {
  hold(json.length, { isAnswer: true })
  if (json.length > LONG_CHARACTERS) await nextTurn()
  return reply.type('application/json; charset=utf-8').send(json)
}
