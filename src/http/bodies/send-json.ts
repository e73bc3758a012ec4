import type { FastifyReply } from 'fastify'

/** Answers with JSON that is written already; the schema of the route is not applied to it. */
export function sendJson(reply: FastifyReply, json: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').serializer(asItIs).send(json)
}

const asItIs = (json: unknown) => json as string
